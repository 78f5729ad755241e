import * as z from "zod";
import { projectId } from "../../events/ids.ts";
import {
  type Category,
  categories,
  categorizeBounds,
  type Priority,
  priorities,
} from "../../events/proposals/categorize.ts";
import { calendarDay, localTime, moment } from "../work/entities.ts";
import { reasonWords } from "./reason-words.ts";

const text = (most: number) => z.string().max(most);
const reason = z.enum(Object.keys(reasonWords) as [keyof typeof reasonWords, ...(keyof typeof reasonWords)[]]);
export type Reason = z.infer<typeof reason>;

/** What a mail says of itself by schema.org: shown as claimed. */
const claim = z.strictObject({
  type: z.enum(["order", "parcel", "trip", "stay", "invoice", "booking"]),
  /** Who it is said to be from; empty where it names nobody. */
  by: text(200),
  /** Whether the sender's address is of those it names; `unnamed` where it names nobody. */
  sender: z.enum(["fits", "other", "unnamed"]),
  /** Its number at whoever it is from. */
  number: text(100),
  /** An amount with its currency, as it is written. */
  amount: text(60),
  /** Its state as schema.org names it: `OrderShipped`. */
  state: text(60),
});
export type Claim = z.infer<typeof claim>;

/** The revision of an event that a calendar part is about (RFC 5546 §2.1.4). */
const calendar = z.strictObject({
  method: text(20),
  uid: text(500),
  recurrenceId: text(100),
  sequence: z.int().min(0),
  stampedAt: z.int().nullable(),
  status: z.enum(["confirmed", "tentative", "cancelled"]),
  /** RRULE, RDATE and EXDATE as they are written. */
  recurrence: z.array(text(2_000)).max(50),
});
export type CalendarRevision = z.infer<typeof calendar>;

/** What a proposal could become, before a person has decided: the payload of its row. */
export const proposalDraft = z.strictObject({
  v: z.literal(1),
  /** A person's own may be longer. */
  title: text(categorizeBounds.title),
  /** A day, or a moment in UTC: of a task. */
  due: z.union([calendarDay, moment]).nullable(),
  /** Of an event, as {@link CalendarEvent} has them. */
  start: z.union([calendarDay, localTime]).nullable(),
  end: z.union([calendarDay, localTime]).nullable(),
  zone: text(100).nullable(),
  isAllDay: z.boolean(),
  place: text(1_000),
  people: z.array(text(500)).max(100),
  note: text(4_000),
  projectId: projectId.nullable(),
  /** Verbatim from the item. */
  quotes: z.array(text(categorizeBounds.quote)).max(categorizeBounds.quotes),
  calendar: calendar.nullable(),
  claims: z.array(claim).max(5),
  /** Why it is so, the weightiest first. */
  reasons: z.array(reason).max(8),
  /** What was left out because it did not hold, by code. */
  dropped: z.array(reason).max(8),
  /** `rules`, or name and version of the prompt that a model answered. */
  by: text(100),
});
export type ProposalDraft = z.infer<typeof proposalDraft>;

/** What stage 2 makes of a proposal. */
export interface Categorized {
  readonly category: Category;
  readonly priority: Priority;
  readonly draft: ProposalDraft;
}

/** What stage 2 made of a proposal, as devices tell each other. */
export const categorized: z.ZodType<Categorized> = z.strictObject({
  category: z.enum(categories),
  priority: z.enum(priorities),
  draft: proposalDraft,
});

/** A draft that says nothing yet. */
export const emptyDraft: ProposalDraft = {
  v: 1,
  title: "",
  due: null,
  start: null,
  end: null,
  zone: null,
  isAllDay: false,
  place: "",
  people: [],
  note: "",
  projectId: null,
  quotes: [],
  calendar: null,
  claims: [],
  reasons: [],
  dropped: [],
  by: "rules",
};
