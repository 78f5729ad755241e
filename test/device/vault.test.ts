import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { runCommand } from "../../cli/program.ts";
import { runArtifacts } from "../../device/actions/run-artifacts.ts";
import { openArtifacts } from "../../device/artifacts/open-artifacts.ts";
import { search } from "../../device/knowledge/search/search.ts";
import { type DeviceStore, openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import {
  changePassphrase,
  forgetKept,
  passphraseState,
  removePassphrase,
  setPassphrase,
} from "../../device/vault/change-passphrase.ts";
import { renewKept } from "../../device/vault/renew-kept.ts";
import { quick } from "../rounds.ts";
import { type IndexedFolder, indexedFolder } from "./knowledge/setting.ts";
import { Screen } from "./screen.ts";

const launcher = fileURLToPath(new URL("../../cli/launch.js", import.meta.url));
const canary = "quagmirezebra";
const passphrase = "correct horse battery";
const nowMs = Date.now();

/** Every byte below a folder, by file. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(folder, name);
    return statSync(path).isFile() && readFileSync(path).includes(text);
  });
}

/** Artifacts, and what is known of them, that are not encrypted: compressed, their words do not stand there as they are. */
function unsealedIn(dataFolder: string): string[] {
  const root = join(dataFolder, "runtime/runs");
  return readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(root, name);
    return statSync(path).isFile() && readFileSync(path).subarray(0, 6).toString("latin1") !== "SCKP\u0001\u0001";
  });
}

/** A second look at the same data folder, with a passphrase or without. */
function opened({ dataFolder }: DeviceStore, given?: string): DeviceStore {
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder, passphrase: given });
  onTestFinished(() => store.close());
  return store;
}

async function keep(store: DeviceStore, { project }: Pick<IndexedFolder, "project">, text: string, run = "run_a") {
  const kept = runArtifacts(openArtifacts(store.dataFolder, systemTimeAndIds, store.vault), {
    threadId: run,
    newCallId: () => "cal_2",
  });
  const data = { project_id: project.id, pattern: "ponds" };
  const call = {
    action: "grep_files",
    callId: "cal_1",
    data,
    text: "the beginning",
    filesRead: [{ projectId: project.id, path: "a.md" }],
  };
  return kept.shown({ ...call, whole: { text } });
}

/** A folder with a question answered, an earlier one forgotten, and a result kept. */
async function withKept() {
  const folder = indexedFolder({ "a.md": "text of a file" });
  await folder.index();
  const { store, project } = folder;
  const ofProject = { follows: null, projectId: project.id, files: ["a.md"] };
  store.answers.remove(store.answers.add({ ...ofProject, question: "Before?", answer: `${canary} was removed` }).id);
  const { id } = store.answers.add({ ...ofProject, question: "Who digs?", answer: `The ${canary} digs.` });
  // In more than one block, and in part longer than one.
  await keep(store, folder, `${canary} at its beginning ${"and so on ".repeat(30_000)} ${canary} at its end`);
  expect(await found(store, canary)).toEqual(["answer", "artifact"]);
  return { folder, store, project, answerId: id, ofProject };
}

async function found(store: DeviceStore, text: string): Promise<string[]> {
  const { work } = await search({ text, limit: 10 }, { store, now: () => nowMs });
  return work.map(({ kind }) => kind).toSorted();
}

test("15: what is kept is compressed, and read in parts", async () => {
  const { store } = await withKept();
  const artifacts = openArtifacts(store.dataFolder, systemTimeAndIds, store.vault);
  const [id = ""] = await artifacts.store.ids();
  const { metadata } = await artifacts.find(id);
  expect(statSync(join(store.dataFolder, metadata.path)).size).toBeLessThan(metadata.sizeBytes / 20);
  expect((await artifacts.read(id, metadata.sizeBytes - 10)).toString()).toBe("at its end");
  expect((await artifacts.read(id, 262_140, 262_150)).length).toBe(10);
  expect(await artifacts.stateOf(metadata)).toBe("stored");
});

test("15: with a passphrase nothing of what was kept is readable in any byte of the data folder, and all of it with it", async () => {
  const { store, answerId } = await withKept();
  const before = store.answers.find(answerId);
  expect(filesWith(store.dataFolder, canary).length).toBeGreaterThan(0);
  expect(unsealedIn(store.dataFolder)).toHaveLength(2);
  expect(await setPassphrase(store, passphrase, nowMs)).toBe(true);
  expect(unsealedIn(store.dataFolder)).toEqual([]);
  for (const text of [canary, "Who digs", "and so on and so on"]) expect(filesWith(store.dataFolder, text)).toEqual([]);
  expect(passphraseState(store)).toEqual({ state: "locked", isDone: true, isEnding: false, encryptedAnswers: 1 });

  const open = opened(store, passphrase);
  expect(open.answers.find(answerId)).toMatchObject({ ...before, digest: expect.any(String) });
  expect(await found(open, canary)).toEqual(["answer", "artifact"]);
  const artifacts = openArtifacts(store.dataFolder, systemTimeAndIds, open.vault);
  const [id = ""] = await artifacts.store.ids();
  const { sizeBytes } = (await artifacts.find(id)).metadata;
  expect((await artifacts.read(id, sizeBytes - 10)).toString()).toBe("at its end");
  // What comes and goes between two searches of a process is found, and not found.
  const newer = open.answers.add({
    follows: null,
    projectId: null,
    files: [],
    question: "And now?",
    answer: `No ${canary}`,
  });
  expect(await found(open, canary)).toEqual(["answer", "answer", "artifact"]);
  open.answers.remove(newer.id);
  expect(await found(open, canary)).toEqual(["answer", "artifact"]);
  // A search leaves no words of it either.
  expect(filesWith(store.dataFolder, canary)).toEqual([]);
});

test("15: without the passphrase, and with a wrong one, nothing is found or read, and that is said; new answers are kept", async () => {
  const { store, answerId, ofProject, project } = await withKept();
  await setPassphrase(store, passphrase, nowMs);
  for (const [given, code, said] of [
    [undefined, "kept_locked", "SCOUTS_PASSPHRASE"],
    ["another one altogether", "passphrase_wrong", "not the passphrase"],
  ] as const) {
    const locked = opened(store, given);
    expect(locked.answers.list()).toEqual([]);
    expect(() => locked.answers.find(answerId)).toThrow(expect.objectContaining({ code }));
    const { work, notes } = await search({ text: canary, limit: 5 }, { store: locked, now: () => nowMs });
    expect([work, notes.map(({ text }) => text).join(" ")]).toEqual([[], expect.stringContaining(said)]);
    const artifacts = openArtifacts(store.dataFolder, systemTimeAndIds, locked.vault);
    const [id = ""] = await artifacts.store.ids();
    await expect(artifacts.find(id)).rejects.toMatchObject({ code: "locked" });
    // A run goes on: what it looks up stays in memory.
    expect(await keep(locked, { project }, `long ${canary}`, "run_l")).toContain("the beginning");
    expect((await artifacts.prune({ maxAgeMs: 1e12, maxTotalBytes: 1e12 })).removed).toEqual([]);
    locked.answers.add({ ...ofProject, question: `Now? ${code}`, answer: `Still the ${canary}.` });
    expect(filesWith(store.dataFolder, canary)).toEqual([]);
  }
  expect(opened(store, passphrase).answers.list()).toHaveLength(3);
});

test.skipIf(quick)(
  "15: encrypting that is killed (kill -9) is finished by whoever comes next, without the passphrase, and loses nothing",
  async () => {
    const { store, folder } = await withKept();
    for (let at = 0; at < 300; at++) {
      const answer = `The ${canary} ${at} ${"digs and digs ".repeat(40)}`;
      store.answers.add({ follows: null, projectId: null, files: [], question: `Question ${at}`, answer });
    }
    for (let at = 0; at < 20; at++) await keep(store, folder, `${canary} ${at} ${"so ".repeat(9_000)}`, `run_${at}`);
    const script = new URL("./vault-child.ts", import.meta.url).pathname;
    const child = spawn(process.execPath, [script, store.dataFolder, passphrase], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const gone = once(child, "exit");
    for await (const line of createInterface({ input: child.stdout })) if (line === "half") break;
    child.kill("SIGKILL");
    await gone;
    expect(passphraseState(store)).toMatchObject({ state: "locked", isDone: false });
    expect(unsealedIn(store.dataFolder).length).toBeGreaterThan(0);

    const next = opened(store);
    // What the killed one was writing looks to be abandoned after an hour.
    expect(await renewKept(next, nowMs + 7_200_000)).toBe(true);
    expect(unsealedIn(store.dataFolder)).toEqual([]);
    expect(filesWith(store.dataFolder, canary)).toEqual([]);
    const open = opened(store, passphrase);
    expect(open.answers.list()).toHaveLength(301);
    const artifacts = openArtifacts(store.dataFolder, systemTimeAndIds, open.vault);
    const ids = await artifacts.store.ids();
    expect(ids).toHaveLength(21);
    for (const id of ids) expect((await artifacts.read(id)).toString()).toContain(canary);
  },
);

test.skipIf(quick)("15: removing the passphrase opens everything for good; killed in between, it goes on", async () => {
  const { store, answerId } = await withKept();
  await setPassphrase(store, passphrase, nowMs);
  await expect(removePassphrase(opened(store), nowMs)).rejects.toMatchObject({ code: "kept_locked" });
  const open = opened(store, passphrase);
  const busy = { ...open, purge: () => false };
  expect(await removePassphrase(busy, nowMs)).toBe(false);
  expect(passphraseState(store)).toMatchObject({ isEnding: true, isDone: false });
  expect(await removePassphrase(open, nowMs)).toBe(true);
  expect(passphraseState(store)).toEqual({ state: "plain", isDone: true, isEnding: false, encryptedAnswers: 0 });
  expect(store.answers.find(answerId)?.answer).toContain(canary);
  expect(await found(store, canary)).toEqual(["answer", "artifact"]);
});

test.skipIf(quick)("15: who has lost the passphrase gives up what it encrypts, and nothing else", async () => {
  const { store, folder } = await withKept();
  await setPassphrase(store, passphrase, nowMs);
  expect(await forgetKept(store)).toEqual({ answers: 1, files: 2 });
  expect(passphraseState(store)).toMatchObject({ state: "plain", encryptedAnswers: 0 });
  expect(await folder.paths("text of a file")).toEqual(["a.md"]);
  store.answers.add({ follows: null, projectId: null, files: [], question: "Again?", answer: `A ${canary}` });
  expect(await found(store, canary)).toEqual(["answer"]);
});

test.skipIf(quick)("15: a reader that holds the log keeps nothing from being encrypted later", async () => {
  const { store } = await withKept();
  const reader = new DatabaseSync(store.path, { readOnly: true });
  reader.exec("BEGIN; SELECT count(*) FROM answers");
  reader.prepare("SELECT count(*) FROM answers").get();
  expect(await setPassphrase(store, passphrase, nowMs)).toBe(false);
  reader.exec("COMMIT");
  reader.close();
  expect(await renewKept(store, nowMs)).toBe(true);
  expect(filesWith(store.dataFolder, canary)).toEqual([]);
});

test("15: a passphrase that is changed while the rest is still being encrypted stays changed", async () => {
  const { store, answerId } = await withKept();
  const another = "another battery horse";
  let changing: Promise<void> | undefined;
  const purge = () => {
    changing = changePassphrase(store, passphrase, another);
    return store.purge();
  };
  await setPassphrase({ ...store, purge }, passphrase, nowMs);
  await changing;
  expect(opened(store, passphrase).vault.state).toBe("locked");
  expect(opened(store, another).answers.find(answerId)?.answer).toContain(canary);
  expect(passphraseState(store)).toMatchObject({ isDone: true });
});

test("15: of two programs that set a passphrase at once one does, and the other is told; what is kept opens by that", async () => {
  const { store, answerId } = await withKept();
  const passphrases = ["battery horse one", "battery horse two"];
  const ended = await Promise.all(
    passphrases.map(async (given) => {
      const words = ["passphrase", "set", "--new-env", "NEW", "--data", store.dataFolder];
      const env = { PATH: process.env["PATH"], NEW: given };
      const child = spawn(process.execPath, [launcher, ...words], { env, stdio: ["ignore", "ignore", "pipe"] });
      const [[code], stderr] = await Promise.all([once(child, "close"), text(child.stderr)]);
      return { given, code, stderr };
    }),
  );
  const [done, refused] = ended.toSorted((a, b) => a.code - b.code);
  expect([done?.code, refused?.stderr]).toEqual([0, expect.stringContaining("(passphrase_set)")]);
  expect(opened(store, done?.given).answers.find(answerId)?.answer).toContain(canary);
});

test("15: a changed byte is told, and never taken for content", async () => {
  const { store } = await withKept();
  await setPassphrase(store, passphrase, nowMs);
  const open = opened(store, passphrase);
  const artifacts = openArtifacts(store.dataFolder, systemTimeAndIds, open.vault);
  const [id = ""] = await artifacts.store.ids();
  const { path } = (await artifacts.find(id)).metadata;
  const file = join(store.dataFolder, path);
  const bytes = readFileSync(file);
  bytes[60] = (bytes[60] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  await expect(artifacts.read(id)).rejects.toMatchObject({ code: "corrupt" });
});

test.skipIf(quick)(
  "15: scouts passphrase says how it stands, sets, changes, removes, and takes no secret as an argument",
  async () => {
    const { store, answerId } = await withKept();
    const other = "a different one, longer";
    const scouts = async (given: string | undefined, ...words: string[]) => {
      const [stdout, stderr] = [new Screen(), new Screen()];
      const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
      const variables: Record<string, string> = { NEW: passphrase, OTHER: other, SHORT: "short" };
      const secrets = { stdin: (async function* () {})(), variable: (name: string) => variables[name] };
      const environment = given === undefined ? {} : { SCOUTS_PASSPHRASE: given };
      const context = { io, environment, secrets, workingFolder: store.dataFolder, ...systemTimeAndIds };
      const code = await runCommand([...words, "--data", store.dataFolder], context, "1.2.3");
      return { code, out: stdout.written, error: stderr.written };
    };
    expect((await scouts(undefined, "passphrase", "status")).out).toContain("Nothing is encrypted");
    expect(await scouts(undefined, "passphrase", "set")).toMatchObject({ code: 2 });
    expect((await scouts(undefined, "passphrase", "set", "--new-env", "SHORT")).error).toContain("at least 10");
    expect((await scouts(undefined, "passphrase", "set", "--new-env", "NEW")).out).toContain(
      "without it nobody can read",
    );
    expect((await scouts(undefined, "passphrase", "set", "--new-env", "NEW")).error).toContain("passphrase change");
    expect((await scouts(undefined, "answers", "show", answerId)).error).toContain("kept_locked");
    expect((await scouts(undefined, "answers", "list")).error).toContain("kept_locked");
    expect((await scouts(undefined, "artifacts", "list")).error).toContain("encrypted");
    expect((await scouts(passphrase, "answers", "show", answerId)).out).toContain(canary);
    expect(await scouts("wrong", "passphrase", "change", "--new-env", "OTHER")).toMatchObject({ code: 4 });
    expect(await scouts(passphrase, "passphrase", "change", "--new-env", "OTHER")).toMatchObject({ code: 0 });
    expect((await scouts(passphrase, "answers", "show", answerId)).error).toContain("passphrase_wrong");
    expect((await scouts(other, "passphrase", "status")).out).toContain("SCOUTS_PASSPHRASE opens them");
    expect(await scouts(other, "passphrase", "remove")).toMatchObject({ code: 0 });
    expect((await scouts(undefined, "answers", "show", answerId)).out).toContain(canary);
    expect(existsSync(join(store.dataFolder, "device/passphrase.json"))).toBe(false);
  },
);
