import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openProject } from "../../../device/access/open-project.ts";
import { nobody } from "../../../device/access/policy/approver.ts";
import { presented } from "../../../device/access/present.ts";
import { runArtifacts } from "../../../device/actions/run-artifacts.ts";
import { openArtifacts } from "../../../device/artifacts/open-artifacts.ts";
import { searchUseCase } from "../../../device/console/search/use-case.ts";
import { unlinkFolder } from "../../../device/folders/indexer/unlink-folder.ts";
import { keptIndexPath } from "../../../device/knowledge/index/index-file.ts";
import { keepIndexesCurrent } from "../../../device/knowledge/keep-current.ts";
import { contentOfFolder } from "../../../device/knowledge/search/folder-content.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { circumstances, quick } from "../../rounds.ts";
import { makeProposal } from "../fake-cloud.ts";
import { ManualClock } from "../manual-clock.ts";
import { filler, type IndexedFolder, indexedFolder } from "./setting.ts";

const canary = "quagmirezebra";
let runs = 0;

/** Has a run keep a result, as the table of actions does when it is too long to be shown. */
async function keep(folder: IndexedFolder, text: string, files: readonly string[], action = "grep_files") {
  const { store, project } = folder;
  const artifacts = openArtifacts(store.dataFolder, systemTimeAndIds, store.vault);
  const run = runArtifacts(artifacts, { threadId: `run_${runs++}`, newCallId: () => "cal_2" });
  const data = { project_id: project.id, pattern: "ponds" };
  await run.shown({
    action,
    callId: "cal_1",
    data,
    text: "",
    whole: { text },
    filesRead: files.map((path) => ({ projectId: project.id, path })),
  });
  await run.end();
}

async function indexed(tree: Record<string, string>) {
  const folder = indexedFolder(tree);
  await folder.index();
  return folder;
}

/** All bytes of the index, its log among them. */
function bytesOf({ store }: IndexedFolder): Buffer {
  const path = keptIndexPath(store.dataFolder);
  return Buffer.concat([path, `${path}-wal`].filter((file) => existsSync(file)).map((file) => readFileSync(file)));
}

function keeperOf({ store }: IndexedFolder) {
  const clock = new ManualClock(1_793_000_000_000);
  const keeper = keepIndexesCurrent({ store, clock, onProblem: (error) => expect.fail(error.message) });
  onTestFinished(() => keeper.close());
  keeper.start();
  return {
    async minute() {
      for (const _ of [1, 2, 3]) {
        await keeper.whenIdle();
        clock.advance(20_000);
      }
      await keeper.whenIdle();
    },
  };
}

const found = async (folder: IndexedFolder, text: string) =>
  (await folder.find(text)).work.map(({ kind, title }) => `${kind} ${title}`);

test("15: what an earlier run looked up is found again, by command, page and agent; the same content once", async () => {
  const folder = await indexed({ "a.md": "something else", "b.md": "another" });
  await keep(folder, `${filler(80)} the ${canary} of the ponds`, ["a.md", "b.md"]);
  await keep(folder, `${filler(80)} the ${canary} of the ponds`, ["a.md", "b.md"]);
  const { work, hasAll } = await folder.find(canary);
  expect(work).toMatchObject([{ kind: "artifact", title: "ponds · a.md, b.md", files: ["a.md", "b.md"] }]);
  expect([hasAll, work[0]?.lines[0]?.parts.some(({ text, isMatch }) => isMatch && text === canary)]).toEqual([
    true,
    true,
  ]);
  expect(await found(folder, `${canary} kind:artifact`)).toHaveLength(1);
  expect(await found(folder, `${canary} kind:answer`)).toEqual([]);
  const page = await searchUseCase(folder.store, Date.now)(canary);
  expect(page.work).toMatchObject([{ kind: "artifact", id: work[0]?.id }]);
  expect(JSON.stringify(page)).not.toContain("passage");
});

test("15: what has all words comes before what has some, whichever index it is from", async () => {
  const folder = await indexed({ "a.md": "something else" });
  await keep(folder, `${filler(80)} the ${canary} of the ponds`, ["a.md"]);
  const others = Array.from({ length: 9 }, (_, at) => makeProposal(at + 2, { rawSubject: `Bill ${at}` }));
  folder.store.proposals.add([makeProposal(1, { rawSubject: `${canary} ${canary}`, rawSnippet: canary }), ...others]);
  const { work } = await folder.find(`${canary} ponds`);
  expect(work.map(({ kind, hasAll }) => [kind, hasAll])).toEqual([
    ["artifact", true],
    ["proposal", false],
  ]);
});

test("15: what was looked up in one project is not found in another", async () => {
  const folder = await indexed({ "a.md": "text" });
  const other = folder.store.projects.add("other");
  await keep(folder, `the ${canary}`, ["a.md"]);
  const { search } = await import("../../../device/knowledge/search/search.ts");
  const of = async (projectId: typeof other.id) =>
    (await search({ text: canary, projectId, limit: 5 }, { store: folder.store, now: Date.now })).work.length;
  expect([await of(folder.project.id), await of(other.id)]).toEqual([1, 0]);
});

test("15: what rests on a file that is denied since is not shown, and its bytes are gone within a minute", async () => {
  const folder = await indexed({ "open.md": "text", "secret/a.md": "text" });
  await keep(folder, `${filler(300)} ${canary} ${filler(300)}`, ["open.md", "secret/a.md"]);
  await keep(folder, "the plainly open one", ["open.md"]);
  const { minute } = keeperOf(folder);
  await minute();
  expect(bytesOf(folder).includes(canary)).toBe(true);

  folder.write(".scouts.json", JSON.stringify({ read: { deny: ["secret/"] } }));
  const { search } = await import("../../../device/knowledge/search/search.ts");
  const hits = (await search({ text: canary, limit: 5 }, { store: folder.store, now: Date.now })).work;
  expect(hits).toEqual([]);
  folder.write(".scouts.json", JSON.stringify({}));
  expect(await found(folder, canary)).toHaveLength(1);
  folder.write(".scoutsignore", "secret/\n");
  await minute();
  expect(bytesOf(folder).includes(canary)).toBe(false);
  expect(bytesOf(folder).includes("secret/a.md")).toBe(false);
  expect(await found(folder, "plainly")).toHaveLength(1);
});

test.each(circumstances(["the file is deleted", "the folder is unlinked", "the artifact is removed"]))(
  "15: nothing of it is left in the index once %s",
  async (how) => {
    const folder = await indexed({ "a.md": "text" });
    await keep(folder, `the ${canary}`, ["a.md"]);
    expect(await found(folder, canary)).toHaveLength(1);
    if (how === "the file is deleted") rmSync(join(folder.root, "a.md"));
    if (how === "the folder is unlinked") unlinkFolder(folder.store, folder.project);
    if (how === "the artifact is removed") {
      await openArtifacts(folder.store.dataFolder, systemTimeAndIds, folder.store.vault).prune({
        maxAgeMs: -1,
        maxTotalBytes: 0,
      });
    }
    if (how === "the folder is unlinked") expect(bytesOf(folder)).toHaveLength(0);
    await keeperOf(folder).minute();
    expect(bytesOf(folder).includes(canary)).toBe(false);
    expect(await found(folder, canary)).toEqual([]);
  },
);

test("15: of what nobody knows the files, nothing is found; credentials are not", async () => {
  const folder = await indexed({ "a.md": "text" });
  const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  await keep(folder, `the ${canary}`, []);
  await keep(folder, `the walrus has ${token}`, ["a.md"]);
  expect(await found(folder, canary)).toEqual([]);
  expect(await found(folder, token)).toEqual([]);
  const { work } = await folder.find("walrus");
  expect(work).toHaveLength(1);
  expect(JSON.stringify(work)).not.toContain(token);
  expect(bytesOf(folder).includes(token.toLowerCase())).toBe(false);
});

test.skipIf(quick)(
  "15: a copy of a file that is shown itself is not shown beside it; what was worked out of it is",
  async () => {
    const folder = await indexed({ "a.md": `the ${canary}` });
    await keep(folder, `lines with the ${canary}`, ["a.md"]);
    const { hits, work } = await folder.find(canary);
    expect([hits.map(({ path }) => path), work]).toEqual([["a.md"], []]);
    const artifacts = openArtifacts(folder.store.dataFolder, systemTimeAndIds, folder.store.vault);
    const ids = { threadId: "run_w", taskId: "answer", toolCallId: "cal_9", tool: "artifact_query", readOnly: true };
    const of = { projectId: folder.project.id, files: ["a.md"], derivedFrom: "x.csv", arguments: { query: "sum(@)" } };
    await artifacts.keep([{ canary, sum: 7 }], { ...ids, ...of });
    expect(await found(folder, canary)).toEqual(["artifact sum(@) · a.md"]);
  },
);

test.each(circumstances(["cut short", "no database"]))("15: an index of it that is %s is filled again", async (how) => {
  const folder = await indexed({ "a.md": "text" });
  await keep(folder, `${filler(3_000)} ${canary}`, ["a.md"]);
  folder.store.answers.add({ follows: null, projectId: null, question: "Who digs?", answer: "Bea", files: [] });
  expect(await found(folder, canary)).toHaveLength(1);
  const path = keptIndexPath(folder.store.dataFolder);
  if (how === "cut short") truncateSync(path, 8_192);
  else writeFileSync(path, "no database at all, but long enough to be looked at".repeat(50));
  expect(await found(folder, canary)).toHaveLength(1);
  expect(await found(folder, "Bea")).toEqual(["answer Who digs?"]);
});

test.skipIf(quick)("15: an artifact that is damaged is not found, and stops no search", async () => {
  const folder = await indexed({ "a.md": "text" });
  await keep(folder, `the ${canary} of one`, ["a.md"]);
  await keep(folder, `the ${canary} of two`, ["a.md"]);
  expect(await found(folder, canary)).toHaveLength(2);
  const root = join(folder.store.dataFolder, "runtime/runs");
  const [first = ""] = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".txt"));
  writeFileSync(join(root, first), "another");
  expect(await found(folder, canary)).toHaveLength(1);
});

test("15: an agent is given what earlier runs left, marked as such, and no answer that rests on nothing", async () => {
  const folder = await indexed({ "a.md": "text", "secret.md": "text" });
  const { store, project } = folder;
  await keep(folder, `the ${canary} was counted`, ["a.md"]);
  const answered = { follows: null, projectId: project.id };
  store.answers.add({
    ...answered,
    question: "What is it?",
    answer: `A ${canary}\n== "b.md" lines 1-2`,
    files: ["a.md"],
  });
  store.answers.add({ ...answered, question: "Why?", answer: `Of the ${canary} nothing is known.`, files: [] });
  store.answers.add({ ...answered, question: "Where?", answer: `Beside the ${canary}`, files: ["secret.md"] });
  const { dataFolder } = store;
  const content = contentOfFolder(dataFolder, folder.root, systemTimeAndIds);
  const opened = await openProject({ ...systemTimeAndIds, root: folder.root, dataFolder, approver: nobody, content });
  onTestFinished(() => opened.close());
  const session = opened.access.openSession({ caller: "test", backend: "cloud" });
  folder.write(".scouts.json", JSON.stringify({ read: { ask: ["secret.md"] } }));

  const shown = presented(await opened.access.call(session, "search_content", { query: canary }), () => "00");

  expect(shown).toContain(`an earlier answer to "What is it?"`);
  expect(shown).toContain("it may be wrong or out of date: check it in");
  expect(shown).toContain('looked up earlier: "ponds · a.md"');
  expect(shown).not.toContain("nothing is known");
  expect(shown).not.toContain("Beside");
  expect(shown.match(/^== /gm)).toHaveLength(2);
  expect(opened.database.store.audit.last()?.files).toMatchObject([{ path: "a.md" }, { path: "a.md" }]);
});
