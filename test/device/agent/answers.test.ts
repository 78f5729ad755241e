import { expect, onTestFinished, test } from "vitest";
import { readEnvironment } from "../../../cli/environment.ts";
import { runCommand } from "../../../cli/program.ts";
import { answerNamed, conversationUpTo } from "../../../device/agent/earlier-answers.ts";
import { unlinkFolder } from "../../../device/folders/indexer/unlink-folder.ts";
import { keepIndexesCurrent } from "../../../device/knowledge/keep-current.ts";
import { search } from "../../../device/knowledge/search/search.ts";
import type { DeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { quick } from "../../rounds.ts";
import { filler, indexedFolder } from "../knowledge/setting.ts";
import { ManualClock } from "../manual-clock.ts";
import { Screen } from "../screen.ts";
import { temporaryStore } from "../setting.ts";

let nowMs = 1_793_000_000_000;
const storeOfAnswers = () => temporaryStore(undefined, () => nowMs++);
const answered = (question: string, answer: string, more: { follows?: string } = {}) => ({
  follows: null,
  projectId: null,
  files: [],
  ...more,
  question,
  answer,
});
/** Runs a command at a time. */
async function scoutsOn(store: DeviceStore, atMs: number, ...words: string[]) {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
  const at = { ...systemTimeAndIds, now: () => atMs };
  const context = { io, environment: readEnvironment({}), workingFolder: store.dataFolder, ...at };
  const code = await runCommand([...words, "--data", store.dataFolder], context, "1.2.3");
  return { code, stdout: stdout.written, stderr: stderr.written };
}

const found = async (store: DeviceStore, text: string) =>
  (await search({ text, limit: 10 }, { store, now: () => nowMs })).work.map(({ kind, title }) => `${kind} ${title}`);

test("15: an answer is found again by its question and its words; the same one is kept once", async () => {
  const store = storeOfAnswers();
  store.answers.add(answered("Who digs the pond?", "Bea does, in May."));
  store.answers.add(answered("Who digs the pond?", "Bea does, in May."));
  expect(store.answers.list()).toHaveLength(1);
  expect(await found(store, "may kind:answer")).toEqual(["answer Who digs the pond?"]);
  expect(await found(store, "pond")).toEqual(["answer Who digs the pond?"]);
  expect(store.answers.clear()).toBe(1);
  expect(await found(store, "pond")).toEqual([]);
});

test("15: a conversation goes back from an answer, oldest first, within bounds", () => {
  const store = storeOfAnswers();
  let last = store.answers.add(answered("0", "a"));
  for (let at = 1; at < 7; at++) last = store.answers.add(answered(String(at), "a", { follows: last.id }));
  expect(conversationUpTo(store, last).map(({ question }) => question)).toEqual(["3", "4", "5", "6"]);
  const long = store.answers.add(answered("long", "x".repeat(50_000), { follows: last.id }));
  const [only, ...more] = conversationUpTo(store, long);
  expect([only?.answer.length, more]).toEqual([12_000, []]);
  expect(answerNamed(store, undefined)).toMatchObject({ question: "long" });
  expect(answerNamed(store, last.id)).toEqual(last);
  expect(() => answerNamed(store, "ans_01")).toThrow(expect.objectContaining({ code: "answer_unknown" }));
  // An answer that was forgotten ends what is known.
  store.answers.remove(last.id);
  expect(conversationUpTo(store, long)).toHaveLength(1);
});

test.skipIf(quick)("15: of many answers the newest thousand are kept", () => {
  const store = storeOfAnswers();
  store.transaction(() => {
    for (let at = 0; at < 1_005; at++) store.answers.add(answered(`Question ${at}`, "a"));
  });
  expect(store.answers.list()).toHaveLength(1_000);
  expect(store.answers.list().at(-1)?.question).toBe("Question 5");
});

test("15: an answer that rests on a file which is withheld by now is not found, and is forgotten within a minute", async () => {
  const folder = indexedFolder({ "plan.md": "The pond.", "secret/a.md": "The quagmire." });
  await folder.index();
  const { store, project } = folder;
  const ofProject = { ...answered("What of the pond?", "Deep, says secret/a.md"), projectId: project.id };
  store.answers.add({ ...ofProject, files: ["plan.md", "secret/a.md"] });
  store.answers.add({ ...ofProject, answer: "It is in plan.md", files: ["plan.md"] });
  expect(await found(store, "pond kind:answer")).toHaveLength(2);
  folder.write(".scoutsignore", "secret/\n");
  expect(await found(store, "pond kind:answer")).toHaveLength(1);
  const keeper = keepIndexesCurrent({
    store,
    clock: new ManualClock(nowMs),
    onProblem: (error) => expect.fail(error.message),
  });
  onTestFinished(() => keeper.close());
  keeper.start();
  await keeper.whenIdle();
  expect(store.answers.list().map(({ answer }) => answer)).toEqual(["It is in plan.md"]);
  unlinkFolder(store, project);
  expect(store.answers.list()).toEqual([]);
});

test("15: a file that an answer quoted ranks higher for a question like it, until that answer is forgotten", async () => {
  const other = Array.from({ length: 62 }, (_, at) => `word${at}`).join(" ");
  const folder = indexedFolder({
    "a.md": `# Pond\n\nThe pond is dug. ${filler(60)}`,
    "b.md": `# Pond\n\nThe pond is dug. ${other}`,
  });
  await folder.index();
  const [first, second] = await folder.paths("who digs the pond");
  const { store, project } = folder;
  const { id } = store.answers.add({
    ...answered("Who digs this pond?", `Bea (${second})`),
    projectId: project.id,
    files: ["a.md", "b.md"],
  });
  expect(await folder.paths("who digs the pond")).toEqual([second, first]);
  store.answers.remove(id);
  expect(await folder.paths("who digs the pond")).toEqual([first, second]);
});

test("15: a file that ranks higher by an earlier answer says by which; it can be forgotten, and switched off", async () => {
  const folder = indexedFolder({ "a.md": `# Pond\n\nThe pond is dug. ${filler(60)}` });
  await folder.index();
  const { store, project } = folder;
  const { id, askedAt } = store.answers.add({
    ...answered("Who digs this pond?", "Bea (a.md)"),
    projectId: project.id,
    files: ["a.md"],
  });
  const scouts = (...words: string[]) => scoutsOn(store, askedAt + 1, ...words);
  const raised = async () => (await folder.find("who digs the pond")).hits.map(({ learnt }) => learnt);
  const gain = { share: expect.closeTo(0.3), question: "Who digs this pond?", answerId: id };
  expect(await raised()).toEqual([gain]);
  expect((await folder.find("harbour lantern")).hits.map(({ learnt }) => learnt)).toEqual([undefined]);
  const why = 'ranked higher: it was quoted when you asked "Who digs this pond?"';
  expect((await scouts("search", "who digs the pond")).stdout).toContain(why);
  expect((await scouts("learn", "show")).stdout).toContain("a.md  Who digs this pond?");

  await scouts("learn", "off", "files");
  expect(await raised()).toEqual([undefined]);
  expect((await scouts("learn", "show")).stdout).toContain("scouts learn on files");
  await scouts("learn", "on", "files");
  expect(await raised()).toEqual([gain]);
  expect(await scouts("learn", "reset", "files")).toMatchObject({ code: 0 });
  expect(await raised()).toEqual([undefined]);
  // What was learned is gone, the answer is not.
  expect(store.answers.find(id)).toBeDefined();
});

test("15: scouts answers lists, shows and forgets; going on from nothing says so", async () => {
  const store = storeOfAnswers();
  const { id } = store.answers.add(answered("Who digs?", "Bea\u001b[31m does."));
  const scouts = (...words: string[]) => scoutsOn(store, nowMs, ...words);
  expect((await scouts("answers", "list")).stdout).toContain(`${id}  `);
  const { stdout } = await scouts("answers", "show", id);
  expect(stdout).toContain("Who digs?");
  expect(stdout).not.toContain("\u001b");
  expect(await scouts("answers", "remove", id)).toMatchObject({ code: 0, stdout: `Forgotten: ${id}\n` });
  expect(await scouts("answers", "clear")).toMatchObject({ code: 0, stdout: "Forgotten: 0 answers.\n" });
  store.answers.add(answered("Who pays?", "Cem does."));
  // Nothing brings them back, so it is said what goes before it does.
  for (const words of [[], ["--json"]]) {
    expect(await scouts("answers", "clear", ...words)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/forgets 1 answer .*for good; add --yes.* \(usage\)/),
    });
  }
  expect(store.answers.list()).toHaveLength(1);
  expect(await scouts("answers", "clear", "--yes")).toMatchObject({ code: 0, stdout: "Forgotten: 1 answer.\n" });
  expect(await scouts("ask", "--follow-up", "and who pays?")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("answer_unknown"),
  });
});
