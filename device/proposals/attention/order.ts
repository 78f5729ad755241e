import type { Priority } from "../../../events/proposals/categorize.ts";
import { reasonWords } from "../../categorize/reason-words.ts";
import { compared } from "../../compared.ts";
import { learnState } from "../../learn-state.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { StoredProposal } from "../../store/schema.ts";
import { threadKey } from "../../store/tables/proposals/threads.ts";
import { type Company, featuresOf } from "./features.ts";
import { type Lesson, learned, sumOf, type Weights } from "./learned.ts";

/** Decisions that are learned from, the newest. */
const mostLessons = 2_000;

/** What the person's decisions have taught; nothing where learning is off. */
export function weightsOf(store: DeviceStore): { readonly weights: Weights; readonly decisions: number } {
  const { isOn, sinceMs } = learnState(store, "proposals");
  if (!isOn) return { weights: new Map(), decisions: 0 };
  const decided = store.proposals
    .list({ statuses: ["approved", "rejected"] })
    .filter(({ resolvedAt }) => resolvedAt !== null && resolvedAt > sinceMs)
    .toSorted((one, other) => (one.resolvedAt ?? 0) - (other.resolvedAt ?? 0))
    .slice(-mostLessons);
  return { weights: learned(lessonsOf(store, decided)), decisions: decided.length };
}

/** Decisions in their order, each with what was known before it. */
export function lessonsOf(store: DeviceStore, decided: readonly StoredProposal[]): Lesson[] {
  const book = companyBook(store);
  return decided.map((row) => {
    const isApproved = row.status === "approved";
    const features = featuresOf(row, book.of(row));
    if (isApproved) book.approved(row);
    return { features, isApproved };
  });
}

/** Who is known, without a question for each proposal. */
function companyBook(store: DeviceStore) {
  const people = new Set(
    store.work.person.list().flatMap(({ addresses }) => addresses.map((each) => each.toLowerCase())),
  );
  const senders = new Set<string>();
  const threads = new Set<string>();
  const addressOf = ({ metadata }: StoredProposal) => metadata?.sender.address.toLowerCase() ?? "";
  return {
    of(row: StoredProposal): Company {
      const address = addressOf(row);
      const isThreadMine = threads.has(threadKey(row) ?? "");
      return { isSenderKnown: people.has(address) || senders.has(address) || isThreadMine, isThreadMine };
    },
    approved(row: StoredProposal): void {
      const address = addressOf(row);
      if (address !== "") senders.add(address);
      const key = threadKey(row);
      if (key !== undefined) threads.add(key);
    },
  };
}

/** A proposal in its place, and why it is there. */
export interface Attended {
  readonly row: StoredProposal;
  readonly score: number;
  /** Why, the weightiest first. */
  readonly causes: readonly Cause[];
  /** The same in words for a person. */
  readonly because: readonly string[];
}

/** Why a proposal has its place, beside what its draft says of itself. */
const ownCauses = {
  now: "now",
  soon: "within a week",
  later: "later",
  thread_mine: "a conversation you took part in",
  approved_such: "you approve such mail",
  rejected_such: "you reject such mail",
} as const;

/** Every reason that may be said of a proposal's place, in words. */
export const causeWords = { ...reasonWords, ...ownCauses } as const;
export type Cause = keyof typeof causeWords;

const points: Readonly<Record<Priority, number>> = { now: 6, soon: 4, later: 2, none: 0 };
/** What was learned moves a proposal by less than two steps of priority, so that it never outweighs a deadline. */
const mostLearned = 3;

/**
 * Pending proposals by what deserves attention: priority, who it is from and how it came, and what the person's decisions
 * have taught. It reorders, and hides nothing.
 */
export const byAttention = (store: DeviceStore, rows: readonly StoredProposal[]): Attended[] =>
  rows.map(attentionNow(store)).toSorted(moreAttention);

/** What says how much attention a proposal deserves, by what the person has decided up to now. */
export function attentionNow(store: DeviceStore): (row: StoredProposal) => Attended {
  const approved = store.proposals.list({ statuses: ["approved"], limit: mostLessons });
  const book = companyBook(store);
  for (const row of approved) book.approved(row);
  const { weights } = weightsOf(store);
  return (row) => attended(row, book.of(row), weights);
}

const moreAttention = (one: Attended, other: Attended): number =>
  other.score - one.score || soonest(dayOf(one.row), dayOf(other.row)) || other.row.writtenAt - one.row.writtenAt;

/** Where a proposal stands by itself. */
export function attended(row: StoredProposal, company: Company, weights: Weights): Attended {
  const { payload, priority, metadata } = row;
  const lesson = Math.max(-mostLearned, Math.min(mostLearned, sumOf(weights, featuresOf(row, company))));
  const direct = metadata?.relation === "to" ? 0.5 : 0;
  const many = metadata?.relation === "bulk" || metadata?.relation === "list" ? -0.5 : 0;
  const score = points[priority] + (company.isSenderKnown ? 1 : 0) + direct + many + lesson;
  const causes = new Set<Cause>([
    ...(priority === "none" ? [] : [priority]),
    ...(payload?.reasons ?? []),
    ...(company.isThreadMine ? (["thread_mine"] as const) : []),
    ...(lesson >= 0.5 ? (["approved_such"] as const) : lesson <= -0.5 ? (["rejected_such"] as const) : []),
  ]);
  return { row, score, causes: [...causes], because: [...causes].map((cause) => causeWords[cause]) };
}

const dayOf = ({ payload }: StoredProposal): string | null => payload?.due ?? payload?.start ?? null;
/** What names no day comes behind what does. */
export function soonest(one: string | null, other: string | null): number {
  return compared(one ?? "9", other ?? "9");
}
