import { afterEach, describe, expect, test } from "vitest";
import { askCloud } from "../../device/connect/cloud-api.ts";
import type { StoredProposal } from "../../device/store/schema.ts";
import { createdScoutResponse } from "../../events/http/scouts.ts";
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
async function listening(options: ImapOptions = {}, after = systemAfter) {
  const { server, deliver } = await mailServer(options);
  const mailListener = await startMailListener({ dial: { reach: "any" }, after });
  opened.push(mailListener.close);
  let told = 0;
  const waiting = new Set<{ count: number; resolve: () => void }>();
  mailListener.onNews(async () => {
    told += 1;
    for (const each of waiting) if (told >= each.count) each.resolve();
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

  test("the address of somebody who does not know the secret is answered by nobody", async () => {
    const { mailListener, server } = await listening();
    const guessed = new URL("/guess", mailListener.url).href;
    const access = { host: "127.0.0.1", port: server.port, tls: "none" as const, user, folders: ["INBOX"], refKey: "" };
    expect(await new Listener(guessed).ask(scout, access, { pass: password })).toBe(false);
  });
});

test("mail at a server is proposed when it comes, without a poll", async () => {
  const { server, deliver } = await mailServer();
  const model = await startScriptedModel(() => relevant());
  opened.push(model.close);
  const running = await startCanarySystem(writeCanaryMail, { environment: model.environment });
  opened.push(running.remove);
  const { system } = running;
  const settings = { host: "127.0.0.1", port: server.port, tls: "none", user, password };
  const body = { sourceType: "imap", name: "Post", purpose: "What matters?", settings };
  await askCloud(system.api, "POST", "/api/v1/scouts", createdScoutResponse, body);
  const arrived = Promise.withResolvers<StoredProposal>();
  system.device.events.on("proposal", (each) => {
    if (each.sourceType === "imap") arrived.resolve(each);
  });
  await server.whenSeen("IDLE");
  deliver("news");
  expect((await arrived.promise).rawSubject).toBe("news");
});
