import type { ProposalMetadata } from "../../../events/proposals/metadata.ts";
import { ada, at, type CategorizeCase, due, type Entity, item, known, nowMs } from "../case.ts";

interface Row {
  readonly name: string;
  readonly text: string;
  /** Of Wednesday, 18 November 2026, nine by UTC and ten in Berlin, unless it says otherwise. */
  readonly metadata: Partial<ProposalMetadata>;
  readonly is: readonly [CategorizeCase["category"], CategorizeCase["priority"]];
  readonly entity: Entity;
  readonly nowMs?: number;
}

const [tokyo, newYork, honolulu] = [540, -300, -600];
const tomorrow = "Please send it by tomorrow at 9:00.";
const call = "Our call is on 2 December 2026 from 10:00 to 11:30.";

/** Where the day is too: read in Berlin. */
const rows: readonly Row[] = [
  {
    name: "tomorrow at nine is so in Tokyo",
    text: tomorrow,
    metadata: { sentOffsetMinutes: tokyo },
    is: ["task", "now"],
    entity: due("2026-11-19T00:00:00Z", tomorrow),
  },
  {
    name: "from ten to half past eleven in New York",
    text: call,
    metadata: { sentOffsetMinutes: newYork },
    is: ["event", "later"],
    entity: at("2026-12-02T16:00:00", "2026-12-02T17:30:00", call),
  },
  {
    name: "ten in the evening in New York is the day after",
    text: "Our call is on 2 December 2026 at 22:00.",
    metadata: { sentOffsetMinutes: newYork },
    is: ["event", "later"],
    entity: at("2026-12-03T04:00:00", "2026-12-03T05:00:00", "Our call is on 2 December 2026 at 22:00."),
  },
  {
    name: "tomorrow is the day after the writer's, who still has the evening before",
    text: "Please send it by tomorrow.",
    metadata: { sentOffsetMinutes: honolulu },
    is: ["task", "now"],
    entity: due("2026-11-18", "Please send it by tomorrow."),
  },
  {
    name: "a zone that is named is that",
    text: "Please send it by 4 December 2026 at 10:00 EST.",
    metadata: { sentOffsetMinutes: tokyo },
    is: ["task", "later"],
    entity: due("2026-12-04T15:00:00Z", "Please send it by 4 December 2026 at 10:00 EST."),
  },
  {
    name: "of a zone that is not known the day is as it was said",
    text: "Please send it by 4 December 2026 at 20:00 CST.",
    metadata: { sentOffsetMinutes: newYork },
    is: ["task", "later"],
    entity: due("2026-12-04", "Please send it by 4 December 2026 at 20:00 CST."),
  },
  {
    name: "whose clock shows the same has the reader's zone, also when that changes its clocks",
    text: "Our call is on 3 November 2026 at 15:00.",
    metadata: { sentAt: Date.parse("2026-10-20T09:00:00Z"), sentOffsetMinutes: 120 },
    nowMs: Date.parse("2026-10-20T10:00:00Z"),
    is: ["event", "later"],
    entity: at("2026-11-03T15:00:00", "2026-11-03T16:00:00", "Our call is on 3 November 2026 at 15:00."),
  },
  {
    name: "a program's machine stands anywhere",
    text: "Please pay by tomorrow at 9:00.",
    metadata: { automatic: true, sentOffsetMinutes: tokyo },
    is: ["task", "now"],
    entity: due("2026-11-19T08:00:00Z", "Please pay by tomorrow at 9:00."),
  },
  {
    name: "a date that is not believed says nothing of a clock",
    text: tomorrow,
    metadata: { sentAt: nowMs + 86_400_000, sentOffsetMinutes: tokyo },
    is: ["task", "now"],
    entity: due("2026-11-19T08:00:00Z", tomorrow),
  },
];

export const writersClockCases: readonly CategorizeCase[] = rows.map(
  ({ name, text, metadata, is: [category, priority], entity, nowMs: readMs = nowMs }): CategorizeCase => ({
    name: `the writer's clock: ${name}`,
    item: item({
      text,
      reasonCode: metadata.automatic === true ? "invoice_or_payment" : "personal",
      triagedAt: readMs,
      metadata: { ...ada, ...metadata },
    }),
    known: known({ nowMs: readMs }),
    category,
    priority,
    entity: { title: "Hello", ...entity },
  }),
);
