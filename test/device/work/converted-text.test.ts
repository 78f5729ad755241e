import { expect, test } from "vitest";
import { readEnvironment } from "../../../cli/environment.ts";
import { runCommand } from "../../../cli/program.ts";
import { emptyDraft } from "../../../device/categorize/draft.ts";
import { formOf } from "../../../device/proposals/draft/draft-form.ts";
import { draftRevision } from "../../../device/proposals/draft/draft-revision.ts";
import { saveDraft } from "../../../device/proposals/draft/save-draft.ts";
import { openDeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { makeProposal } from "../fake-cloud.ts";
import { Screen } from "../screen.ts";
import { temporaryFolder } from "../setting.ts";

const rawSnippet = "Hello, the fence\ncosts 300 euros. Ada";
const asked = "could you send me\nthe offer?";

/** A data folder with a task that quotes its mail, and a mail that is only to be known. */
function startFolder() {
  const folder = temporaryFolder();
  const store = openDeviceStore({ dataFolder: folder, ...systemTimeAndIds });
  store.proposals.add([1, 2].map((n) => makeProposal(n, { rawSnippet })));
  store.proposals.claim("test", 1_000, 60_000);
  const drafts = [
    { category: "task" as const, draft: { ...emptyDraft, title: "Offer", quotes: [asked] } },
    { category: "information" as const, draft: { ...emptyDraft, title: "Fence" } },
  ];
  for (const [at, result] of drafts.entries())
    store.proposals.categorize(makeProposal(at + 1).id, "test", { priority: "none", ...result });
  return { folder, store };
}

async function convert(folder: string, n: number, ...more: string[]): Promise<void> {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
  const context = { io, environment: readEnvironment({}), workingFolder: folder, ...systemTimeAndIds };
  const words = ["proposals", "convert", makeProposal(n).id, "--data", folder, ...more];
  expect(await runCommand(words, context, "1.2.3"), stderr.written).toBe(0);
}

test("scouts proposals convert: what a draft says goes into what is made of it, of another kind too", async () => {
  const { folder, store } = startFolder();
  await convert(folder, 1, "--to", "note");
  await convert(folder, 2, "--to", "task");
  expect(store.work.note.list()).toMatchObject([{ markdown: "> could you send me the offer?" }]);
  expect(store.work.task.list()).toMatchObject([{ note: "> Hello, the fence costs 300 euros. Ada" }]);
  // Approved by now, and made into something else.
  await convert(folder, 2, "--to", "note");
  expect(store.work.note.list().map(({ markdown }) => markdown)).toContain("> Hello, the fence costs 300 euros. Ada");
  await convert(folder, 2, "--to", "task", "--text", "My own words");
  expect(store.work.task.list()).toMatchObject([{ note: "My own words" }]);
  await convert(folder, 2, "--to", "note", "--no-draft");
  expect(store.work.note.list().map(({ markdown }) => markdown)).toContain("");
  store.close();
});

test("a form of what is only to be known has how its mail begins, for what a person makes of it", () => {
  const { store } = startFolder();
  const [task, known] = [1, 2].map((n) => store.proposals.find(makeProposal(n).id));
  expect(task && formOf(task, "UTC")).toMatchObject({ kind: "task", text: "> could you send me the offer?" });
  expect(known && formOf(known, "UTC")).toMatchObject({
    ...{ kind: "nothing", text: "> Hello, the fence costs 300 euros. Ada" },
  });
  store.close();
});

test("a draft from which a person has taken all text says nothing, in its form and in what is made of it", async () => {
  const { folder, store } = startFolder();
  const { id } = makeProposal(1);
  const here = { nowMs: 0, zone: "UTC" };
  const row = store.proposals.find(id);
  if (row === undefined) throw new Error("it is there");
  const form = { ...formOf(row, "UTC"), text: "" };
  const saved = await saveDraft(store, id, { form, seen: draftRevision(row) }, here);
  expect(formOf(saved, "UTC").text).toBe("");
  await convert(folder, 1, "--to", "task");
  expect(store.work.task.list()).toMatchObject([{ title: "Offer", note: "" }]);
  store.close();
});
