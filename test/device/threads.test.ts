import fc from "fast-check";
import { expect, test } from "vitest";
import { type ProposalStatus, proposalStatuses } from "../../device/store/schema.ts";
import { threadKey } from "../../device/store/tables/proposals/threads.ts";
import type { ProposalMetadata } from "../../events/proposals/metadata.ts";
import type { Proposal } from "../../events/proposals/proposal.ts";
import { newId } from "../memory/chance.ts";
import { memoryStore } from "../simulation/memory-store.ts";
import { makeProposal } from "./fake-cloud.ts";
import { temporaryStore } from "./setting.ts";

const metadata = (threadRef?: string): ProposalMetadata => ({
  sender: { name: "Bea", address: "bea@example.org" },
  relation: "to",
  automatic: false,
  ...(threadRef === undefined ? {} : { threadRef }),
});
const inThread = (n: number, threadRef?: string, change: Partial<Proposal> = {}): Proposal =>
  makeProposal(n, { metadata: metadata(threadRef), ...change });

const refs = (rows: readonly { readonly sourceMsgRef: string }[]) => rows.map(({ sourceMsgRef }) => sourceMsgRef);

test("a conversation is one row: its newest that waits, and how many there are", () => {
  const store = temporaryStore();
  store.proposals.add([inThread(1, "t1"), inThread(2, "t2"), inThread(3, "t1"), inThread(4, "t1"), makeProposal(5)]);
  store.proposals.decide(makeProposal(4).id, "approved");

  expect(store.proposals.threads().map(({ shown, ...counts }) => [shown.sourceMsgRef, counts])).toEqual([
    ["msg-5", { proposals: 1, pending: 1 }],
    ["msg-3", { proposals: 3, pending: 2 }],
    ["msg-2", { proposals: 1, pending: 1 }],
  ]);
  expect(refs(store.proposals.threads({ statuses: ["approved"] }).map(({ shown }) => shown))).toEqual(["msg-4"]);
  expect(refs(store.proposals.threads({ limit: 2 }).map(({ shown }) => shown))).toEqual(["msg-5", "msg-3"]);
  expect([...store.proposals.threadCounts()]).toEqual([
    ["gmail t1", { pending: 2, approved: 1, rejected: 0, expired: 0 }],
  ]);
});

test("two sources' references are not compared, nor is a reference with an id", () => {
  const store = temporaryStore();
  store.proposals.add([inThread(1, "t"), inThread(2, "t", { sourceType: "feed" }), inThread(3), makeProposal(4)]);
  store.proposals.add([inThread(5, makeProposal(4).id.replaceAll(".", "~"))]);
  expect(store.proposals.threads()).toHaveLength(5);
  expect(store.proposals.threadCounts().size).toBe(0);
});

test("nothing that waits is hidden, and nothing is counted twice, whatever became of what (property)", () => {
  const row = fc.record({
    thread: fc.option(fc.constantFrom("a", "b", "c"), { nil: undefined }),
    status: fc.constantFrom<ProposalStatus>("pending", "approved", "rejected", "expired"),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), fc.subarray([...proposalStatuses]), (rows, statuses) => {
      const store = memoryStore(() => 0, newId);
      store.proposals.add(rows.map(({ thread }, n) => inThread(n, thread)));
      for (const [n, { status }] of rows.entries()) {
        const { id } = makeProposal(n);
        if (status === "expired") store.proposals.close(id, { reason: "expired", round: 1 });
        else if (status !== "pending") store.proposals.decide(id, status);
      }
      const listed = store.proposals.list({ statuses });
      const threads = store.proposals.threads({ statuses });
      expect(threads.reduce((sum, { proposals }) => sum + proposals, 0)).toBe(listed.length);
      const nameOf = (each: (typeof listed)[number]) => threadKey(each) ?? each.id;
      expect(threads.map(({ shown }) => nameOf(shown)).sort()).toEqual([...new Set(listed.map(nameOf))].sort());
      for (const { shown, pending } of threads) {
        const own = listed.filter((each) => nameOf(each) === nameOf(shown));
        const waiting = own.filter(({ status }) => status === "pending");
        expect(pending).toBe(waiting.length);
        expect(shown.id).toBe((waiting[0] ?? own[0])?.id);
      }
      expect(refs(threads.map(({ shown }) => shown))).toEqual(
        refs(listed.filter((each) => threads.some(({ shown }) => shown.id === each.id))),
      );
    }),
    { numRuns: 40 },
  );
});

test("what was shown unjudged and is judged since keeps what is known of it", () => {
  const store = temporaryStore();
  store.proposals.add([inThread(1, "t1", { reasonCode: "unjudged" }), inThread(2, "t1", { reasonCode: "unjudged" })]);
  store.proposals.add([makeProposal(1), inThread(2, "t2")]);
  const [second, first] = store.proposals.list();
  expect([first?.metadata?.threadRef, second?.metadata?.threadRef]).toEqual(["t1", "t2"]);
});
