import { afterEach, describe, expect, test, vi } from "vitest";
import { askCloud } from "../../device/connect/cloud-api.ts";
import { removeScout } from "../../device/sources/remove-source.ts";
import type { StoredProposal } from "../../device/store/schema.ts";
import { createdScoutResponse, seesResponse } from "../../events/http/scouts.ts";
import { scoutId } from "../../events/ids.ts";
import { startMailListener } from "../../infra/local/world/mail-listener.ts";
import type { ImapOptions } from "../../infra/standins/imap/imap.ts";
import { startImap } from "../../infra/standins/imap/start.ts";
import { type After, systemAfter } from "../../shared/ports/clock.ts";
import { Listener } from "../../shared/scouts/connectors/imap/listener.ts";
import { scoutAtSource as scout } from "../contract/connector-fixtures.ts";
import { relevant, startScriptedModel } from "../e2e/scripted-model.ts";
import { writeCanaryMail } from "../privacy/canary-mail.ts";
import { startCanarySystem } from "../privacy/canary-system.ts";
import { quick } from "../rounds.ts";
import { letter } from "./scripted-imap.ts";

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const user = "ada@example.com";
const password = "secret";

async function mailServer(options: ImapOptions = {}) {
  const server = await startImap({ ...options, users: [{ user, password }] });
  opened.push(server.close);
  const deliver = (subject: string) =>
    server
      .account()
      .find("INBOX")
      ?.deliver({ raw: Buffer.from(letter(subject)) });
  return { server, deliver };
}

/** Somebody who listens, and each word of news they had. */
async function listening(options: ImapOptions = {}, after = systemAfter, looks = true) {
  const { server, deliver } = await mailServer(options);
  const mailListener = await startMailListener({ dial: { reach: "any" }, after });
  opened.push(mailListener.close);
  let told = 0;
  const waiting = new Set<{ count: number; resolve: () => void }>();
  mailListener.onNews(async () => {
    told += 1;
    for (const each of waiting) if (told >= each.count) each.resolve();
    return looks;
  });
  /** Resolves once so much has been told in all. */
  const toldOf = (count: number) => {
    if (told >= count) return Promise.resolve();
    return new Promise<void>((resolve) => waiting.add({ count, resolve }));
  };
  const access = {
    host: "127.0.0.1",
    port: server.port,
    tls: "none" as const,
    user,
    folders: ["INBOX"],
    refKey: "",
  };
  const ask = (pass = password, of = scout) => new Listener(mailListener.url).ask(of, access, { pass });
  return { server, deliver, mailListener, toldOf, ask, told: () => told };
}

describe("a home that listens to a mail server (IDLE)", () => {
  test("is told when it begins, and of each message that comes; asking again changes nothing", async () => {
    const { server, deliver, toldOf, ask, mailListener } = await listening();
    expect(await ask()).toBe(true);
    await toldOf(1);
    deliver("one");
    await toldOf(2);
    expect(await ask()).toBe(true);
    deliver("two");
    await toldOf(3);
    expect(server.connections()).toBe(1);
    expect(mailListener.listening()).toEqual([scout.scoutId]);
  });

  test("P2: what came while the line was down is told of when it is up again", async () => {
    const { server, deliver, toldOf, ask } = await listening();
    await ask();
    await toldOf(1);
    // The server is restarted, and is not quite there when it is asked first.
    server.faults.arm({ kind: "greetsWithBye" }, { times: 1 });
    server.cutAll();
    deliver("while nobody listened");
    await toldOf(2);
    deliver("and then");
    await toldOf(3);
    expect(server.faults.struck("greetsWithBye")).toBe(1);
  });

  test("a server without IDLE is left alone: no connection stays open, and it is not asked again and again", async () => {
    const { server, ask, told, mailListener } = await listening({ without: ["IDLE"] });
    await ask();
    await server.whenSeen("AUTHENTICATE");
    await server.whenUnconnected();
    await ask();
    // Whoever asks behind it is heard later.
    await ask(password, { ...scout, scoutId: scoutId.parse(`${scout.scoutId.slice(0, -1)}0`) });
    await server.whenSeen("AUTHENTICATE", 2);
    await server.whenUnconnected();
    expect(mailListener.listening()).toEqual([]);
    expect(server.seen().filter(({ name }) => name === "AUTHENTICATE")).toHaveLength(2);
    expect(told()).toBe(0);
  });

  test("a password that is refused is tried once", async () => {
    const givenUp = Promise.withResolvers<void>();
    const waiting = new Set<number>();
    // The first thing that is waited for is that it lapses.
    const after: After = (delayMs) => {
      const isFirst = waiting.size === 0;
      waiting.add(delayMs);
      return () => {
        waiting.delete(delayMs);
        if (isFirst) givenUp.resolve();
      };
    };
    const { server, ask, mailListener } = await listening({}, after);
    await ask("wrong");
    await givenUp.promise;
    expect(server.seen().filter(({ name }) => name === "AUTHENTICATE")).toHaveLength(1);
    expect(mailListener.listening()).toEqual([]);
  });

  test("one that is not to be listened for any more is left at once, and its password is kept nowhere", async () => {
    const { server, ask, toldOf, mailListener } = await listening();
    await ask();
    await toldOf(1);
    const asked = new Listener(mailListener.url);
    await asked.end(scout);
    await server.whenUnconnected();
    expect(mailListener.listening()).toEqual([]);
    expect(mailListener.known()).toBe(0);
    // Nothing to end: as good.
    await asked.end(scout);
    expect(await ask()).toBe(true);
    await toldOf(2);
  });

  test("one that does not look any more is left when it is told, though a late look has asked for it", async () => {
    const { server, ask, mailListener } = await listening({}, systemAfter, false);
    await ask();
    await server.whenSeen("IDLE");
    await server.whenUnconnected();
    expect(mailListener.known()).toBe(0);
  });

  test("one whose line has ended for good is forgotten, with its password", async () => {
    const lapses: (() => void)[] = [];
    // The first thing that is waited for is that it lapses.
    const after: After = (delayMs, work) => {
      if (lapses.length > 0) return systemAfter(delayMs, work);
      lapses.push(work);
      return () => {};
    };
    const { server, ask, toldOf, mailListener } = await listening({}, after);
    await ask();
    await toldOf(1);
    lapses[0]?.();
    await server.whenUnconnected();
    expect(mailListener.known()).toBe(0);
  });

  test("news that a scout cannot be told of is reported, and the next is told all the same", async () => {
    const { server, deliver } = await mailServer();
    const mailListener = await startMailListener({ dial: { reach: "any" }, after: systemAfter });
    opened.push(mailListener.close);
    const reported = Promise.withResolvers<void>();
    const written = vi.spyOn(process.stderr, "write").mockImplementation(() => {
      reported.resolve();
      return true;
    });
    opened.push(async () => written.mockRestore());
    const toldAgain = Promise.withResolvers<void>();
    let tries = 0;
    mailListener.onNews(async () => {
      tries += 1;
      if (tries === 1) throw new RangeError("a sentence that quotes ada@example.com");
      toldAgain.resolve();
      return true;
    });
    const access = { host: "127.0.0.1", port: server.port, tls: "none" as const, user, folders: ["INBOX"], refKey: "" };
    await new Listener(mailListener.url).ask(scout, access, { pass: password });
    await reported.promise;
    deliver("the next");
    await toldAgain.promise;
    const said = written.mock.calls.map(([text]) => String(text)).join("");
    expect(said).toContain("a scout was not told: RangeError");
    expect(said).not.toContain("ada@");
  });

  test("a machine that is busy for some seconds just then is no reason to hear nothing for a quarter of an hour", async () => {
    const { ask, toldOf } = await listening();
    const asked = ask();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
    expect(await asked).toBe(true);
    await toldOf(1);
  });

  test("the address of somebody who does not know the secret is answered by nobody", async () => {
    const { mailListener, server } = await listening();
    const guessed = new URL("/guess", mailListener.url).href;
    const access = { host: "127.0.0.1", port: server.port, tls: "none" as const, user, folders: ["INBOX"], refKey: "" };
    expect(await new Listener(guessed).ask(scout, access, { pass: password })).toBe(false);
  });
});

test.skipIf(quick)(
  "on the whole product: news comes without a poll, another password takes the place of the old one, and nothing is left of who is removed",
  async () => {
    const { server, deliver } = await mailServer();
    const model = await startScriptedModel(() => relevant());
    opened.push(model.close);
    const running = await startCanarySystem(writeCanaryMail, { environment: model.environment });
    opened.push(running.remove);
    await running.loadImapWorker();
    const { system } = running;
    const settings = { host: "127.0.0.1", port: server.port, tls: "none", user, password };
    const body = { sourceType: "imap", name: "Post", purpose: "What matters?", settings };
    const { id } = await askCloud(system.api, "POST", "/api/v1/scouts", createdScoutResponse, body);
    const arrived = Promise.withResolvers<StoredProposal>();
    system.device.events.on("proposal", (each) => {
      if (each.sourceType === "imap") arrived.resolve(each);
    });
    await server.whenSeen("IDLE");
    deliver("news");
    expect((await arrived.promise).rawSubject).toBe("news");

    const listened = server.seen().filter(({ name }) => name === "IDLE").length;
    await askCloud(system.api, "POST", `/api/v1/scouts/${id}/reconnect`, seesResponse, { settings: { password } });
    await server.whenSeen("IDLE", listened + 1);
    expect(system.world.mailListener.listening()).toEqual([id]);

    await removeScout(system.api, id);
    await server.whenUnconnected();
    expect(system.world.mailListener.known()).toBe(0);
  },
);
