import { and, desc, eq, inArray, isNotNull, not, type SQL, sql } from "drizzle-orm";
import type { ProjectId, ProposalId } from "../../../../events/ids.ts";
import type { Category, Priority } from "../../../../events/proposals/categorize.ts";
import type { EntityKind } from "../../../work/entities.ts";
import { type ProposalStatus, proposalStatuses, scoutSuggestions } from "../../schema.ts";
import type { Database } from "../../sqlite/sqlite.ts";

export interface ProposalFilter {
  readonly statuses?: readonly ProposalStatus[];
  /** The source's own id of the item. */
  readonly sourceMsgRef?: string;
  readonly scoutId?: string;
  readonly reasonCode?: string;
  readonly category?: Category | "unprocessed";
  readonly priority?: Priority;
  /** The project a person has put it into. */
  readonly projectId?: ProjectId;
  /** Only these. */
  readonly ids?: readonly ProposalId[];
  /** Only what has become this, or was added to it. */
  readonly became?: { readonly type: EntityKind; readonly id: string };
  /** Only what was decided here and, otherwise or first, elsewhere. */
  readonly isInConflict?: boolean;
  /**
   * Folded words, each of which is in subject, sender, snippet or reason. Only the newest {@link mostSearched} are looked
   * through.
   */
  readonly words?: readonly string[];
  /** What is snoozed at a time (milliseconds since the epoch), or everything else. */
  readonly snoozed?: { readonly atMs: number; readonly isWanted: boolean };
  /** Of this conversation, as {@link threadKey} names it by type and reference. */
  readonly thread?: { readonly sourceType: string; readonly threadRef: string };
  /** From this address, in lower case. */
  readonly senderAddress?: string;
  readonly limit?: number;
  /** How many of the newest are passed over. */
  readonly offset?: number;
}

/** How many rows a search reads at most, so that it ends in time whatever a device holds: 20,000 take a tenth of a second. */
export const mostSearched = 20_000;

/** As they were written, not as they were judged: a first import judges many at once, and in an order of its own. */
export const newestFirst = [desc(scoutSuggestions.writtenAt), desc(scoutSuggestions.id)];

/** The rows a filter lets through, but for where a page of them begins and ends. */
export function passing(db: Database, filter: ProposalFilter) {
  const {
    statuses = proposalStatuses,
    sourceMsgRef,
    scoutId,
    reasonCode,
    category,
    priority,
    projectId,
    ids,
    became,
    words,
    snoozed,
    thread,
    senderAddress,
  } = filter;
  const { metadata, sourceType } = scoutSuggestions;
  const isHidden = snoozed && isSnoozed(snoozed.atMs);
  return and(
    inArray(scoutSuggestions.status, [...statuses]),
    sourceMsgRef === undefined ? undefined : eq(scoutSuggestions.sourceMsgRef, sourceMsgRef),
    scoutId === undefined ? undefined : eq(scoutSuggestions.scoutId, scoutId),
    reasonCode === undefined ? undefined : eq(scoutSuggestions.reasonCode, reasonCode),
    category === undefined ? undefined : eq(scoutSuggestions.category, category),
    priority === undefined ? undefined : eq(scoutSuggestions.priority, priority),
    projectId === undefined ? undefined : eq(scoutSuggestions.projectId, projectId),
    ids === undefined ? undefined : inArray(scoutSuggestions.id, [...ids]),
    became &&
      and(eq(scoutSuggestions.resolvedEntityType, became.type), eq(scoutSuggestions.resolvedEntityId, became.id)),
    filter.isInConflict === true ? isNotNull(scoutSuggestions.decidedElsewhere) : undefined,
    isHidden && (snoozed?.isWanted ? isHidden : not(isHidden)),
    thread && and(eq(sourceType, thread.sourceType), sql`${metadata} ->> '$.threadRef' = ${thread.threadRef}`),
    senderAddress === undefined ? undefined : sql`lower(${metadata} ->> '$.sender.address') = ${senderAddress}`,
    words === undefined || words.length === 0 ? undefined : holding(db, words, statuses),
  );
}

/** The bound comes first: SQLite asks the conditions of a row in their order. */
function holding(db: Database, words: readonly string[], statuses: readonly ProposalStatus[]) {
  const { status, writtenAt, rawSubject, rawSnippet, reason, metadata, payload } = scoutSuggestions;
  const tooOld = db
    .select({ writtenAt })
    .from(scoutSuggestions)
    .where(inArray(status, [...statuses]))
    .orderBy(desc(writtenAt))
    .limit(1)
    .offset(mostSearched);
  const sender = sql`${metadata} ->> '$.sender.name', ${metadata} ->> '$.sender.address'`;
  const drafted = sql`${payload} ->> '$.title', ${payload} ->> '$.place'`;
  return and(
    sql`${writtenAt} > coalesce((${tooOld}), -1)`,
    sql`holds_words(${words.join("\n")}, ${rawSubject}, ${rawSnippet}, ${reason}, ${sender}, ${drafted}) = 1`,
  );
}

/**
 * A clock that has stepped back by more than that since a proposal was snoozed would hide it for longer than its person
 * wanted: it is shown instead.
 */
const mostStepMs = 86_400_000;

/** Pending, and hidden at a time. */
export function isSnoozed(nowMs: number): SQL {
  const { status, snoozedAt, snoozedUntil } = scoutSuggestions;
  const notYet = sql`${snoozedUntil} > ${nowMs} AND ${snoozedAt} <= ${nowMs + mostStepMs}`;
  return sql`coalesce(${status} = 'pending' AND ${notYet}, 0) = 1`;
}
