import type { ErrorCode } from "../../events/error-kinds.ts";
import { ScoutsError } from "../../events/errors.ts";
import { type ScoutId, scoutId, type UserId } from "../../events/ids.ts";
import type { SyncCause } from "../../events/queues.ts";
import { type Account, parseAccount } from "../billing/account-row.ts";
import { due } from "../index-entries.ts";
import { ledgerKey, ledgerPrefix, scoutOfKey } from "../keys.ts";
import { everyItem } from "../ports/every-item.ts";
import { changeOf } from "../ports/row-change.ts";
import type { Condition, Item, Table, Value } from "../ports/table.ts";
import { type DamagedRow, readEach } from "../stored-row.ts";
import type { Gap, Position } from "./connectors/connector.ts";
import {
  type FailureFacts,
  failureFacts,
  parseScoutRow,
  reasonFacts,
  type ScoutRow,
  type StoredScout,
  watchFacts,
  whileAtWork,
  whileIdle,
} from "./scout-row.ts";

/** What connecting to a source has found. */
interface Connection {
  readonly address: string;
  readonly cursor: string;
  readonly sealedSettings?: string;
  readonly dueAtMs: number;
  readonly nowMs: number;
}

/** Looks take seconds, a write milliseconds: whoever loses so often has met something else. */
const maxTries = 5;

/** Scouts in the Ledger. */
export class ScoutStore {
  readonly #ledger: Table;

  constructor(ledger: Table) {
    this.#ledger = ledger;
  }

  async find(user: UserId, scout: ScoutId): Promise<ScoutRow | undefined> {
    const item = await this.#ledger.get(ledgerKey.scout(user, scout));
    return item && parseScoutRow(item);
  }

  /** @throws scout_not_found */
  async get(user: UserId, scout: ScoutId): Promise<ScoutRow> {
    const row = await this.find(user, scout);
    if (!row) throw new ScoutsError("scout_not_found", { data: { scoutId: scout } });
    return row;
  }

  /**
   * A scout and what its owner's account says, read together.
   *
   * @throws scout_not_found
   */
  async getWithAccount(user: UserId, scout: ScoutId): Promise<{ row: ScoutRow; account: Account }> {
    const keys = { scout: ledgerKey.scout(user, scout), account: ledgerKey.user(user) };
    const items = await this.#ledger.getMany([keys.scout, keys.account]);
    const row = items.find(({ sk }) => sk === keys.scout.sk);
    if (!row) throw new ScoutsError("scout_not_found", { data: { scoutId: scout } });
    return { row: parseScoutRow(row), account: parseAccount(items.find(({ sk }) => sk === keys.account.sk)) };
  }

  /** Those that exist, in no order, and damaged ones apart; at most 100. */
  async getEach(
    ids: readonly { userId: UserId; scoutId: ScoutId }[],
  ): Promise<{ rows: readonly ScoutRow[]; damaged: readonly DamagedRow<Item>[] }> {
    const items = await this.#ledger.getMany(ids.map(({ userId, scoutId }) => ledgerKey.scout(userId, scoutId)));
    const { read, damaged } = readEach(items, parseScoutRow);
    return { rows: read, damaged };
  }

  /** Which a person has, damaged ones among them. */
  async ids(user: UserId): Promise<readonly ScoutId[]> {
    const { rows, damaged } = await this.listEach(user);
    return [...rows.map((row) => row.scoutId), ...damaged.map(({ row }) => scoutId.parse(scoutOfKey(row)))];
  }

  /** All of a person's. @throws row_damaged */
  async list(user: UserId): Promise<readonly ScoutRow[]> {
    const { rows, damaged } = await this.listEach(user);
    for (const { error } of damaged) throw error;
    return rows;
  }

  /** The same, damaged ones apart: the positions of feeds are long, so that some sixty may be more than one page. */
  async listEach(user: UserId): Promise<{ rows: readonly ScoutRow[]; damaged: readonly DamagedRow<Item>[] }> {
    const { pk } = ledgerKey.user(user);
    const items = await everyItem(this.#ledger, { hash: pk, prefix: ledgerPrefix.scouts, consistent: true });
    const { read, damaged } = readEach(items, parseScoutRow);
    return { rows: read, damaged };
  }

  async create(row: ScoutRow): Promise<boolean> {
    const key = ledgerKey.scout(row.userId, row.scoutId);
    const entry = row.dueAt === undefined ? {} : due.at("scout", row.scoutId, row.dueAt);
    return this.#ledger.put({ ...key, ...withoutUndefined(row), ...entry }, { absent: ["pk"] });
  }

  /**
   * Moves the position on, unless somebody else has since it was read:
   *
   *   run A  reads revision 7 ─ lists, queues ────────────────── commits 7→8 ✗ (it is 8): its refs are queued all the
   *   run B      reads revision 7 ─ lists, queues ─ commits 7→8 ✓                same, and the next run starts from B's
   *
   * Either commit covers only what its own run queued, so nothing is skipped whichever wins. A scout that has stopped
   * working meanwhile keeps its place too.
   *
   * @param run.failed of one that could not look at all of its source: it counts as one that failed, and moves on all the same
   */
  async commitPosition(
    row: ScoutRow,
    position: Position,
    run: { nowMs: number; dueAtMs: number; gap?: Gap; failed?: FailureFacts; causes?: ReadonlySet<SyncCause> },
  ): Promise<boolean> {
    const set = {
      cursor: position.cursor,
      page: position.page,
      lastRunAt: run.nowMs,
      revision: row.revision + 1,
      ...(run.gap ? { gapFrom: run.gap.fromMs, gapTo: run.gap.toMs, gapMissed: run.gap.missed === true } : {}),
      ...(run.causes?.has("push") ? { lastPushAt: run.nowMs } : {}),
      ...(run.causes?.has("poll") ? { lastPollAt: run.nowMs } : {}),
      ...run.failed,
    };
    const remove = [...(run.failed ? [] : failureFacts), ...(position.page === undefined ? (["page"] as const) : [])];
    const unmoved: Condition =
      row.revision === 0
        ? { any: [{ absent: ["revision"] }, { path: ["revision"], is: "=", value: 0 }] }
        : { path: ["revision"], is: "=", value: row.revision };
    const key = ledgerKey.scout(row.userId, row.scoutId);
    const working = changeOf<StoredScout>({ set: { ...set, ...due.at("scout", row.scoutId, run.dueAtMs) }, remove });
    if (await this.#ledger.update(key, working, { all: [whileAtWork, unmoved] })) return true;
    const idle = changeOf<StoredScout>({ set, remove });
    return (await this.#ledger.update(key, idle, { all: [whileIdle, unmoved] })) !== false;
  }

  /** Says when the scout is to be looked at next, leaving its position alone. */
  async schedule(user: UserId, scout: ScoutId, dueAtMs: number, when: Condition = { exists: ["pk"] }): Promise<void> {
    const change = changeOf<StoredScout>({ set: due.at("scout", scout, dueAtMs) });
    await this.#ledger.update(ledgerKey.scout(user, scout), change, when);
  }

  /** Nothing is left to do for a scout that is not at work: it leaves the `due` index. */
  async settledIdle(user: UserId, scout: ScoutId): Promise<void> {
    const change = changeOf<StoredScout>({ remove: [...due.attributes, ...watchFacts] });
    await this.#ledger.update(ledgerKey.scout(user, scout), change, whileIdle);
  }

  /** The mailbox it was on before is left. */
  async leftFormer(user: UserId, scout: ScoutId, formerAddress: string): Promise<void> {
    const same = { path: ["formerAddress"], is: "=", value: formerAddress } as const;
    const change = changeOf<StoredScout>({ remove: ["formerAddress"] });
    await this.#ledger.update(ledgerKey.scout(user, scout), change, same);
  }

  /** Ends a rest: back at work from now on. `false` when it did not rest. */
  async wake({ userId, scoutId }: ScoutRow, nowMs: number): Promise<boolean> {
    const change = changeOf<StoredScout>({
      set: { ...due.at("scout", scoutId, nowMs), maintainedAt: nowMs },
      remove: ["inactiveAt", ...watchFacts],
    });
    return (await this.#ledger.update(ledgerKey.scout(userId, scoutId), change, { exists: ["inactiveAt"] })) !== false;
  }

  /** A run failed: how often in a row, since when, why, and when it is tried again. */
  async failed(
    user: UserId,
    scout: ScoutId,
    { dueAtMs, ...facts }: Omit<FailureFacts, "failures"> & { dueAtMs: number },
  ): Promise<void> {
    await this.#ledger.update(
      ledgerKey.scout(user, scout),
      changeOf<StoredScout>({
        set: { ...facts, ...due.at("scout", scout, dueAtMs) },
        remove: reasonFacts.filter((fact) => facts[fact] === undefined),
        add: { failures: 1 },
      }),
      whileAtWork,
    );
  }

  /**
   * Notes that the owner is told of a wait for the model that began then. Runs of a scout may overlap: the first says so.
   *
   * @returns whether this call noted it
   */
  async heldNews(user: UserId, scout: ScoutId, sinceMs: number): Promise<boolean> {
    const otherWait: Condition = {
      any: [
        { absent: ["heldSince"] },
        { path: ["heldSince"], is: "<", value: sinceMs },
        { path: ["heldSince"], is: ">", value: sinceMs },
      ],
    };
    const change = changeOf<StoredScout>({ set: { heldSince: sinceMs }, remove: ["heldUntil"] });
    const when: Condition = { all: [{ exists: ["pk"] }, otherWait] };
    return (await this.#ledger.update(ledgerKey.scout(user, scout), change, when)) !== false;
  }

  /** Such a wait is over. @returns whether this call noted it */
  async heldOver(user: UserId, scout: ScoutId, sinceMs: number, nowMs: number): Promise<boolean> {
    const change = changeOf<StoredScout>({ set: { heldUntil: nowMs }, remove: ["heldSince"] });
    const when: Condition = { path: ["heldSince"], is: "=", value: sinceMs };
    return (await this.#ledger.update(ledgerKey.scout(user, scout), change, when)) !== false;
  }

  /** The source would not tell us about news. */
  async notWatched(user: UserId, scout: ScoutId, failure: { code: ErrorCode; nowMs: number }): Promise<void> {
    const change = changeOf<StoredScout>({
      set: { watchFailureCode: failure.code, watchFailedAt: failure.nowMs },
    });
    await this.#ledger.update(ledgerKey.scout(user, scout), change, { exists: ["pk"] });
  }

  /** Notes until when the source tells us about news. */
  async watched(user: UserId, scout: ScoutId, expiresAtMs: number): Promise<void> {
    const change = changeOf<StoredScout>({
      set: { watchExpiresAt: expiresAtMs },
      remove: ["watchFailureCode", "watchFailedAt"],
    });
    await this.#ledger.update(ledgerKey.scout(user, scout), change, { exists: ["pk"] });
  }

  /**
   * Switches the scout off with a reason; it keeps its position, and is due once more: its watch is given up then.
   *
   * @returns whether this call did it: `false` when it was off already
   */
  async disable(user: UserId, scout: ScoutId, code: ErrorCode, nowMs: number): Promise<boolean> {
    const answer = await this.#ledger.update(
      ledgerKey.scout(user, scout),
      changeOf<StoredScout>({ set: { disabledCode: code, disabledAt: nowMs, ...due.at("scout", scout, nowMs) } }),
      { all: [{ exists: ["pk"] }, { absent: ["disabledCode"] }] },
    );
    return answer !== false;
  }

  /**
   * As {@link connected}, on whatever a look that ends just now has made of the row: what its owner asked for is not refused
   * because a worker was faster.
   *
   * @throws scout_not_found, scout_deleting; conflict when the row will not stand still
   */
  async noteConnected(row: ScoutRow, connection: Connection): Promise<void> {
    for (let seen = row, tries = 1; ; tries += 1) {
      if (seen.deleting) throw new ScoutsError("scout_deleting");
      if (await this.connected(seen, connection)) return;
      if (tries === maxTries) throw new ScoutsError("conflict", { data: { scoutId: row.scoutId } });
      seen = await this.get(row.userId, row.scoutId);
    }
  }

  /**
   * Connected to its source: from here on `cursor` is where it reads from. Also ends a disablement.
   *
   * @returns `false` when the row has moved on since it was read, or is being deleted
   */
  async connected(row: ScoutRow, connection: Connection): Promise<boolean> {
    const { userId, scoutId, address: before } = row;
    const kept = row.cursor !== undefined && before === connection.address;
    const left = before === connection.address ? {} : { formerAddress: before };
    const answer = await this.#ledger.update(
      ledgerKey.scout(userId, scoutId),
      changeOf<StoredScout>({
        set: {
          address: connection.address,
          sealedSettings: connection.sealedSettings,
          ...left,
          connectedAt: connection.nowMs,
          cursor: kept ? (row.cursor ?? connection.cursor) : connection.cursor,
          revision: row.revision + 1,
          ...due.at("scout", scoutId, connection.dueAtMs),
        },
        remove: [
          "disabledCode",
          "disabledAt",
          "inactiveAt",
          ...watchFacts,
          ...failureFacts,
          ...(kept ? [] : (["page"] as const)),
        ],
      }),
      { all: [{ exists: ["pk"] }, { absent: ["deleting"] }, { path: ["revision"], is: "=", value: row.revision }] },
    );
    return answer !== false;
  }
}

function withoutUndefined(row: ScoutRow): { readonly [attribute: string]: Value } {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as { [a: string]: Value };
}
