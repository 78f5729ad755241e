import type { ProjectId } from "../../events/ids.ts";
import { DeviceError } from "../errors.ts";
import type { DeviceStore } from "../store/open.ts";
import type { StoredAnswer } from "../store/schema.ts";

/** Questions that go on from one another, as far as their answers are kept. */
export interface Conversation {
  /** Of its last answer: from there it goes on. */
  readonly id: string;
  /** The question it began with. */
  readonly title: string;
  readonly projectId: ProjectId | null;
  /** When it was last asked, milliseconds since the epoch. */
  readonly askedAt: number;
  readonly exchanges: number;
}

export interface ConversationFilter {
  readonly projectId?: ProjectId | undefined;
  readonly limit: number;
}

/**
 * The conversations that are kept, the latest first. Where two questions go on from one answer, each is one of its own.
 *
 * @throws DeviceError `kept_locked`, `passphrase_wrong`
 */
export function conversations(
  store: DeviceStore,
  { projectId, limit }: ConversationFilter,
): { conversations: Conversation[]; total: number } {
  refuseLocked(store);
  const rows = store.answers.list(projectId === undefined ? {} : { projectId });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const followed = new Set(rows.flatMap(({ follows }) => follows ?? []));
  const last = rows.filter(({ id }) => !followed.has(id));
  const shown = last.slice(0, limit).map((row): Conversation => {
    const chain = chainTo(row, (id) => byId.get(id));
    const { id, askedAt } = row;
    return { id, title: chain[0]?.question ?? "", projectId: row.projectId, askedAt, exchanges: chain.length };
  });
  return { conversations: shown, total: last.length };
}

/** All that is kept of a conversation, oldest first. @throws DeviceError `answer_unknown`, `kept_locked`, `passphrase_wrong` */
export function exchangesOf(store: DeviceStore, lastId: string): StoredAnswer[] {
  refuseLocked(store);
  const last = store.answers.find(lastId);
  if (last === undefined) throw new DeviceError("answer_unknown", { data: { id: lastId } });
  return chainTo(last, (id) => store.answers.find(id));
}

/**
 * Forgets a conversation, but for answers that another one goes on from. @returns how many answers
 *
 * @throws as {@link exchangesOf}
 */
export const forgetConversation = (store: DeviceStore, lastId: string): number =>
  store.transaction(() => {
    const chain = exchangesOf(store, lastId);
    const own = new Set(chain.map(({ id }) => id));
    const others = store.answers.list().filter(({ id }) => !own.has(id));
    let forgotten = 0;
    for (const { id } of chain.toReversed()) {
      if (others.some(({ follows }) => follows === id)) break;
      store.answers.remove(id);
      forgotten += 1;
    }
    return forgotten;
  });

function chainTo(last: StoredAnswer, find: (id: string) => StoredAnswer | undefined): StoredAnswer[] {
  const chain: StoredAnswer[] = [];
  for (let at: StoredAnswer | undefined = last; at !== undefined && !chain.includes(at); ) {
    chain.unshift(at);
    at = at.follows === null ? undefined : find(at.follows);
  }
  return chain;
}

function refuseLocked(store: DeviceStore): void {
  const locked = store.answers.sealed() > 0 ? store.vault.lockedBy() : undefined;
  if (locked !== undefined) throw locked;
}
