import fc from "fast-check";
import { expect, test } from "vitest";
import { writtenAt } from "../../device/categorize/written-at.ts";
import { AttentionLooks } from "../../device/proposals/attention/looks.ts";
import { proposalPage } from "../../device/proposals/proposal-page.ts";
import type { ProposalMetadata } from "../../events/proposals/metadata.ts";
import type { Proposal } from "../../events/proposals/proposal.ts";
import { newId } from "../memory/chance.ts";
import { memoryStore } from "../simulation/memory-store.ts";
import { makeProposal } from "./fake-cloud.ts";

const hourMs = 3_600_000;
const nowMs = Date.UTC(2026, 10, 26, 12);
const bea: ProposalMetadata = { sender: { name: "Bea", address: "bea@example.org" }, relation: "to", automatic: false };

/** Mail that was written so many hours ago, and judged as the so manieth. */
const written = (hoursAgo: number, judged: number, more: Partial<ProposalMetadata> = {}): Proposal =>
  makeProposal(hoursAgo, {
    triagedAt: nowMs + judged * 1_000,
    metadata: { ...bea, sentAt: nowMs - hoursAgo * hourMs, ...more },
  });

const refs = (rows: readonly { readonly sourceMsgRef: string }[]) => rows.map(({ sourceMsgRef }) => sourceMsgRef);

test("a first import reads as the mailbox does: the newest first, in whatever order it was judged", () => {
  const store = memoryStore(() => nowMs, newId);
  // The newest was judged first, and its answer came last.
  store.proposals.add([
    written(22, 3),
    written(1, 1),
    written(5, 2, { threadRef: "t" }),
    written(9, 4, { threadRef: "t" }),
  ]);
  const newestFirst = ["msg-1", "msg-5", "msg-9", "msg-22"];
  expect(refs(store.proposals.list())).toEqual(newestFirst);
  expect(store.proposals.places({}).map(({ id }) => id)).toEqual(store.proposals.list().map(({ id }) => id));
  expect(refs(store.proposals.threads().map(({ shown }) => shown))).toEqual(["msg-1", "msg-5", "msg-22"]);
  const [, one] = store.proposals.list();
  if (one === undefined) throw new Error("there is no such proposal");
  expect(refs(store.proposals.conversation(one, 2).rows)).toEqual(["msg-5", "msg-9"]);
});

test("what tells no date counts by when it was judged, and a date that is made up puts nothing on top", () => {
  const store = memoryStore(() => nowMs, newId);
  const tomorrow = written(-24, 0);
  store.proposals.add([
    written(2, 0),
    makeProposal(90, { triagedAt: nowMs - hourMs }),
    { ...tomorrow, triagedAt: nowMs - 3 * hourMs },
  ]);
  expect(refs(store.proposals.list())).toEqual(["msg-90", "msg-2", tomorrow.sourceMsgRef]);
});

test("the pages of a list are the list, each in its place once, whatever arrives with an older date", () => {
  const store = memoryStore(() => nowMs, newId);
  store.proposals.add(
    Array.from({ length: 50 }, (_, n) => {
      const { id, sourceMsgRef } = makeProposal(n);
      return { ...written(n % 10, n), id, sourceMsgRef };
    }),
  );
  const looks = new AttentionLooks();
  const page = (from: number) =>
    refs(proposalPage(store, { status: "pending", words: "", nowMs, from, limit: 20 }, looks).rows);
  const first = page(0);
  store.proposals.add([written(400, 900)]);
  expect(page(0)).toEqual(first);
  const all = [...page(0), ...page(20), ...page(40)];
  expect(all).toEqual(refs(store.proposals.list()));
  expect(new Set(all).size).toBe(51);
});

test("the database and the device agree on when an item was written (property)", () => {
  const aroundMs = fc.oneof(
    fc.integer({ min: -8 * 86_400_000, max: 86_400_000 }).map((by) => nowMs + by),
    fc.constantFrom(0, 31_535_999_999, 31_536_000_000, nowMs, nowMs - 604_800_000, nowMs - 604_800_001, -1),
  );
  const dates = fc.record({ sentAt: aroundMs, arrivedAt: aroundMs }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.array(fc.option(dates), { minLength: 1, maxLength: 20 }), aroundMs, (rows, triagedAt) => {
      const store = memoryStore(() => nowMs, newId);
      store.proposals.add(
        rows.map((each, n) =>
          makeProposal(n, { triagedAt: Math.max(0, triagedAt), ...(each && { metadata: { ...bea, ...each } }) }),
        ),
      );
      for (const row of store.proposals.list()) expect(row.writtenAt, JSON.stringify(row)).toBe(writtenAt(row));
    }),
  );
});
