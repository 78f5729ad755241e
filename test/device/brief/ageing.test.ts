import { describe, expect, test } from "vitest";
import { isOlder, priorityNow } from "../../../device/brief/ageing.ts";
import { morningBrief } from "../../../device/brief/morning-brief.ts";
import { emptyDraft, type ProposalDraft } from "../../../device/categorize/draft.ts";
import type { DeviceStore } from "../../../device/store/open.ts";
import type { StoredProposal } from "../../../device/store/schema.ts";
import type { Category, Priority } from "../../../events/proposals/categorize.ts";
import { makeProposal } from "../fake-cloud.ts";
import { temporaryStore } from "../setting.ts";

const dayMs = 86_400_000;
const sentMs = Date.parse("2026-11-20T09:00:00Z");
const zone = "Europe/Berlin";
const daysLater = (days: number) => ({ nowMs: sentMs + days * dayMs, zone });

interface Said extends Partial<ProposalDraft> {
  readonly category?: Category;
  readonly priority?: Priority;
  /** As the sender says, where that is not the day it came. */
  readonly sentAt?: number;
}

let count = 0;
function proposed(store: DeviceStore, said: Said): StoredProposal {
  const { category = "task", priority = "later", sentAt = sentMs, ...draft } = said;
  count += 1;
  const sender = { name: "Ada", address: "ada@example.org" };
  const metadata = { sender, sentAt, arrivedAt: sentMs, relation: "to", automatic: false } as const;
  const proposal = makeProposal(count, { triagedAt: sentMs, metadata });
  store.proposals.add([proposal]);
  store.proposals.claim("me", 100, 60_000);
  store.proposals.categorize(proposal.id, "me", { category, priority, draft: { ...emptyDraft, ...draft } });
  const row = store.proposals.find(proposal.id);
  if (row === undefined) throw new Error("It was added");
  return row;
}

const calendar = {
  method: "CANCEL",
  uid: "u",
  recurrenceId: "",
  sequence: 1,
  stampedAt: null,
  status: "cancelled",
  recurrence: [],
} as const;
const event = { category: "event", start: "2026-11-24T17:00:00", end: "2026-11-24T18:00:00", zone } as const;

describe("13: what is of the morning no more", () => {
  test.each([
    ["a code to sign in with, the next morning", { category: "actionable_only", reasons: ["account"] }, 0.5, 1.1],
    ["an event, when it has ended", event, 4, 4.5],
    [
      "a cancellation, after two days",
      { ...event, start: "2026-12-24T17:00:00", end: "2026-12-24T18:00:00", calendar: { ...calendar, recurrence: [] } },
      1,
      2.1,
    ],
    ["what was to be done, a fortnight after its day", { due: "2026-11-23" }, 16, 18],
    ["what names no day, after a fortnight", { category: "reply" }, 13, 15],
  ] as const)("%s", (_, said, fresh, old) => {
    const row = proposed(temporaryStore(), said as Said);
    expect([isOlder(row, daysLater(fresh)), isOlder(row, daysLater(old))]).toEqual([false, true]);
  });

  test.each([
    ["of a sender whose clock stands in the year 2000", Date.parse("2000-01-01T00:00:00Z")],
    ["of a sender who says that it is of next year", sentMs + 400 * dayMs],
  ])("it is as old as the day it came, %s", (_, sentAt) => {
    const row = proposed(temporaryStore(), { category: "reply", sentAt });
    expect([isOlder(row, daysLater(13)), isOlder(row, daysLater(15))]).toEqual([false, true]);
  });

  test("a reminder of what was due long ago is of the morning for a fortnight after it came", () => {
    const row = proposed(temporaryStore(), { due: "2026-10-01" });
    expect([isOlder(row, daysLater(13)), isOlder(row, daysLater(15))]).toEqual([false, true]);
  });

  test("a series is not over after its first time", () => {
    const series = { ...calendar, method: "REQUEST", status: "confirmed", recurrence: ["RRULE:FREQ=WEEKLY"] } as const;
    const row = proposed(temporaryStore(), { ...event, calendar: { ...series, recurrence: [...series.recurrence] } });
    expect(isOlder(row, daysLater(10))).toBe(false);
  });
});

test("13: a day that has come nearer counts as near as it is now, of somebody known", () => {
  const store = temporaryStore();
  const known = proposed(store, { due: "2026-12-10", reasons: ["deadline", "from_known"] });
  const stranger = proposed(store, { due: "2026-12-10", reasons: ["deadline"] });
  const at = (days: number) => [priorityNow(known, daysLater(days)), priorityNow(stranger, daysLater(days))];
  expect([at(1), at(14), at(19)]).toEqual([
    ["later", "later"],
    ["soon", "later"],
    ["now", "later"],
  ]);
  const urgent = proposed(store, { ...event, priority: "now" });
  expect(priorityNow(urgent, daysLater(1))).toBe("now");
});

test("13: a day that lay behind when it was read comes no nearer", () => {
  const row = proposed(temporaryStore(), { due: "2026-11-21", reasons: ["deadline", "from_known"] });
  expect([1, 8, 9, 15, 16].map((days) => priorityNow(row, daysLater(days)))).toEqual([
    "now",
    "now",
    "later",
    "later",
    "later",
  ]);
});

test("13: what is old is a number, what is snoozed is left out, and nothing of it is decided", () => {
  const store = temporaryStore(undefined, () => sentMs + 3 * dayMs);
  proposed(store, { category: "reply", title: "Answer me" });
  proposed(store, { category: "actionable_only", title: "Code", reasons: ["account"] });
  const { id } = proposed(store, { category: "reply", title: "Later" });
  store.proposals.snooze(id, sentMs + 9 * dayMs);
  const brief = morningBrief(store, daysLater(3));
  expect(brief.waiting.map(({ row }) => row.payload?.title)).toEqual(["Answer me"]);
  expect(brief).toMatchObject({ older: 1, snoozed: 1, more: 0 });
  expect(store.proposals.counts().pending).toBe(3);
});
