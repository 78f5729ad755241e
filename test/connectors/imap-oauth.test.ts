import { createServer } from "node:https";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { isScoutsError } from "../../events/errors.ts";
import { startImap } from "../../infra/standins/imap/start.ts";
import { makeCertificate } from "../../infra/standins/imap/tls/certificate.ts";
import { outcomeOf } from "../../shared/outcome/outcome.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { ImapConnector } from "../../shared/scouts/connectors/imap/connector.ts";
import { GrantVault } from "../../shared/scouts/connectors/imap/grant/grant-vault.ts";
import { imapSettings } from "../../shared/scouts/connectors/imap/settings.ts";
import { SettingsVault } from "../../shared/scouts/connectors/settings-vault.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { OpenTable, scoutAtSource as scout, vault } from "../contract/connector-fixtures.ts";
import { letter } from "./scripted-imap.ts";

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const user = "ada@example.com";
const grant = "the refresh token";

interface TokenAnswer {
  readonly status: number;
  readonly body: object;
}

/** A provider's token endpoint: a new access token, which the mail server takes from then on, for each request. */
async function startProvider(accessTokens: Set<string>) {
  const certificate = makeCertificate(["127.0.0.1"], Date.now() + 3_600_000, Date.now());
  const asked: URLSearchParams[] = [];
  const provider = {
    asked,
    expiresIn: 3_600,
    /** Whether each refresh token is good once, and whoever shows a spent one ends the grant. */
    rotates: false,
    /** The one that is good now. */
    current: grant,
    /** Instead of a token. */
    answers: undefined as TokenAnswer | undefined,
    url: "",
    ca: certificate.cert,
  };
  const answered = (token: string, shown: string): TokenAnswer => {
    if (provider.rotates) {
      const isGood = shown === provider.current;
      provider.current = isGood ? `grant ${asked.length}` : "ended";
      if (!isGood) return { status: 400, body: { error: "invalid_grant" } };
    }
    const next = provider.rotates ? { refresh_token: provider.current } : {};
    return {
      status: 200,
      body: { access_token: token, expires_in: provider.expiresIn, token_type: "Bearer", ...next },
    };
  };
  const server = createServer(certificate, async (request, response) => {
    asked.push(new URLSearchParams(await text(request)));
    const token = `access ${asked.length}`;
    const { status, body } = provider.answers ?? answered(token, asked.at(-1)?.get("refresh_token") ?? "");
    if (status === 200) accessTokens.add(token);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  provider.url = `https://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/token`;
  opened.push(() => new Promise((resolve) => server.close(() => resolve())));
  return provider;
}

/** A scout that reads with a grant, and a clock that can be put forward. */
async function withGrant({ rotates = false } = {}) {
  const accessTokens = new Set<string>();
  const server = await startImap({ users: [{ user, password: "none", accessTokens }] });
  opened.push(server.close);
  const provider = await startProvider(accessTokens);
  provider.rotates = rotates;
  const time = { aheadMs: 0 };
  const ledger = new OpenTable();
  const sealer = vault();
  const scouts = new ScoutStore(ledger);
  const settings = new SettingsVault(scouts, sealer);
  /** As another environment of the same function begins: it knows nothing but what is written. */
  const begin = () => {
    const made = new ImapConnector({
      settings,
      grants: new GrantVault(ledger, sealer),
      clock: () => Date.now() + time.aheadMs,
      dial: { reach: "any", ca: server.ca + provider.ca },
      taskTimeoutMs: 60_000,
    });
    opened.push(() => made.close());
    return made;
  };
  const connector = begin();
  const given = connector.settings.schema.parse({
    host: "localhost",
    port: server.tlsPort,
    user,
    refreshToken: grant,
    clientId: "a client",
    tokenUrl: provider.url,
  });
  const verify = () => connector.settings.verify(scout, new Transient({ given }));
  const { own, cursor } = await verify();
  const sealedSettings = await settings.seal(scout, new Transient({ given, ...(own && { own: own.reveal() }) }));
  const row = { sourceType: "imap", sealed: "", sealedSettings, cursor, createdAt: 0, revision: 0 };
  await scouts.create({ ...scout, ...row });
  const deliver = (subject: string) =>
    server
      .account()
      .find("INBOX")
      ?.deliver({ raw: Buffer.from(letter(subject)) });
  /** Gives the scout its settings again, with a grant that was typed in anew where there is one. */
  const reconnect = async (refreshToken = grant) => {
    const kept = (await settings.open(scout, imapSettings)).reveal();
    const again = { ...kept, given: { ...kept.given, refreshToken } };
    const reached = await begin().settings.verify(scout, new Transient(again));
    const facts = new Transient({ given: again.given, ...(reached.own && { own: reached.own.reveal() }) });
    const now = await scouts.get(scout.userId, scout.scoutId);
    const sealed = await settings.seal(scout, facts);
    await scouts.noteConnected(now, { address: "blinded", cursor, sealedSettings: sealed, dueAtMs: 0, nowMs: 0 });
  };
  return { server, provider, connector, begin, ledger, accessTokens, verify, reconnect, cursor, time, deliver };
}

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "no failure",
    (error: unknown) => (isScoutsError(error) ? error.code : `another error: ${error}`),
  );

describe("a grant in place of a password (XOAUTH2)", () => {
  test("an access token is asked for with the grant, once for all connections while it lasts", async () => {
    const { server, provider, connector, cursor, deliver } = await withGrant();
    deliver("one");
    expect((await connector.listNew(scout, { cursor })).refs).toHaveLength(1);
    await connector.close();
    expect((await connector.listNew(scout, { cursor })).refs).toHaveLength(1);
    expect(provider.asked).toHaveLength(1);
    expect(Object.fromEntries(provider.asked[0] ?? [])).toEqual({
      grant_type: "refresh_token",
      refresh_token: grant,
      client_id: "a client",
    });
    expect(server.seen().some(({ name }) => name === "LOGIN")).toBe(false);
  });

  test("one that is about to expire is asked for anew before it is used", async () => {
    const { provider, connector, cursor, time } = await withGrant();
    await connector.close();
    time.aheadMs = 3_600_000 - 59_000;
    await connector.listNew(scout, { cursor });
    expect(provider.asked).toHaveLength(2);
  });

  test("nothing is lost when it is taken back before its time, in the middle of the work", async () => {
    const { server, provider, connector, accessTokens, cursor, deliver } = await withGrant();
    deliver("one");
    deliver("two");
    const [first, second] = (await connector.listNew(scout, { cursor })).refs;
    if (first === undefined || second === undefined) throw new Error("not listed");
    expect((await connector.fetchContent(scout, first)).subject.reveal()).toBe("one");
    // The provider's doing: tokens end, and with them the connections that were opened with them.
    accessTokens.clear();
    server.faults.arm({ kind: "dropsBefore" }, { times: 1 });
    expect((await connector.fetchContent(scout, second)).subject.reveal()).toBe("two");
    expect(provider.asked).toHaveLength(2);
  });

  test("a grant that is withdrawn switches the scout off and asks for it; while adding it is what was typed wrong", async () => {
    const { provider, connector, accessTokens, verify, cursor } = await withGrant();
    await connector.close();
    accessTokens.clear();
    provider.answers = {
      status: 400,
      body: { error: "invalid_grant", error_description: "revoked for ada@example.com" },
    };
    const error = await connector.listNew(scout, { cursor }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "reauth" });
    expect(JSON.stringify(error)).not.toContain("ada@");
    expect(outcomeOf(error, 0)).toEqual({ kind: "disable", code: "reauth" });
    expect(await codeOf(verify())).toBe("source_credentials_refused");
  });

  test("a fresh token that the server does not take either is access that was withdrawn, and no loop", async () => {
    const { server, provider, connector, cursor } = await withGrant();
    await connector.close();
    server.faults.arm(
      { kind: "answers", line: "NO [AUTHENTICATIONFAILED] Invalid credentials" },
      { command: "AUTHENTICATE" },
    );
    expect(await codeOf(connector.listNew(scout, { cursor }))).toBe("reauth");
    expect(provider.asked).toHaveLength(2);
  });

  test.each([
    ["the time as text, and null for no new grant", { expires_in: "3599", refresh_token: null }],
    ["no time, and nothing for no new grant", { expires_in: null, refresh_token: "" }],
    ["a time that is none", { expires_in: "soon" }],
  ])("a token is taken from an answer that tells %s", async (_, others) => {
    const { provider, accessTokens, verify } = await withGrant();
    provider.answers = { status: 200, body: { access_token: "the next", token_type: "Bearer", ...others } };
    accessTokens.add("the next");
    expect(await codeOf(verify())).toBe("no failure");
  });

  test.each([
    ["a provider that is down", { status: 503, body: {} }, "source_unavailable"],
    ["a provider that counts", { status: 429, body: { error: "slow_down" } }, "source_rate_limited"],
    ["a client that may not", { status: 401, body: { error: "invalid_client" } }, "source_forbidden"],
    ["an answer without a token", { status: 200, body: { hello: "there" } }, "source_unavailable"],
  ])("%s is told by a code, and passes", async (_, answers, code) => {
    const { provider, connector, cursor, time } = await withGrant();
    await connector.close();
    time.aheadMs = 2 * 3_600_000;
    provider.answers = answers;
    expect(await codeOf(connector.listNew(scout, { cursor }))).toBe(code);
    provider.answers = undefined;
    expect(await codeOf(connector.listNew(scout, { cursor }))).toBe("no failure");
  });
});

describe("a grant whose refresh token is good once", () => {
  const hourMs = 3_600_000;

  test("is followed from the first look to the next ones, by whichever function looks", async () => {
    const { provider, begin, cursor, time, deliver } = await withGrant({ rotates: true });
    deliver("one");
    for (let hour = 1; hour <= 4; hour += 1) {
      time.aheadMs += hourMs;
      expect((await begin().listNew(scout, { cursor })).refs, `hour ${hour}`).toHaveLength(1);
    }
    expect(provider.asked).toHaveLength(5);
  });

  test("is spent by one of several functions that look at once; the others use what that one was given", async () => {
    const { provider, begin, cursor, time, deliver } = await withGrant({ rotates: true });
    deliver("one");
    time.aheadMs += hourMs;
    const looks = await Promise.all([1, 2, 3, 4].map(() => begin().listNew(scout, { cursor })));
    expect(looks.map(({ refs }) => refs.length)).toEqual([1, 1, 1, 1]);
    expect(provider.asked).toHaveLength(2);
  });

  test("goes on when the scout is reconnected, with the same grant or with a new one", async () => {
    const { provider, begin, cursor, time, reconnect } = await withGrant({ rotates: true });
    time.aheadMs += hourMs;
    await begin().listNew(scout, { cursor });
    await reconnect();
    time.aheadMs += hourMs;
    await begin().listNew(scout, { cursor });
    provider.current = "a new grant";
    await reconnect("a new grant");
    time.aheadMs += hourMs;
    await begin().listNew(scout, { cursor });
    time.aheadMs += hourMs;
    expect(await codeOf(begin().listNew(scout, { cursor }))).toBe("no failure");
  });

  test("is lost with a function that dies between the answer and the write: the scout asks for it", async () => {
    const { ledger, begin, cursor, time, reconnect, provider } = await withGrant({ rotates: true });
    time.aheadMs += hourMs;
    const { update } = ledger;
    // From the write of the answer on, nothing the function asks for happens any more.
    let isDead = false;
    ledger.update = async (...[key, change, when]: Parameters<typeof update>) => {
      isDead ||= change.set?.some(([[name]]) => name === "sealedGrant") === true;
      if (isDead) throw new Error("the function is dead");
      return update.call(ledger, key, change, when);
    };
    await expect(begin().listNew(scout, { cursor })).rejects.toThrow();
    ledger.update = update;
    time.aheadMs += 60_000;
    const error = await begin()
      .listNew(scout, { cursor })
      .catch((thrown: unknown) => thrown);
    expect(outcomeOf(error, 0)).toEqual({ kind: "disable", code: "reauth" });
    provider.current = "a new grant";
    await reconnect("a new grant");
    expect(await codeOf(begin().listNew(scout, { cursor }))).toBe("no failure");
  });

  test("is sealed: nothing of it is found at rest", async () => {
    const { ledger, begin, cursor, time, provider } = await withGrant({ rotates: true });
    time.aheadMs += hourMs;
    await begin().listNew(scout, { cursor });
    for (const secret of [grant, provider.current, "access 1", "access 2"]) {
      expect(ledger.everWritten()).not.toContain(secret);
    }
  });
});
