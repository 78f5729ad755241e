import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { readEnvironment } from "../../cli/environment.ts";
import { runCommand } from "../../cli/program.ts";
import { untilIdle } from "../../cli/up/drain.ts";
import { type LocalSystem, startSystem } from "../../cli/up/system.ts";
import { spamListResponse } from "../../events/http/items.ts";
import { scoutResponse } from "../../events/http/scouts.ts";
import { sourceSees } from "../../events/sources/sees.ts";
import { type Feeds, startFeeds } from "../../infra/standins/feeds/start.ts";
import { Screen } from "../device/screen.ts";
import { newId } from "../memory/chance.ts";
import { quick } from "../rounds.ts";
import { ownFolder } from "./folders.ts";
import { upTo, writeMail } from "./mail.ts";
import { relevant, type ScriptedModel, startScriptedModel } from "./scripted-model.ts";

const folder = ownFolder();
const data = join(folder.path, "data");
const open: Feeds[] = [];
let model: ScriptedModel;
let system: LocalSystem;

beforeAll(async () => {
  model = await startScriptedModel(() => relevant());
  system = await startSystem({
    dataFolder: data,
    mailboxPath: join(import.meta.dirname, "../../infra/standins/sample-mailbox"),
    environment: model.environment,
    // What fails is tried again soon, so that what it ends as is seen soon.
    home: { backOffMs: () => 50 },
    signal: new AbortController().signal,
    now: Date.now,
    newId,
  });
}, 240_000);
afterAll(async () => {
  await system?.stop();
  await model?.close();
  for (const feeds of open) await feeds.close();
  folder.remove();
});

/** A feed that no other test knows, with so many items. */
async function feedWith(items: number): Promise<Feeds> {
  const feeds = await startFeeds();
  open.push(feeds);
  for (let item = 1; item <= items; item += 1) feeds.publish({ guid: `article ${item}` });
  return feeds;
}

/** One `scouts …` in this process, with what is piped into it. */
async function scouts(words: string[], input: { stdin?: string; variables?: Record<string, string> } = {}) {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
  const stdin = (async function* () {
    if (input.stdin !== undefined) yield input.stdin;
  })();
  const secrets = { stdin, variable: (name: string) => input.variables?.[name] };
  const context = { io, environment: readEnvironment({}), secrets, workingFolder: folder.path, now: Date.now, newId };
  const code = await runCommand([...words, "--data", data], context, "1.2.3");
  return { code, stdout: stdout.written, stderr: stderr.written };
}

const added = z.strictObject({ scoutId: z.string(), name: z.string(), source: z.string(), sees: sourceSees });
const failure = z.looseObject({ success: z.literal(false), code: z.string(), message: z.string() });
const listed = async () => z.array(scoutResponse).parse(JSON.parse((await scouts(["list", "--json"])).stdout));
const names = async () => (await listed()).map(({ name }) => name);

async function addJson(words: string[]): Promise<z.infer<typeof added>> {
  const { code, stdout, stderr } = await scouts(["add", ...words, "--json"]);
  expect([code, stderr]).toEqual([0, ""]);
  return added.parse(JSON.parse(stdout));
}

/** As soon as the device has stored so many proposals of a scout. */
function proposalsOf(scoutId: string, count: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () => {
    if (proposedBy(scoutId) >= count) resolve();
  };
  system.device.events.on("proposal", look);
  look();
  return promise.finally(() => system.device.events.off("proposal", look));
}

const proposedBy = (scoutId: string) => system.store.proposals.list().filter((each) => each.scoutId === scoutId).length;

describe("adding a feed", () => {
  test("says what the scout sees, and its items are proposed", async () => {
    const made = await addJson(["feed", (await feedWith(3)).feedUrl(), "--name", "News"]);
    expect(made).toMatchObject({ name: "News", source: "feed", sees: { place: "The feed", items: 3, push: "never" } });
    await proposalsOf(made.scoutId, 3);
  });

  test("a second scout on the same source is not made, and the first is named", async () => {
    const feeds = await feedWith(1);
    await addJson(["feed", feeds.feedUrl(), "--name", "Gazette"]);
    const before = await names();
    const { code, stdout, stderr } = await scouts(["add", "feed", feeds.feedUrl(), "--json"]);
    const line = /^scouts: Gazette reads this source already.*\(source_in_use\)\n$/;
    expect([code, stderr]).toEqual([5, expect.stringMatching(line)]);
    expect(failure.parse(JSON.parse(stdout))).toMatchObject({ code: "source_in_use" });
    expect(await names()).toEqual(before);
  });

  test("several are sources like any other, called after their titles until they are told otherwise", async () => {
    const { code, stdout } = await scouts(["add", "feed", (await feedWith(1)).feedUrl("/atom.xml")]);
    expect(code).toBe(0);
    const name = /^added {2}(The feed(?: \d+)?) \(feed\)\nIt sees: The feed, 1 item; polling every 15 minutes\.\n/.exec(
      stdout,
    );
    const edit = async (scout: string, ...words: string[]) =>
      expect(await scouts(["edit", scout, ...words])).toMatchObject({ code: 0, stderr: "" });
    await edit(name?.[1] ?? "", "--name", "Elsewhere", "--pause-after-days", "30");
    expect(await listed()).toContainEqual(expect.objectContaining({ name: "Elsewhere", pauseAfterDays: 30 }));
    await edit("Elsewhere", "--pause-after-days", "default");
    expect(await listed()).toContainEqual(expect.objectContaining({ name: "Elsewhere", pauseAfterDays: 14 }));
    await addJson(["feed", (await feedWith(1)).feedUrl(), "--name", "Third"]);
    expect(await scouts(["edit", "Third", "--name", "elsewhere"])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("(scout_exists)"),
    });
  });

  test("one that has gone switches its scout off, and coming back it is reconnected; nothing is proposed twice", async () => {
    const feeds = await feedWith(1);
    const { scoutId } = await addJson(["feed", feeds.feedUrl(), "--name", "Wanderer"]);
    await proposalsOf(scoutId, 1);
    const disarm = feeds.arm({ kind: "status", status: 410 });
    await scouts(["run", "Wanderer"]);
    await system.home.whenIdle(new AbortController().signal);
    expect((await scouts(["list"])).stdout).toMatch(/Wanderer .*its source is gone for good/);
    const gone = { code: 1, stderr: expect.stringContaining("(source_gone)") };
    expect(await scouts(["reconnect", "Wanderer"])).toMatchObject(gone);
    disarm();
    feeds.publish({ guid: "after" });
    expect(await scouts(["reconnect", "Wanderer"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^reconnected {2}Wanderer\nIt sees: The feed, 2 items/),
    });
    await proposalsOf(scoutId, 2);
    await system.home.whenIdle(new AbortController().signal);
    expect(proposedBy(scoutId)).toBe(2);
  });

  test.each([
    ["nobody answers there", ["add", "feed", "http://127.0.0.1:9/feed.xml"], 1, "source_unavailable"],
    ["no web address", ["add", "feed", "ftp://example.org/feed"], 2, "usage"],
    ["a password in the address", ["add", "feed", "https://ada:secret@example.org/feed"], 2, "usage"],
    ["an empty purpose", ["add", "feed", "https://example.org/feed", "--purpose", " "], 2, "usage"],
    ["a purpose without end", ["add", "feed", "https://example.org/feed", "--purpose", "a".repeat(501)], 2, "usage"],
    ["a name that is taken", ["add", "feed", "https://example.org/feed", "--name", "inbox"], 5, "scout_exists"],
    ["a source nobody knows", ["add", "pigeon", "--loft", "7"], 2, "source_unknown"],
    ["no source", ["add"], 2, "source_unknown"],
  ])("is refused with a code, and nothing is left: %s", async (_, words, exitCode, errorCode) => {
    const before = await names();
    const { code, stderr } = await scouts(words);
    expect([code, stderr]).toEqual([exitCode, expect.stringContaining(`(${errorCode})\n`)]);
    expect(stderr).not.toContain("secret");
    expect(await names()).toEqual(before);
  });

  test("why nobody answers is said", async () => {
    const refused = await scouts(["add", "feed", "http://127.0.0.1:9/feed.xml"]);
    expect(refused.stderr).toMatch(/Nothing takes connections at this port .*\(source_unavailable\)\n$/);
    const feeds = await feedWith(1);
    const missing = await scouts(["add", "feed", new URL("/nowhere.xml", feeds.feedUrl()).href]);
    expect(missing.stderr).toMatch(/There is nothing at this address \(404\).*\(source_unavailable\)\n$/);
    for (const [status, said] of [
      [403, /denies reading at this address \(403\).*\(source_unavailable\)\n$/],
      [401, /asks for a password \(401\), and feeds are read without one; .*\(source_wants_password\)\n$/],
      [410, /gone for good \(410\); add it where it is now.*\(source_gone\)\n$/],
      [502, /answers with an error \(502\).*\(source_unavailable\)\n$/],
    ] as const) {
      const disarm = feeds.arm({ kind: "status", status });
      expect((await scouts(["add", "feed", feeds.feedUrl()])).stderr).toMatch(said);
      disarm();
    }
  });

  test("a source nobody knows is answered with those there are", async () => {
    expect((await scouts(["add", "pigeon"])).stderr).toMatch(
      /no source called pigeon\. There are: gmail, imap, feed, mailbox/,
    );
  });
});

describe("adding a mailbox", () => {
  const mailIn = (name: string, count: number) => {
    const path = join(folder.path, name);
    mkdirSync(path);
    writeMail(path, upTo(count));
    return path;
  };

  test("its mail is proposed, and what comes later as well, without anybody asking", async () => {
    const path = mailIn("archive", 3);
    const made = await addJson(["mailbox", path]);
    expect(made).toMatchObject({
      name: "archive",
      source: "mailbox",
      // It watches as soon as it has looked for the first time, which may be before it is asked.
      sees: { place: path, items: 3, push: expect.stringMatching(/^(on|soon)$/) },
    });
    await proposalsOf(made.scoutId, 3);
    const late = "From: Ada <ada@mail.example>\r\nSubject: Arrived later\r\n\r\nHello\r\n";
    writeFileSync(join(path, "late.eml"), late);
    await proposalsOf(made.scoutId, 4);
    expect(system.store.proposals.list().map(({ rawSubject }) => rawSubject)).toContain("Arrived later");
  });

  test("the home's own mailbox is none of them, however it is named: its scout would propose everything twice", async () => {
    const own = join(import.meta.dirname, "../../infra/standins/sample-mailbox");
    symlinkSync(own, join(folder.path, "own"));
    const before = await names();
    for (const path of [own, join(folder.path, "own")]) {
      const { code, stderr } = await scouts(["add", "mailbox", path]);
      const line = "scouts: Inbox reads this source already; two would propose everything twice. (source_in_use)\n";
      expect([code, stderr]).toEqual([5, line]);
    }
    expect(await names()).toEqual(before);
  });

  test("a second is a source like the first; one on the same files, however they are named, is not made", async () => {
    const path = mailIn("second", 1);
    symlinkSync(path, join(folder.path, "linked"));
    await proposalsOf((await addJson(["mailbox", path])).scoutId, 1);
    const before = await names();
    for (const same of [path, "linked", `${path}/../second`]) {
      expect(await scouts(["add", "mailbox", same])).toMatchObject({
        code: 5,
        stderr: expect.stringMatching(/second reads this source already.*\(source_in_use\)\n$/),
      });
    }
    expect(await names()).toEqual(before);
  });

  test.skipIf(quick)("one that is empty is added, and what comes first is proposed", async () => {
    const path = join(folder.path, "fresh");
    for (const each of ["cur", "new", "tmp"]) mkdirSync(join(path, each), { recursive: true });
    const { scoutId, sees } = await addJson(["mailbox", path]);
    expect(sees).toMatchObject({ items: 0 });
    writeFileSync(join(path, "new", "1.a.host"), "From: Ada <ada@mail.example>\r\nSubject: First\r\n\r\nHello\r\n");
    await proposalsOf(scoutId, 1);
  });

  test.skipIf(quick)("one whose files vanish says so in its health, and goes on when they are back", async () => {
    const path = mailIn("wandering", 1);
    const { scoutId } = await addJson(["mailbox", path]);
    await proposalsOf(scoutId, 1);
    renameSync(path, `${path}-away`);
    await scouts(["run", "wandering"]);
    await system.home.whenIdle(new AbortController().signal);
    expect((await scouts(["health", "wandering"])).stdout).toContain("source_path_missing");
    expect((await scouts(["show", "wandering"])).stdout).toContain("nothing at this path");
    renameSync(`${path}-away`, path);
    expect(await scouts(["reconnect", "wandering"])).toMatchObject({ code: 0, stderr: "" });
    writeFileSync(join(path, "back.eml"), "From: Ada <ada@mail.example>\r\nSubject: Back\r\n\r\nHello\r\n");
    await proposalsOf(scoutId, 2);
  });

  test("what its runs have found is listed, by name and with all others", async () => {
    const path = mailIn("logged", 2);
    const { scoutId } = await addJson(["mailbox", path]);
    await proposalsOf(scoutId, 2);
    const shown = z.array(
      z.looseObject({
        name: z.string(),
        source: z.string(),
        outcome: z.string(),
        found: z.object({ of: z.literal("items"), items: z.number() }),
      }),
    );
    const ofOne = shown.parse(JSON.parse((await scouts(["runs", "logged", "--json"])).stdout));
    expect(ofOne.length).toBeGreaterThan(0);
    expect(ofOne.every(({ name, source }) => name === "logged" && source === "mailbox")).toBe(true);
    const all = shown.parse(JSON.parse((await scouts(["runs", "--json"])).stdout));
    expect(all).toEqual(expect.arrayContaining(ofOne));
    expect((await scouts(["runs", "logged"])).stdout).toMatch(/logged +mailbox +completed +\d items?/);
    expect((await scouts(["runs", "logged", "--limit", "1"])).stdout).toContain("These are the newest 1; older ones");
    expect(await scouts(["runs", "--run", "none"])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("(item_unknown)"),
    });
  });

  test("with its scout what the machine keeps of it goes; the files stay", async () => {
    const path = mailIn("passing", 1);
    await proposalsOf((await addJson(["mailbox", path])).scoutId, 1);
    const kept = () => readdirSync(join(data, "world", "mailboxes")).length;
    const before = kept();
    expect(await scouts(["remove", "passing", "--yes"])).toMatchObject({ code: 0, stderr: "" });
    expect(kept()).toBe(before - 1);
    expect(readdirSync(path)).toHaveLength(1);
  });

  test.each([
    ["source_path_missing", "nothing is there", () => join(folder.path, "nowhere")],
    ["source_path_empty", "no mail is there", () => mailIn("empty", 0)],
    [
      "source_path_no_mail",
      "what is there is no mail",
      () => {
        const path = join(folder.path, "accounts");
        writeFileSync(path, "root:x:0:0:root:/root:/bin/bash\n");
        return path;
      },
    ],
  ])("is refused as %s, and nothing is left: %s", async (code, _, path) => {
    const before = await names();
    expect(await scouts(["add", "mailbox", path()])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`(${code})`),
    });
    expect(await names()).toEqual(before);
  });
});

describe("muting a sender", () => {
  const letter = (subject: string) => `From: Offers <offers@shop.example>\r\nSubject: ${subject}\r\n\r\nHello\r\n`;

  test.skipIf(quick)(
    "what they send is dismissed as muted without asking the model, comes back, and is heard again when that ends",
    async () => {
      const path = join(folder.path, "letters");
      mkdirSync(path);
      writeFileSync(join(path, "1.eml"), letter("Before"));
      const { scoutId } = await addJson(["mailbox", path]);
      await proposalsOf(scoutId, 1);
      const muting = ["mute", "Offers <OFFERS@shop.example>", "--scout", "letters"];
      expect(await scouts(muting)).toMatchObject({ code: 0, stdout: "muted  offers@shop.example (letters)\n" });
      await untilIdle(system, new AbortController().signal);
      const asked = model.requests();
      writeFileSync(join(path, "2.eml"), letter("While muted"));
      const spam = async () => {
        // The files' own news come up to a second later.
        await system.world.mailboxes.whenAllArrived();
        await scouts(["run", "letters"]);
        await system.home.whenIdle(new AbortController().signal);
        return spamListResponse.shape.items.parse(JSON.parse((await scouts(["spam", "letters", "--json"])).stdout));
      };
      const [dismissed, ...more] = await spam();
      expect([dismissed, more]).toMatchObject([
        { reasonCode: "muted", confidence: 1, trashedAt: null, keptBecause: null },
        [],
      ]);
      expect(model.requests()).toBe(asked);
      expect((await scouts(["spam", "letters"])).stdout).toContain("muted");

      expect((await scouts(["restore", dismissed?.ref ?? ""])).code).toBe(0);
      await proposalsOf(scoutId, 2);
      // Again, by how its ref begins: it is a proposal by now, and dismissed no longer.
      expect(await scouts(["restore", dismissed?.ref.slice(0, -1) ?? ""])).toMatchObject({
        code: 0,
        stdout: `restored  ${dismissed?.ref}\n`,
      });
      const other = system.store.proposals
        .list({ scoutId })
        .find(({ sourceMsgRef }) => sourceMsgRef !== dismissed?.ref);
      expect(await scouts(["restore", other?.sourceMsgRef ?? ""])).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/was not dismissed: it is among your proposals.*\(item_unknown\)/u),
      });
      expect(await scouts([...muting, "--undo"])).toMatchObject({
        code: 0,
        stdout: "heard again  offers@shop.example (letters)\n",
      });
      writeFileSync(join(path, "3.eml"), letter("Heard again"));
      await proposalsOf(scoutId, 3);
      expect(await spam()).toEqual([]);
    },
  );

  test.each([
    ["no address", ["mute", "Ada"], 2, "usage"],
    ["a scout there is not", ["mute", "ada@mail.example", "--scout", "Nobody"], 3, "scout_unknown"],
  ])("is refused with a code: %s", async (_, words, exitCode, errorCode) => {
    const { code, stderr } = await scouts(words);
    expect([code, stderr]).toEqual([exitCode, expect.stringContaining(`(${errorCode})\n`)]);
  });
});

describe("adding a mail account", () => {
  test("a second scout on the mailbox that is consented to is not made", async () => {
    const before = await names();
    const { code, stderr } = await scouts(["add", "gmail"]);
    expect([code, stderr]).toEqual([5, expect.stringMatching(/Inbox reads this source already.*\(source_in_use\)\n$/)]);
    expect(await names()).toEqual(before);
  });

  test("a refused consent leaves no scout behind", async () => {
    const before = await names();
    system.world.mailbox.setConsent(() => "denied");
    const { code, stderr } = await scouts(["add", "gmail", "--name", "Refused"]);
    system.world.mailbox.setConsent((asked) => asked);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/\(consent_refused\)\n$/)]);
    expect(await names()).toEqual(before);
  });

  test.each([
    ["no way to sign in", ["--user", "ada"], {}],
    ["an empty standard input", ["--user", "ada", "--password-stdin"], {}],
    ["a variable that is not set", ["--user", "ada", "--password-env", "NONE"], {}],
    ["a grant that is none", ["--user", "ada", "--oauth"], { stdin: '{"refreshToken": "hunter2"}' }],
  ])("IMAP without a usable secret is refused before anything is reached: %s", async (_, words, input) => {
    const { code, stdout, stderr } = await scouts(["add", "imap", "--host", "127.0.0.1", ...words, "--json"], input);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/\(usage\)\n$/)]);
    expect(stdout + stderr).not.toContain("hunter2");
  });
});
