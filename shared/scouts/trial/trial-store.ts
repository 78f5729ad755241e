import { type ItemRef, type ScoutId, type TrialId, trialId, type UserId } from "../../../events/ids.ts";
import { expiry } from "../../index-entries.ts";
import { sessionsKey, sessionsOf, sessionsPrefix } from "../../keys.ts";
import { everyItem } from "../../ports/every-item.ts";
import { changeOf } from "../../ports/row-change.ts";
import type { Item, Table } from "../../ports/table.ts";
import { storedRow } from "../../stored-row.ts";
import {
  parseTrialRow,
  parseTriedRow,
  type StoredTrial,
  type TrialRow,
  type TriedRow,
  trialLifeMs,
} from "./trial-row.ts";

/** Trials and what came of their items, in Sessions: they are swept like everything there. */
export class TrialStore {
  readonly #sessions: Table;

  constructor(sessions: Table) {
    this.#sessions = sessions;
  }

  async get(user: UserId, trial: TrialId, nowMs: number): Promise<TrialRow | undefined> {
    return parseTrialRow(await this.#sessions.get(sessionsKey.trial(user, trial)), nowMs);
  }

  /** @returns false when there is one of this id already */
  start(user: UserId, row: Omit<TrialRow, "queued" | "startedAt" | "expiresAt">, nowMs: number): Promise<boolean> {
    const { trialId, scoutId, sealed } = row;
    const item: Item = {
      ...sessionsKey.trial(user, trialId),
      trialId,
      scoutId,
      items: row.items.map(({ ref, verdict, reasonCode }) => ({ ref, verdict, reasonCode })),
      ...(sealed === undefined ? {} : { sealed }),
      queued: false,
      startedAt: nowMs,
      ...expiry.of(trialId, nowMs + trialLifeMs),
    };
    return this.#sessions.put(item, { absent: ["pk"] });
  }

  /** All of its items are on the queue: whoever starts it again need not send them. */
  async queued(user: UserId, trial: TrialId): Promise<void> {
    const change = changeOf<StoredTrial>({ set: { queued: true } });
    await this.#sessions.update(sessionsKey.trial(user, trial), change, { exists: ["pk"] });
  }

  /** Every item has its result: the purpose is not needed any more, and is forgotten. */
  async completed(user: UserId, trial: TrialId): Promise<void> {
    const change = changeOf<StoredTrial>({ remove: ["sealed"] });
    await this.#sessions.update(sessionsKey.trial(user, trial), change, { exists: ["pk"] });
  }

  /** What came of its items so far. */
  async results(user: UserId, trial: TrialId): Promise<ReadonlyMap<ItemRef, TriedRow>> {
    const hash = sessionsOf(user);
    const prefix = sessionsPrefix.triedItemsOf(trial);
    const items = await everyItem(this.#sessions, { hash, prefix, consistent: true });
    return new Map(items.map(parseTriedRow).map((row) => [row.ref, row]));
  }

  /** The results of some items; at most 100. */
  async some(user: UserId, trial: TrialId, refs: readonly ItemRef[]): Promise<readonly TriedRow[]> {
    const rows = await this.#sessions.getMany(refs.map((ref) => sessionsKey.triedItem(user, trial, ref)));
    return rows.map(parseTriedRow);
  }

  /**
   * Writes down what came of an item, unless that has been done.
   *
   * @returns what did come of it, which is what everybody tells of it
   */
  async finish(
    user: UserId,
    trial: TrialId,
    end: { readonly [K in keyof Omit<TriedRow, "finishedAt" | "expiresAt">]: TriedRow[K] | undefined } & {
      readonly ref: ItemRef;
    },
    nowMs: number,
  ): Promise<TriedRow> {
    const key = sessionsKey.triedItem(user, trial, end.ref);
    const written = Object.fromEntries(Object.entries(end).filter(([, value]) => value !== undefined));
    const item: Item = { ...key, ...written, finishedAt: nowMs, ...expiry.of(trial, nowMs + trialLifeMs) };
    if (await this.#sessions.put(item, { absent: ["pk"] })) return parseTriedRow(item);
    return parseTriedRow((await this.#sessions.get(key)) ?? item);
  }

  /** Removes the trials of a scout, and what came of them. */
  async forget(user: UserId, scout: ScoutId): Promise<void> {
    const hash = sessionsOf(user);
    for (const item of await everyItem(this.#sessions, { hash, prefix: sessionsPrefix.trials, consistent: true })) {
      if (item["scoutId"] !== scout) continue;
      const prefix = sessionsPrefix.triedItemsOf(storedRow(item, (stored) => trialId.parse(stored["trialId"])));
      const tried = await everyItem(this.#sessions, { hash, prefix, consistent: true });
      // The trial's row last: whoever dies before finds the rest by it.
      await Promise.all(tried.map(({ pk, sk }) => this.#sessions.delete({ pk, sk })));
      await this.#sessions.delete({ pk: item.pk, sk: item.sk });
    }
  }
}
