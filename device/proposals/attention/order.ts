import type { Priority } from "../../../events/categorize.ts";
import { reasonWords } from "../../categorize/reason-words.ts";
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
  /** In words for a person, the weightiest first. */
  readonly because: readonly string[];
}

const points: Readonly<Record<Priority, number>> = { now: 6, soon: 4, later: 2, none: 0 };
/** What was learned moves a proposal by less than two steps of priority, so that it never outweighs a deadline. */
const mostLearned = 3;

/**
 * Pending proposals by what deserves attention: priority, who it is from and how it came, and what the person's decisions
 * have taught. It reorders, and hides nothing.
 */
export function byAttention(store: DeviceStore, rows: readonly StoredProposal[]): Attended[] {
  const approved = store.proposals.list({ statuses: ["approved"], limit: mostLessons });
  const book = companyBook(store);
  for (const row of approved) book.approved(row);
  const { weights } = weightsOf(store);
  return rows
    .map((row) => attended(row, book.of(row), weights))
    .toSorted((one, other) => other.score - one.score || soonest(one.row, other.row) || newest(one.row, other.row));
}

/** Where a proposal stands by itself. */
export function attended(row: StoredProposal, company: Company, weights: Weights): Attended {
  const { payload, priority, metadata } = row;
  const lesson = Math.max(-mostLearned, Math.min(mostLearned, sumOf(weights, featuresOf(row, company))));
  const direct = metadata?.relation === "to" ? 0.5 : 0;
  const many = metadata?.relation === "bulk" || metadata?.relation === "list" ? -0.5 : 0;
  const score = points[priority] + (company.isSenderKnown ? 1 : 0) + direct + many + lesson;
  const because = [
    ...(priority === "none" ? [] : [priorityWords[priority]]),
    ...(payload?.reasons ?? []).map((each) => reasonWords[each]),
    ...(company.isThreadMine ? ["a conversation you took part in"] : []),
    ...(lesson >= 0.5 ? ["you approve such mail"] : lesson <= -0.5 ? ["you reject such mail"] : []),
  ];
  return { row, score, because: [...new Set(because)] };
}

const priorityWords = { now: "now", soon: "within a week", later: "later" } as const;

const dayOf = ({ payload }: StoredProposal): string => payload?.due ?? payload?.start ?? "9";
const soonest = (one: StoredProposal, other: StoredProposal): number =>
  dayOf(one) < dayOf(other) ? -1 : dayOf(one) > dayOf(other) ? 1 : 0;
const newest = (one: StoredProposal, other: StoredProposal): number => other.triagedAt - one.triagedAt;
