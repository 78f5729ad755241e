import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ledgerKey } from "../../../../shared/keys.ts";
import { systemAfter } from "../../../../shared/ports/clock.ts";
import { parseKeyRing } from "../../../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../../../shared/privacy/ring-sealer.ts";
import { Transient } from "../../../../shared/privacy/transient.ts";
import { GmailCredentials } from "../../../../shared/scouts/connectors/gmail/credentials.ts";
import { readonlyScope } from "../../../../shared/scouts/connectors/gmail/oauth.ts";
import { sealingContext } from "../../../../shared/scouts/scout-row.ts";
import type { MemoryTable } from "../../../memory/table.ts";
import { ada, inbox, newLedger } from "../setting.ts";

const of = { userId: ada, scoutId: inbox };
/** The scout's row before, while and after it is connected to another mailbox. */
const onOld = { ...of, address: "old" };
const moving = { ...of, address: "new", formerAddress: "old" };
const onNew = { ...of, address: "new" };
const hourMs = 3_600_000;
const ring = parseKeyRing(JSON.stringify({ keys: [{ kid: "k", key: Buffer.alloc(32, 9).toString("base64") }] }));
const vault = async () => new RingSealer(ring);

let server: Server;
let tokenUrl: string;
/** Called while the token endpoint answers. */
let meanwhile: () => Promise<void>;
let refreshed: number;
/** Whether it then says that the grant has ended. */
let isEnded: boolean;
let ledger: MemoryTable;
let nowMs: number;

/** Issues `fresh-{n} of {refresh token}`. */
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = new URLSearchParams((await request.toArray()).join(""));
    await meanwhile();
    if (isEnded) return void response.writeHead(400).end(JSON.stringify({ error: "invalid_grant" }));
    refreshed += 1;
    const token = { access_token: `fresh-${refreshed} of ${body.get("refresh_token")}`, expires_in: 3600 };
    response.setHeader("content-type", "application/json").end(JSON.stringify({ ...token, scope: readonlyScope }));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  tokenUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
});

afterAll(() => {
  server.close();
});

beforeEach(() => {
  ledger = newLedger();
  nowMs = Date.UTC(2026, 10, 20);
  refreshed = 0;
  isEnded = false;
  meanwhile = async () => {};
});

/** What one process keeps in memory. */
const newProcess = () =>
  new GmailCredentials(ledger, vault, { clientId: "c", clientSecret: "s", tokenUrl }, () => nowMs, systemAfter);

const grant = (name: string) => ({
  accessToken: new Transient(`access ${name}`),
  refreshToken: new Transient(`refresh ${name}`),
  expiresInSeconds: 3600,
  scopes: [readonlyScope],
});
const token = async (process: GmailCredentials, scout: Parameters<GmailCredentials["accessToken"]>[0]) =>
  (await process.accessToken(scout)).reveal();
const connected = async () => {
  await newProcess().store(onOld, grant("old"));
  const warm = newProcess();
  expect(await token(warm, onOld)).toBe("access old");
  return warm;
};

describe("a scout that was connected to another mailbox", () => {
  test("is read there by a process that has the old mailbox's token in memory", async () => {
    const warm = await connected();
    await newProcess().store(moving, grant("new"));
    expect(await token(warm, moving)).toBe("access new");
    expect(await token(warm, onNew)).toBe("access new");
  });

  test("is read at the old mailbox, with its token, by whoever still holds the old row: warm or cold", async () => {
    const warm = await connected();
    await newProcess().store(moving, grant("new"));
    expect(await token(warm, onOld)).toBe("access old");
    expect(await token(newProcess(), onOld)).toBe("access old");
    nowMs += hourMs;
    expect(await token(newProcess(), onOld)).toBe("fresh-1 of refresh old");
    expect(await token(newProcess(), moving)).toBe("fresh-2 of refresh new");
    expect(await token(newProcess(), onOld), "kept for the watch there").toBe("fresh-1 of refresh old");
  });

  test("keeps no access to a mailbox it has left", async () => {
    await connected();
    await newProcess().store(moving, grant("new"));
    nowMs += hourMs;
    await newProcess().accessToken(onNew);
    await expect(newProcess().accessToken(onOld)).rejects.toMatchObject({ code: "source_unavailable" });
    expect(await token(newProcess(), onNew)).toBe("fresh-1 of refresh new");
  });

  test("and back again has one access to each", async () => {
    await connected();
    await newProcess().store(moving, grant("new"));
    await newProcess().store({ ...of, address: "old", formerAddress: "new" }, grant("old again"));
    expect(await token(newProcess(), onOld)).toBe("access old again");
    expect(await token(newProcess(), onNew)).toBe("access new");
  });

  test("keeps the new token when the old one's refresh ends just then", async () => {
    const warm = await connected();
    nowMs += hourMs;
    meanwhile = async () => {
      meanwhile = async () => {};
      await newProcess().store(moving, grant("new"));
    };
    expect(await token(warm, onOld)).toBe("fresh-1 of refresh old");
    expect(await token(newProcess(), onNew)).toBe("access new");
  });
});

describe("a scout that was connected anew to its mailbox", () => {
  test("keeps the new consent's token when a refresh of the old one ends just then", async () => {
    const warm = await connected();
    nowMs += hourMs;
    meanwhile = async () => {
      meanwhile = async () => {};
      await newProcess().store({ ...onOld, formerAddress: "old" }, grant("anew"));
    };
    await warm.accessToken(onOld);
    expect((await newProcess().refreshToken(onOld)).reveal()).toBe("refresh anew");
  });
});

test("a grant that has ended because its owner connected anew just then is followed by theirs", async () => {
  const warm = await connected();
  nowMs += hourMs;
  isEnded = true;
  meanwhile = () => newProcess().store({ ...onOld, formerAddress: "old" }, grant("anew"));
  expect(await token(warm, onOld)).toBe("access anew");
});

test("a refresh that ends after the scout was deleted leaves no token behind", async () => {
  const warm = await connected();
  nowMs += hourMs;
  meanwhile = async () => void (await ledger.delete(ledgerKey.vault(ada, inbox)));
  await warm.accessToken(onOld);
  expect(ledger.peek(ledgerKey.vault(ada, inbox))).toBeUndefined();
});

test("a row of before addresses were kept is used, and stays of use when the mailbox changes", async () => {
  const row = { refreshToken: "refresh older", accessToken: "access older", expiresAt: nowMs + hourMs, scopes: [] };
  const sealed = await (await vault()).seal(new Transient(JSON.stringify(row)), sealingContext(of, "vault"));
  await ledger.put({ ...ledgerKey.vault(ada, inbox), sealed });
  expect(await token(newProcess(), onOld)).toBe("access older");
  await newProcess().store(moving, grant("new"));
  expect(await token(newProcess(), moving)).toBe("access new");
  expect(await token(newProcess(), onOld)).toBe("access older");
});

test("a refused token is fetched anew, once for all who ask", async () => {
  const warm = await connected();
  await warm.refused(onOld);
  expect(await Promise.all([token(warm, onOld), token(warm, onOld)])).toEqual(Array(2).fill("fresh-1 of refresh old"));
});
