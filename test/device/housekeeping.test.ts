import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openProject } from "../../device/access/open-project.ts";
import { rerun } from "../../device/actions/rerun.ts";
import { openArtifacts } from "../../device/artifacts/open-artifacts.ts";
import { dailyHousekeeping } from "../../device/housekeeping/daily.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { Vault } from "../../device/vault/vault.ts";
import { originOf } from "../artifacts/setting.ts";
import { ManualClock } from "./manual-clock.ts";
import { temporaryFolder, temporaryStore } from "./setting.ts";

const dayMs = 24 * 3_600_000;

async function storedAt(dataFolder: string, nowMs: number, name: string): Promise<void> {
  const artifacts = openArtifacts(dataFolder, { ...systemTimeAndIds, now: () => nowMs }, new Vault(dataFolder));
  const origin = originOf(name);
  await artifacts.keep("a result that is too long", origin);
  await artifacts.endThread(origin.threadId);
}

async function countOf(dataFolder: string): Promise<number> {
  let count = 0;
  for await (const _ of openArtifacts(dataFolder, systemTimeAndIds, new Vault(dataFolder)).list()) count++;
  return count;
}

test("6.1: artifacts are let go of by age, at the start and once a day", async () => {
  const dataFolder = temporaryFolder();
  const clock = new ManualClock();
  await storedAt(dataFolder, clock.now() - 15 * dayMs, "old");
  await storedAt(dataFolder, clock.now() - 13.5 * dayMs, "newer");
  const housekeeping = dailyHousekeeping({ store: temporaryStore(dataFolder), dataFolder, clock, onProblem: () => {} });
  onTestFinished(() => housekeeping.close());
  housekeeping.start();
  await housekeeping.whenIdle();
  expect(await countOf(dataFolder)).toBe(1);

  clock.advance(dayMs - 1);
  await housekeeping.whenIdle();
  expect(await countOf(dataFolder)).toBe(1);
  clock.advance(1);
  await housekeeping.whenIdle();
  expect(await countOf(dataFolder)).toBe(0);
});

test("nothing lost: what is kept for a while outlives a clock that jumps ahead and is put right, and goes by a clock that stays", async () => {
  const dataFolder = temporaryFolder();
  const clock = new ManualClock();
  await storedAt(dataFolder, clock.now(), "fresh");
  const housekeeping = dailyHousekeeping({ store: temporaryStore(dataFolder), dataFolder, clock, onProblem: () => {} });
  onTestFinished(() => housekeeping.close());
  const counts: number[] = [];
  const look = async () => {
    await housekeeping.whenIdle();
    counts.push(await countOf(dataFolder));
  };
  housekeeping.start();
  await look();
  clock.sleep(365 * dayMs);
  await look();
  clock.setBack(365 * dayMs);
  clock.advance(dayMs);
  await look();
  expect(counts).toEqual([1, 1, 1]);

  clock.sleep(60 * dayMs);
  await look();
  clock.advance(dayMs);
  await look();
  expect(counts.slice(3)).toEqual([1, 0]);
});

test("old versions of files in linked folders are let go of, the newest stays", async () => {
  const dataFolder = temporaryFolder();
  const root = join(temporaryFolder(), "garden");
  mkdirSync(root);
  writeFileSync(join(root, "a.md"), "one\n");
  const clock = new ManualClock();
  const store = temporaryStore(dataFolder);
  store.projects.link(store.projects.add("Garden").id, root);
  const opened = (nowMs: number) =>
    openProject({ ...systemTimeAndIds, root, dataFolder, approver: { approve: async () => true }, now: () => nowMs });
  const project = await opened(clock.now() - 100 * dayMs);
  const session = project.access.openSession({ caller: "person", backend: "local" });
  for (const content of ["two\n", "three\n"]) {
    await project.access.call(session, "read_file", { path: "a.md" });
    expect(await project.access.call(session, "write_file", { path: "a.md", content })).toMatchObject({ ok: true });
  }
  const before = project.database.store.versions.all().length;
  const housekeeping = dailyHousekeeping({ store, dataFolder: realpathSync(dataFolder), clock, onProblem: () => {} });
  housekeeping.start();
  await housekeeping.close();
  const after = project.database.store.versions.all();
  project.close();
  expect(before).toBeGreaterThan(1);
  expect(after).toHaveLength(1);
});

test("a clean-up that fails is told, and ends nothing", async () => {
  const dataFolder = temporaryFolder();
  mkdirSync(join(dataFolder, "runtime"));
  writeFileSync(join(dataFolder, "runtime/runs"), "no folder");
  const problems: Error[] = [];
  const store = temporaryStore(temporaryFolder());
  const housekeeping = dailyHousekeeping({
    store,
    dataFolder,
    clock: new ManualClock(),
    onProblem: (error) => problems.push(error),
  });
  housekeeping.start();
  await housekeeping.close();
  expect(problems).toHaveLength(1);
});

test("15: artifacts that are missing or damaged are made again, by the rules of now; what cannot be is said", async () => {
  const root = temporaryFolder();
  for (const name of ["lost", "hurt", "other", "denied"])
    writeFileSync(join(root, `${name}.txt`), `${name} says so\n`.repeat(20));
  const dataFolder = temporaryFolder();
  const store = temporaryStore(dataFolder);
  const { id: projectId } = store.projects.add("Garden");
  store.projects.link(projectId, root);
  const artifacts = openArtifacts(dataFolder, systemTimeAndIds, store.vault);
  const setting = { ...systemTimeAndIds, artifacts, dataFolder };
  const stored = async (name: string, readOnly = true) => {
    const args = { project_id: projectId, relative_path: `${name}.txt` };
    const of = { tool: "read_project_folder_file", arguments: args, projectId, files: [`${name}.txt`] };
    const origin = { threadId: "run_1", taskId: "answer", toolCallId: `cal_${name}_${readOnly}`, readOnly, ...of };
    const kept = await artifacts.keep((await rerun({ ...origin, readOnly: true }, setting)).result, origin);
    return kept.kind === "file" ? kept.metadata : expect.fail("It is stored.");
  };
  const [lost, hurt, other] = [await stored("lost"), await stored("hurt"), await stored("other")];
  const [denied, writing] = [await stored("denied"), await stored("lost", false)];
  await artifacts.endThread("run_1");
  const before = (await artifacts.read(lost.id)).toString();
  const fileOf = ({ path }: { path: string }) => join(dataFolder, path);
  for (const each of [lost, denied, writing]) rmSync(fileOf(each));
  for (const each of [hurt, other]) writeFileSync(fileOf(each), readFileSync(fileOf(each)).fill(7, 20, 30));
  writeFileSync(join(root, "other.txt"), "it is another by now\n".repeat(20));
  writeFileSync(join(root, ".scouts.json"), JSON.stringify({ read: { deny: ["denied.txt"] } }));

  const problems: string[] = [];
  const clock = new ManualClock(systemTimeAndIds.now());
  const onProblem = ({ message }: Error) => problems.push(message);
  const housekeeping = dailyHousekeeping({ store, dataFolder, clock, onProblem });
  onTestFinished(() => housekeeping.close());
  housekeeping.start();
  await housekeeping.whenIdle();

  const after = openArtifacts(dataFolder, systemTimeAndIds, store.vault);
  expect((await after.read(lost.id)).toString()).toBe(before);
  expect((await after.read(hurt.id)).toString()).toContain("hurt says so");
  // Another content has another name, and the damaged one is gone.
  const ids = await after.store.ids();
  expect(ids).not.toContain(other.id);
  const another = ids.find((id) => id.includes("cal_other")) ?? expect.fail("It was made again.");
  expect((await after.read(another)).toString()).toContain("it is another by now");
  await expect(after.read(denied.id)).rejects.toMatchObject({ code: "not_found" });
  expect(problems).toEqual([
    "2 artifacts are missing or damaged and cannot be had again; scouts artifacts list shows them.",
  ]);
  housekeeping.start();
  await housekeeping.whenIdle();
  expect(await after.store.ids()).toEqual(ids);
});
