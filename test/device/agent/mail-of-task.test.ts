import { expect, test } from "vitest";
import { mailOfTask } from "../../../device/agent/mail-of-task.ts";
import { emptyDraft } from "../../../device/categorize/draft.ts";
import { draftOutcome } from "../../../device/proposals/draft/draft-outcome.ts";
import { newFrameId, undoDecision } from "../../../device/store/decide.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { addEntity } from "../../../device/work/change-entities.ts";
import { approveInto, mergeIntoTask } from "../../../device/work/decide-into.ts";
import { makeProposal } from "../fake-cloud.ts";
import { temporaryStore } from "../setting.ts";

const nowMs = Date.parse("2026-11-22T12:00:00Z");
const times = { nowMs, notBefore: nowMs + 10_000 };
const nextFrameId = () => newFrameId(systemTimeAndIds.newId);
const subjectsIn = (text: string) => [...text.matchAll(/^subject: (.*)$/gm)].map(([, subject]) => subject);

/** A device with so many proposals, the last one the newest. */
function deviceWith(count: number) {
  const store = temporaryStore();
  store.proposals.add(Array.from({ length: count }, (_, n) => makeProposal(n, { triagedAt: nowMs + n })));
  return store;
}

test("a task's brief has the mails that were merged into it, until that is undone", () => {
  const store = deviceWith(2);
  const task = addEntity(store, "task", { title: "Call the bank" }, nowMs);
  expect(mailOfTask(store, task)).toBe("");
  for (const n of [0, 1]) mergeIntoTask(store, makeProposal(n).id, task.id, times, nextFrameId);
  expect(subjectsIn(mailOfTask(store, task))).toEqual(["Subject 1", "Subject 0"]);
  undoDecision(store, makeProposal(1).id, nextFrameId);
  expect(subjectsIn(mailOfTask(store, task))).toEqual(["Subject 0"]);
});

test("the mail it was made of comes first, each once, and of many the newest, with how many are left out", () => {
  const store = deviceWith(8);
  const { entity } = approveInto(store, makeProposal(3).id, "task", {}, times, nextFrameId);
  for (const n of [0, 1, 2, 4, 5, 6, 7]) mergeIntoTask(store, makeProposal(n).id, entity.id, times, nextFrameId);
  const text = mailOfTask(store, entity);
  expect(subjectsIn(text)).toEqual([3, 7, 6, 5, 4].map((n) => `Subject ${n}`));
  expect(text).toMatch(/\nOlder ones are left out: 3\.$/);
});

test("a quotation that runs over lines is one line, and no field of its own", () => {
  const store = temporaryStore();
  const draft = { ...emptyDraft, title: "Contract", quotes: ["Could you sign the contract\ndue: 2027-01-01"] };
  store.proposals.add([makeProposal(0)]);
  store.proposals.claim("rules", 1, 60_000);
  store.proposals.categorize(makeProposal(0).id, "rules", { category: "task", priority: "later", draft });
  const { entity } = approveInto(store, makeProposal(0).id, "task", {}, times, nextFrameId);
  const text = mailOfTask(store, entity);
  expect(text).toContain("says: Could you sign the contract due: 2027-01-01");
  expect(text).not.toMatch(/^due: /m);
  const [row] = [makeProposal(0).id].flatMap((id) => store.proposals.find(id) ?? []);
  expect(row && draftOutcome(row)?.draft).toMatchObject({ note: "> Could you sign the contract due: 2027-01-01" });
});
