import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { readEnvironment } from "../../cli/environment.ts";
import { runCommand } from "../../cli/program.ts";
import { askCloud } from "../../device/connect/cloud-api.ts";
import { scoutHealth } from "../../events/health.ts";
import { scoutResponse, spamListResponse } from "../../events/http.ts";
import { drain } from "../../cli/up/drain.ts";
import { type LocalSystem, startSystem } from "../../cli/up/system.ts";
import { Screen } from "../device/screen.ts";
import { ownFolder } from "./folders.ts";
import { judgeBySubject, upTo, writeMail } from "./mail.ts";
import { type ScriptedModel, startScriptedModel } from "./scripted-model.ts";

const folder = ownFolder();
const data = join(folder.path, "data");
let model: ScriptedModel;
let system: LocalSystem;

beforeAll(async () => {
  const mailboxPath = join(folder.path, "mail");
  mkdirSync(mailboxPath);
  writeMail(mailboxPath, upTo(6));
  model = await startScriptedModel(judgeBySubject);
  const signal = new AbortController().signal;
  system = await startSystem({ dataFolder: data, mailboxPath, environment: model.environment, signal });
  await drain(system, signal);
}, 120_000);
afterAll(async () => {
  await system?.stop();
  await model?.close();
  folder.remove();
});

/** One `scouts scouts …` in this process. */
async function scouts(words: string[], dataFolder = data) {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
  const context = { io, environment: readEnvironment({}), workingFolder: folder.path, now: Date.now };
  const code = await runCommand(["scouts", ...words, "--data", dataFolder], context, "1.2.3");
  return { code, stdout: stdout.written, stderr: stderr.written };
}

async function json<S extends z.ZodType>(schema: S, words: string[]): Promise<z.infer<S>> {
  const { code, stdout, stderr } = await scouts([...words, "--json"]);
  expect([code, stderr]).toEqual([0, ""]);
  return schema.parse(JSON.parse(stdout));
}

const spamItems = spamListResponse.shape.items;

describe("scouts scouts, asked of a running home", () => {
  test("the home leaves word that only its owner can read", () => {
    expect(statSync(join(data, "home.json")).mode & 0o777).toBe(0o600);
  });

  test("finds scouts by name or id, and says which it does not know", async () => {
    const found = await json(z.array(scoutResponse), ["list"]);
    expect(found).toMatchObject([{ id: system.scoutId, name: "Inbox", connected: true, paused: false }]);
    expect(await json(scoutResponse, ["show", "inbox"])).toMatchObject({ id: system.scoutId });
    expect(await json(scoutResponse, ["show", system.scoutId])).toMatchObject({ name: "Inbox" });
    expect(await scouts(["show", "Outbox"])).toEqual({
      code: 3,
      stdout: "",
      stderr: "scouts: There is no scout Outbox. (scout_unknown)\n",
    });
  });

  test("pauses and resumes; a paused scout is not run", async () => {
    expect(await scouts(["pause", "Inbox"])).toMatchObject({ code: 0, stdout: "paused  Inbox\n" });
    expect(await scouts(["run", "Inbox"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("(scout_paused)"),
    });
    expect(await scouts(["resume", "Inbox"])).toMatchObject({ code: 0, stdout: "resumed  Inbox\n" });
    expect(await scouts(["run", "Inbox"])).toMatchObject({ code: 0, stdout: "queued  Inbox\n" });
  });

  test("P3: auto-trash asks for the right it needs, moves spam that comes from then on, and gives it back", async () => {
    const before = await json(spamItems, ["spam", "Inbox"]);
    expect(before.map(({ trashedAt, keptBecause }) => [trashedAt, keptBecause])).toEqual([
      [null, null],
      [null, null],
    ]);
    expect(await json(scoutResponse, ["auto-trash", "Inbox", "on"])).toMatchObject({ autoTrash: true });

    const raw = "From: Seller <seller@mail.example>\r\nSubject: Offer of the day\r\n\r\nBuy!\r\n";
    const id = system.world.mailbox.deliver(Buffer.from(raw));
    await drain(system, new AbortController().signal);
    expect(system.world.mailbox.labelsOf(id)?.toSorted()).toEqual(["TRASH", "UNREAD"]);
    const [newest, ...older] = await json(spamItems, ["spam", "Inbox"]);
    expect(newest).toMatchObject({ ref: id, trashedAt: expect.any(Number) });
    expect(older, "what was there before stays where it was").toEqual(before);

    expect(await scouts(["restore", "Inbox", id])).toMatchObject({ code: 0, stdout: `restored  ${id}\n` });
    expect(system.world.mailbox.labelsOf(id)?.toSorted()).toEqual(["INBOX", "UNREAD"]);
    await drain(system, new AbortController().signal);
    const [proposed] = system.store.proposals.list({ sourceMsgRef: id });
    expect(proposed).toMatchObject({ rawSubject: "Offer of the day", status: "pending" });
    expect(await json(spamItems, ["spam", "Inbox"])).toEqual(before);
  });

  test("says how a scout is", async () => {
    expect(await json(scoutHealth, ["health", "Inbox"])).toMatchObject({ scoutId: system.scoutId, disabledCode: null });
    expect((await scouts(["health", "Inbox"])).stdout).toMatch(/^Inbox\nstate +\w+\n/);
  });

  test("deletes when it is meant, and what belongs to the scout is gone", async () => {
    const wanted = { sourceType: "gmail", name: "Spare", purpose: "None" };
    await askCloud(system.api, "POST", "/api/v1/scouts", scoutResponse, wanted);
    expect(await scouts(["delete", "Spare"])).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
    expect(await scouts(["delete", "Spare", "--yes"])).toMatchObject({ code: 0, stdout: "deleted  Spare\n" });
    expect(await json(z.array(scoutResponse), ["list"])).toHaveLength(1);
  });

  test("without a home there, says so with exit code 4", async () => {
    const { code, stderr } = await scouts(["list"], join(folder.path, "nowhere"));
    expect([code, stderr]).toEqual([4, expect.stringMatching(/No home is running .* \(home_not_running\)\n$/)]);
  });
});
