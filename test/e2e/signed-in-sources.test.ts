import { join } from "node:path";
import { ImapFlow } from "imapflow";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { readEnvironment } from "../../cli/environment.ts";
import { runCommand } from "../../cli/program.ts";
import { type LocalSystem, startSystem } from "../../cli/up/system.ts";
import { spamListResponse } from "../../events/http/items.ts";
import { scoutResponse } from "../../events/http/scouts.ts";
import { trialResponse } from "../../events/http/trials.ts";
import { sourceSees } from "../../events/sources/sees.ts";
import { type Feeds, startFeeds } from "../../infra/standins/feeds/start.ts";
import { startImapStandIn } from "../contract/imap-standin.ts";
import { Screen } from "../device/screen.ts";
import { newId } from "../memory/chance.ts";
import type { ImapPeer } from "../peers/imap/peer.ts";
import { visitAsOwner } from "../standins/owner.ts";
import { ownFolder } from "./folders.ts";
import { relevant, type ScriptedModel, spam, startScriptedModel } from "./scripted-model.ts";

/** The commands about sources on a data folder that is signed in to a home elsewhere, with tokens of its issuer. */
const folder = ownFolder();
const data = join(folder.path, "away");
const never = new AbortController().signal;
let model: ScriptedModel;
let system: LocalSystem;
let peer: ImapPeer;
let feeds: Feeds;
let mail: ImapFlow;

beforeAll(async () => {
  model = await startScriptedModel((prompt) => {
    const owls = /^Purpose: .*owls/m.test(prompt);
    return owls || /^Subject: Offer/m.test(prompt) ? spam() : relevant();
  });
  system = await startSystem({
    dataFolder: join(folder.path, "home"),
    mailboxPath: join(import.meta.dirname, "../../infra/standins/sample-mailbox"),
    environment: { ...model.environment, IMAP_ADDRESSES: "any" },
    signal: never,
    now: Date.now,
    newId,
  });
  peer = await startImapStandIn();
  feeds = await startFeeds();
  mail = new ImapFlow({
    host: "127.0.0.1",
    port: peer.plain,
    secure: false,
    doSTARTTLS: false,
    auth: { user: peer.user, pass: "correct horse battery" },
    logger: false,
  });
  await mail.connect();
}, 240_000);
afterAll(async () => {
  await mail?.logout();
  await system?.stop();
  await model?.close();
  await peer?.close();
  await feeds?.close();
  folder.remove();
});

/** One `scouts …` of the person who is away. Pages that are to be opened are: by them, in their browser. */
async function scouts(words: string[], stdin = "", secret = system.world.ownerSecret) {
  const stdout = new Screen();
  const opened: Promise<void>[] = [];
  const stderr = new (class extends Screen {
    override _write(chunk: Buffer, encoding: string, done: () => void): void {
      super._write(chunk, encoding, done);
      const page = /(?:^Sign in at|Open this page:)\s+(\S+)/m.exec(chunk.toString())?.[1];
      if (page !== undefined) opened.push(visitAsOwner(page, secret));
    }
  })();
  const io = { stdout, stderr, isTTY: false, color: false, signal: never };
  const secrets = {
    stdin: (async function* () {
      yield stdin;
    })(),
    variable: () => undefined,
  };
  const context = { io, environment: readEnvironment({}), secrets, workingFolder: folder.path, now: Date.now, newId };
  const code = await runCommand([...words, "--data", data], context, "1.2.3");
  await Promise.all(opened);
  return { code, stdout: stdout.written, stderr: stderr.written };
}

async function json<S extends z.ZodType>(schema: S, words: string[], stdin?: string): Promise<z.infer<S>> {
  const { code, stdout, stderr } = await scouts([...words, "--json"], stdin);
  expect([words[0], code, code === 0 ? "" : stderr]).toEqual([words[0], 0, ""]);
  return schema.parse(JSON.parse(stdout));
}

const added = z.strictObject({ scoutId: z.string(), name: z.string(), source: z.string(), sees: sourceSees });
const spamItems = z.array(spamListResponse.shape.items.element.extend({ scoutId: z.string() }));
const letter = (from: string, subject: string) =>
  `From: ${from}\r\nTo: ada@mail.example\r\nSubject: ${subject}\r\nMessage-ID: <${newId()}@x>\r\n\r\nText of ${subject}.\r\n`;
const idle = () => system.home.whenIdle(never);
const ok = async (...words: string[]) => expect(await scouts(words)).toMatchObject({ code: 0 });
/** Looks at a scout's source, and at what comes of it. */
async function run(name: string): Promise<void> {
  await ok("run", name);
  await idle();
}

test("a data folder that is signed in has every command about sources, from add to remove", async () => {
  const { code, stderr } = await scouts([
    ...["login", "--no-browser", "--api", system.home.apiUrl],
    ...["--issuer", system.world.issuer.url, "--client-id", "scouts-cli"],
  ]);
  expect([code, code === 0 ? "" : stderr]).toEqual([0, ""]);

  feeds.publish({ guid: "first", title: "First article" });
  const feed = await json(added, ["add", "feed", feeds.feedUrl()]);
  expect(feed).toMatchObject({ name: "The feed", source: "feed", sees: { items: 1 } });
  const again = await scouts(["add", "feed", feeds.feedUrl()]);
  expect([again.code, again.stderr]).toEqual([5, expect.stringContaining("The feed reads this source already")]);
  const host = ["--host", "127.0.0.1", "--port", String(peer.plain), "--tls", "none"];
  const words = ["add", "imap", ...host, "--user", peer.user, "--password-stdin", "--name", "Post"];
  expect(await json(added, words, "correct horse battery\n")).toMatchObject({ name: "Post", source: "imap" });
  await idle();

  const listed = await json(z.array(scoutResponse), ["list"]);
  expect(listed.map(({ name }) => name).sort()).toEqual(["Inbox", "Post", "The feed"]);
  expect((await scouts(["show", "Post"])).stdout).toContain(`Inbox of ${peer.user}`);
  await ok("edit", "The feed", "--name", "News", "--purpose", "What is decided about our street.");
  await ok("pause", "News");
  expect((await json(scoutResponse, ["show", "News"])).paused).toBe(true);
  await ok("resume", "News");
  await run("News");
  await idle();
  expect((await scouts(["runs", "News"])).stdout).toContain("1 item");
  expect((await scouts(["health", "News"])).stdout).toContain("state       active");

  await mail.append("INBOX", letter("Shop <offers@shop.example>", "Offer of the week"));
  await mail.append("INBOX", letter("Noor <noor@mail.example>", "Key for the shed"));
  await run("Post");
  const dismissed = await json(spamItems, ["spam", "Post"]);
  expect(dismissed.map(({ atSource }) => atSource)).toMatchObject([{ subject: "Offer of the week" }]);
  const ref = dismissed[0]?.ref ?? "";
  const opened = await scouts(["open", ref]);
  expect([opened.stdout, opened.stderr]).toEqual([expect.stringContaining("Text of Offer of the week."), ""]);
  await ok("restore", ref);
  await ok("connect", "--once");
  const { stdout: proposals } = await scouts(["proposals", "list", "--json"]);
  for (const subject of ["Offer of the week", "Key for the shed", "First article"])
    expect(proposals).toContain(subject);

  await ok("mute", "noor@mail.example", "--scout", "Post");
  await mail.append("INBOX", letter("Noor <noor@mail.example>", "Another key"));
  await run("Post");
  expect(await json(spamItems, ["spam", "Post"])).toMatchObject([{ reasonCode: "muted" }]);

  const trial = await json(trialResponse, ["try", "Post", "--purpose", "Only owls."]);
  expect(trial).toMatchObject({ total: 2, newlyDismissed: 2, failed: 0 });
  expect(trial.items.map(({ atSource }) => atSource)).toContainEqual(
    expect.objectContaining({ subject: "Offer of the week" }),
  );

  // Access that was withdrawn is given back from there: by a password, and by a consent in another browser.
  await peer.setPassword("another word");
  await run("Post");
  expect((await scouts(["list"])).stdout).toMatch(/Post .*access to its source was withdrawn/);
  const mended = await scouts(["reconnect", "Post", "--password-stdin"], "another word\n");
  expect([mended.code, mended.stdout]).toEqual([0, expect.stringContaining("reconnected  Post")]);

  system.world.mailbox.revokeGrants();
  await run("Inbox");
  await idle();
  expect((await scouts(["list"])).stdout).toMatch(/Inbox .*access to its source was withdrawn/);
  const consented = await scouts(["reconnect", "Inbox", "--print-url"]);
  expect([consented.code, consented.stdout]).toEqual([0, expect.stringContaining("reconnected  Inbox")]);
  expect((await scouts(["reconnect", "Inbox", "--device-code"])).stderr).toContain("(device_code_unsupported)");

  for (const name of ["Post", "News"]) await ok("remove", name, "--yes");
  const left = await json(z.array(scoutResponse), ["list"]);
  expect(left.map(({ name, disabledCode }) => [name, disabledCode])).toEqual([["Inbox", null]]);
}, 240_000);
