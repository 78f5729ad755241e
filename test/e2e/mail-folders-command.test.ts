import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { readEnvironment } from "../../cli/environment.ts";
import { runCommand } from "../../cli/program.ts";
import { type LocalSystem, startSystem } from "../../cli/up/system.ts";
import type { Imap } from "../../infra/standins/imap/imap.ts";
import { startImap } from "../../infra/standins/imap/start.ts";
import { Screen } from "../device/screen.ts";
import { newId } from "../memory/chance.ts";
import { ownFolder } from "./folders.ts";
import { relevant, type ScriptedModel, startScriptedModel } from "./scripted-model.ts";

const folder = ownFolder();
const data = join(folder.path, "data");
const owner = { user: "ada@example.com", password: "secret" };
let model: ScriptedModel;
let server: Imap;
let system: LocalSystem;

beforeAll(async () => {
  model = await startScriptedModel(() => relevant());
  server = await startImap({ users: [owner], without: ["IDLE"] });
  for (const path of ["Gone", "Later"]) server.account().create(path);
  system = await startSystem({
    dataFolder: data,
    mailboxPath: join(import.meta.dirname, "../../infra/standins/sample-mailbox"),
    environment: model.environment,
    signal: new AbortController().signal,
    now: Date.now,
    newId,
  });
}, 240_000);
afterAll(async () => {
  await system?.stop();
  await server?.close();
  await model?.close();
  folder.remove();
});

/** One `scouts …` in this process. */
async function scouts(...words: string[]) {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
  const variable = (name: string) => (name === "PASSWORD" ? owner.password : undefined);
  const secrets = { stdin: (async function* () {})(), variable };
  const context = { io, environment: readEnvironment({}), secrets, workingFolder: folder.path, now: Date.now, newId };
  const code = await runCommand([...words, "--data", data], context, "1.2.3");
  return { code, stdout: stdout.written, stderr: stderr.written };
}

function deliver(path: string, subject: string): void {
  const lines = [
    `Message-ID: <${subject}@example.org>`,
    "From: bea@example.org",
    `Subject: ${subject}`,
    "",
    "text",
    "",
  ];
  server
    .account()
    .find(path)
    ?.deliver({ raw: Buffer.from(lines.join("\r\n")) });
}

const proposed = () =>
  system.store.proposals
    .list()
    .filter(({ sourceType }) => sourceType === "imap")
    .map(({ rawSubject }) => rawSubject)
    .sort();

/** Looks at the source now, and until all that comes of it has arrived. */
async function looked(count: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () => {
    if (proposed().length >= count) resolve();
  };
  system.device.events.on("proposal", look);
  expect((await scouts("run", "dora")).code).toBe(0);
  await system.home.whenIdle(new AbortController().signal);
  look();
  await promise;
  system.device.events.off("proposal", look);
}

const server127 = () => ["--host", "127.0.0.1", "--port", String(server.port), "--tls", "none", "--user", owner.user];

test("P2: a mail folder that is deleted is named, keeps no mail of the others, and is replaced by one command", async () => {
  const add = ["add", "imap", ...server127(), "--password-env", "PASSWORD", "--name", "dora"];
  expect(await scouts(...add, "--folder", "INBOX", "--folder", "Nowhere")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/no folder called Nowhere, .*\(source_folder_unknown\)/),
  });
  expect((await scouts("list")).stdout).not.toContain("dora");
  const folders = ["INBOX", "Gone", "Later"].flatMap((path) => ["--folder", path]);
  expect((await scouts(...add, ...folders)).code).toBe(0);
  await system.home.whenIdle(new AbortController().signal);

  const gone = server.account().find("Gone");
  server.account().remove("Gone");
  deliver("INBOX", "one");
  deliver("Later", "two");
  await looked(2);
  deliver("Later", "three");
  await looked(3);
  expect(proposed()).toEqual(["one", "three", "two"]);

  expect((await scouts("list")).stdout).toMatch(/dora has not found one of its folders.*source_folder_unknown/);
  const health = await scouts("health", "dora");
  expect(health.stdout).toMatch(/dora has not found its Gone.*scouts reconnect dora --folder INBOX --folder …/);
  const told = z.object({ missingFolders: z.array(z.string()) });
  expect(told.parse(JSON.parse((await scouts("health", "dora", "--json")).stdout)).missingFolders).toEqual(["Gone"]);
  const shown = (await scouts("show", "dora")).stdout;
  expect(shown).toMatch(/Inbox, Later of .*; not there: Gone;/);
  expect(shown).toMatch(/dora has not found its Gone.*scouts reconnect dora --folder INBOX --folder …/);
  expect((await scouts("doctor")).stdout).toMatch(/fail {2}scout .*dora has not found Gone/);
  // With the folders it has it cannot be connected; which is the matter is said.
  expect((await scouts("reconnect", "dora")).stderr).toMatch(/no folder called Gone, /);

  // It was renamed, and something came since.
  const renamed = server.account().create("Renamed");
  for (const message of gone?.messages ?? []) renamed.deliver({ raw: message.raw });
  deliver("Renamed", "four");
  const reconnected = await scouts(
    "reconnect",
    "dora",
    "--folder",
    "INBOX",
    "--folder",
    "Renamed",
    "--folder",
    "Later",
  );
  expect(reconnected).toMatchObject({ code: 0, stdout: expect.stringContaining("Inbox, Renamed, Later of") });
  await looked(4);
  expect(proposed()).toEqual(["four", "one", "three", "two"]);
  expect((await scouts("list")).stdout).not.toContain("source_folder_unknown");
});

test("folders of a source that has none are refused, and the scout is as it was", async () => {
  const { code, stderr } = await scouts("reconnect", "Inbox", "--folder", "INBOX");
  expect([code, stderr]).toEqual([2, expect.stringMatching(/Not usable: folders/)]);
});
