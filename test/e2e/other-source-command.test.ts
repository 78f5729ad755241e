import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { readEnvironment } from "../../cli/environment.ts";
import { runCommand } from "../../cli/program.ts";
import { type LocalSystem, startSystem } from "../../cli/up/system.ts";
import { sourceSees } from "../../events/sources/sees.ts";
import { type Feeds, startFeeds } from "../../infra/standins/feeds/start.ts";
import { Screen } from "../device/screen.ts";
import { newId } from "../memory/chance.ts";
import { ownFolder } from "./folders.ts";
import { relevant, type ScriptedModel, startScriptedModel } from "./scripted-model.ts";

/** A source for which the command line has no command: whatever the home has a connector for can be added all the same. */
const folder = ownFolder();
const data = join(folder.path, "data");
let feeds: Feeds;
let model: ScriptedModel;
let system: LocalSystem;

beforeAll(async () => {
  feeds = await startFeeds();
  for (const guid of ["one", "two"]) feeds.publish({ guid });
  model = await startScriptedModel(() => relevant());
  system = await startSystem({
    dataFolder: data,
    mailboxPath: join(import.meta.dirname, "../../infra/standins/sample-mailbox"),
    environment: { ...model.environment, FEED_ADDRESSES: "any" },
    signal: new AbortController().signal,
    now: Date.now,
    newId,
  });
}, 240_000);
afterAll(async () => {
  await system?.stop();
  await model?.close();
  await feeds?.close();
  folder.remove();
});

/** One `scouts …` in this process, with what is piped into it. */
async function scouts(words: readonly string[], piped: string) {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
  const stdin = (async function* () {
    yield piped;
  })();
  const secrets = { stdin, variable: () => undefined };
  const context = { io, environment: readEnvironment({}), secrets, workingFolder: folder.path, now: Date.now, newId };
  const code = await runCommand([...words, "--data", data], context, "1.2.3");
  return { code, stdout: stdout.written, stderr: stderr.written };
}

/** As soon as the device has stored one of a scout's. */
function proposalOf(scoutId: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () => {
    if (system.store.proposals.list().some((each) => each.scoutId === scoutId)) resolve();
  };
  system.device.events.on("proposal", look);
  look();
  return promise;
}

const added = z.object({ scoutId: z.string(), name: z.string(), source: z.string(), sees: sourceSees });
const failure = z.looseObject({ success: z.literal(false), code: z.string() });

test("its settings are given as JSON, and its scout proposes like any other", async () => {
  const settings = JSON.stringify({ url: feeds.feedUrl() });
  const { code, stdout, stderr } = await scouts(["add", "other", "feed", "--settings-stdin", "--json"], settings);
  expect([code, stderr]).toEqual([0, ""]);
  const made = added.parse(JSON.parse(stdout));
  expect(made).toMatchObject({ name: "The feed", source: "feed", sees: { place: "The feed", items: 2 } });
  await proposalOf(made.scoutId);
});

test("what is another of its settings is given anew in the same way; another source is refused", async () => {
  const [url, elsewhere] = ["/atom.xml", "/feed.json"].map((path) => `${feeds.url}${path}`);
  const name = ["--name", "Bulletin"];
  expect(await scouts(["add", "other", "feed", ...name, "--settings-stdin"], JSON.stringify({ url }))).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect(await scouts(["reconnect", "Bulletin", "--settings-stdin"], JSON.stringify({ url }))).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^reconnected {2}Bulletin\nIt sees: The feed, 2 items/),
  });
  const other = await scouts(["reconnect", "Bulletin", "--settings-stdin"], JSON.stringify({ url: elsewhere }));
  expect(other).toMatchObject({ code: 5, stderr: expect.stringContaining("(source_account_other)") });
});

test.each([
  ["no JSON", "hunter2", "feed", "usage", "--settings-stdin wants"],
  ["no object", '["hunter2"]', "feed", "usage", "--settings-stdin wants"],
  ["a name that is none", '{"U R L": "hunter2"}', "feed", "usage", "--settings-stdin wants"],
  ["nothing", "", "feed", "usage", "Nothing came"],
  ["a setting the source does not know", '{"url": "https://a.example/", "pin": "hunter2"}', "feed", "usage", ""],
  ["a setting that is not of its form", '{"url": "hunter2"}', "feed", "usage", "Give a web address"],
  ["a kind nobody reads", '{"loft": "hunter2"}', "pigeon", "source_unknown", "does not read such a source"],
])("is refused with a code, and says nothing of what was given: %s", async (_, piped, kind, code, says) => {
  const { stdout, stderr } = await scouts(["add", "other", kind, "--settings-stdin", "--json"], piped);
  expect(failure.parse(JSON.parse(stdout))).toMatchObject({ code });
  expect(stderr).toContain(says);
  expect(stdout + stderr).not.toContain("hunter2");
});
