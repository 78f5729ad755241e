import { isScoutsError } from "../../events/errors.ts";
import type { ServerFrame } from "../../events/frames/frames.ts";
import type { DeviceId, UserId } from "../../events/ids.ts";
import { scoutOfKey } from "../keys.ts";
import { keepsPartBack } from "../outcome/outcome.ts";
import type { Clock } from "../ports/clock.ts";
import type { Connections } from "../ports/connections.ts";
import type { Log } from "../ports/log.ts";
import type { ConnectorRegistry, ItemMetadata } from "../scouts/connectors/connector.ts";
import { type ItemRow, isExpired } from "../scouts/items/item-row.ts";
import type { ItemStore } from "../scouts/items/item-store.ts";
import { readMetadata } from "../scouts/items/read-metadata.ts";
import type { SourceQuota } from "../scouts/quota/source-quota.ts";
import type { ScoutRow } from "../scouts/scout-row.ts";
import type { ScoutStore } from "../scouts/scout-store.ts";
import type { FreshProposal } from "../scouts/triage/triage.ts";
import { tellDamage } from "../stored-row.ts";
import type { ConnectionStore } from "./connection-store.ts";
import { postOfPage } from "./post-proposal.ts";
import { closedFrame, proposalFrame } from "./proposal-frame.ts";
import { handedBack, handedOn, olderPart, type PageRead, type PullCursor, readPullCursor } from "./pull-cursor.ts";
import { together } from "./together.ts";

/** How many items of a page are read from their source at once; each lot is one write to their mailboxes' quota. */
const readsAtOnce = 50;
/** The same for a source that reads one by one. */
const singleReadsAtOnce = 10;

export interface DeliveryPorts {
  readonly items: ItemStore;
  readonly scouts: ScoutStore;
  readonly quota: SourceQuota;
  readonly connections: ConnectionStore;
  readonly sockets: Connections;
  readonly connectors: ConnectorRegistry;
  readonly clock: Clock;
  readonly log: Log;
}

interface PulledBy {
  readonly userId: UserId;
  readonly deviceId: DeviceId;
  readonly connectionId: string;
}

interface PullRequest {
  readonly after?: string | undefined;
  readonly limit: number;
  /** Until when the device certainly holds what it has acknowledged. */
  readonly acksUntil?: number | undefined;
}

/** Gets proposals onto a person's devices. */
export class Delivery {
  readonly #ports: DeliveryPorts;

  constructor(ports: DeliveryPorts) {
    this.#ports = ports;
  }

  /** The shortcut at triage time, straight from memory. */
  async sendFresh(proposals: readonly FreshProposal[]): Promise<void> {
    const toEach = [...byUser(proposals, (each) => each.row.userId)].map(([user, own]) => {
      const frames = own.map(({ row, item, reason }) => proposalFrame(row, item, reason));
      return this.toEveryDevice(user, frames);
    });
    await Promise.all(toEach);
  }

  /** The shortcut once more, for items whose worker died between verdict and post. */
  async sendAgain(rows: readonly ItemRow[]): Promise<void> {
    for (const [user, own] of byUser(rows, (row) => row.userId)) {
      const connections = await this.#ports.connections.list(user, this.#ports.clock());
      if (connections.length === 0) continue;
      await this.toEveryDevice(user, (await this.#readFrames(own)).frames);
    }
  }

  /** A device that cannot be reached now is passed over: it keeps nothing from the others, and finds out by pulling. */
  async toEveryDevice(user: UserId, frames: readonly ServerFrame[], except?: string): Promise<void> {
    const connections = await this.#ports.connections.list(user, this.#ports.clock());
    await Promise.all(
      connections
        .filter(({ connectionId }) => connectionId !== except)
        .map(async ({ connectionId, takesProposals }) => {
          try {
            await this.#postAll(user, connectionId, takesProposals ? together(frames) : frames);
          } catch (error) {
            this.#ports.log.error("frames_not_posted", error, { count: frames.length });
          }
        }),
    );
  }

  /**
   * Answers one pull: a page of the person's open proposals after the device's cursor that this device has not stored
   * yet, or has lost since, each read afresh from its source. Those that expired before any device had stored them come behind all
   * that are open, closed. What has to wait keeps nothing from the others, on this page or behind it; the device begins there next time.
   */
  async pull(to: PulledBy, request: PullRequest): Promise<{ count: number; next?: string; resume?: string }> {
    const nowMs = this.#ports.clock();
    const cursor = readPullCursor(request.after, nowMs);
    const page = await this.#page(to, cursor, request);
    const older = olderPart(cursor, page, nowMs);
    if (!older) return { count: page.count, ...handedBack(cursor, page, nowMs) };
    const room = request.limit - page.size;
    if (room <= 0) return { count: page.count, ...handedOn(cursor, older) };
    const rest = await this.#page(to, older, { ...request, limit: room });
    return { count: page.count + rest.count, ...handedBack(older, rest, nowMs) };
  }

  async #page(
    to: PulledBy,
    cursor: PullCursor,
    { limit, acksUntil }: PullRequest,
  ): Promise<PageRead & { count: number; size: number }> {
    const nowMs = this.#ports.clock();
    const { rows, damaged, last } = await this.#ports.items.openAfter(to.userId, cursor, limit);
    for (const { error } of damaged) tellDamage(error, this.#ports.log, "delivery");
    const missing = rows.filter(({ on }) => !holds(on[to.deviceId], acksUntil, nowMs));
    const { frames, firstWaiting } = await this.#readFrames(missing);
    await this.#postAll(to.userId, to.connectionId, frames);
    const count = frames.filter((frame) => frame.type === "scout_proposal").length;
    return { last, lastRead: rows.at(-1)?.openAt, waits: firstWaiting?.openAt, count, size: rows.length };
  }

  /**
   * Reads items at their sources, in order. Those that have to wait are left out, the first of them is named: a mail server
   * that is down for days keeps nothing of other scouts.
   */
  async #readFrames(rows: readonly ItemRow[]): Promise<{ frames: ServerFrame[]; firstWaiting?: ItemRow }> {
    const frames: ServerFrame[] = [];
    let firstWaiting: ItemRow | undefined;
    const { scouts, unreadable } = await this.#scoutsOf(rows);
    for (let start = 0; start < rows.length; start += readsAtOnce) {
      const some = rows.slice(start, start + readsAtOnce);
      const nowMs = this.#ports.clock();
      const owed = some.filter((row) => !isSeenAndExpired(row, nowMs) && !unreadable.has(row.scoutId));
      const waiting = await this.#overQuota(owed, scouts);
      const readable = owed.filter((row) => !waiting.has(row.scoutId));
      const read = await readMetadata(this.#ports.connectors, scouts, readable, singleReadsAtOnce);
      for (const row of some) {
        const told = await this.#framesOf(row, read.get(row), nowMs);
        if (told === "later") firstWaiting ??= row;
        else frames.push(...told);
      }
    }
    return firstWaiting === undefined ? { frames } : { frames, firstWaiting };
  }

  /** Those of the items, and those of which it cannot be read whose source they look at: their items wait. */
  async #scoutsOf(
    items: readonly ItemRow[],
  ): Promise<{ scouts: ReadonlyMap<string, ScoutRow>; unreadable: ReadonlySet<string> }> {
    const ids = new Map(items.map((row) => [row.scoutId, row]));
    const { rows, damaged } = await this.#ports.scouts.getEach([...ids.values()]);
    for (const { error } of damaged) tellDamage(error, this.#ports.log, "delivery");
    return {
      scouts: new Map(rows.map((scout) => [scout.scoutId, scout])),
      unreadable: new Set(damaged.map(({ row }) => scoutOfKey(row))),
    };
  }

  /** Scouts whose mailboxes do not allow as many reads now. */
  async #overQuota(rows: readonly ItemRow[], scouts: ReadonlyMap<string, ScoutRow>): Promise<ReadonlySet<string>> {
    const { quota, connectors } = this.#ports;
    const over = await Promise.all(
      [...Map.groupBy(rows, ({ scoutId }) => scoutId)].map(async ([scoutId, own]) => {
        const scout = scouts.get(scoutId);
        const limits = scout && connectors.get(scout.sourceType)?.limits;
        if (!scout || !limits) return [];
        const taken = await quota.take(scout, limits, own.length * limits.costs.read);
        return taken.granted ? [] : [scoutId];
      }),
    );
    return new Set(over.flat());
  }

  /** What has expired unseen is closed before it is told, so that it is nowhere taken for news. */
  async #framesOf(
    row: ItemRow,
    read: ItemMetadata | Error | undefined,
    nowMs: number,
  ): Promise<readonly ServerFrame[] | "later"> {
    if (isSeenAndExpired(row, nowMs)) return [await this.#close(row, "expired")];
    const frame = await this.#frameOf(row, read);
    if (frame === "later") return frame;
    const hasExpired = row.status === "expired" || isExpired(row, nowMs);
    return hasExpired && frame.type === "scout_proposal" ? [await this.#close(row, "expired"), frame] : [frame];
  }

  async #frameOf(row: ItemRow, read: ItemMetadata | Error | undefined): Promise<ServerFrame | "later"> {
    if (read === undefined) return "later";
    if (!(read instanceof Error)) return read.present ? proposalFrame(row, read, null) : this.#close(row, "gone");
    if (isScoutsError(read, "item_gone")) return this.#close(row, "gone");
    this.#ports.log.error("metadata_not_read", read, { scoutId: row.scoutId, ref: row.ref });
    // Access was withdrawn, say: the proposal is owed all the same, and goes out bare.
    const isOwed = isScoutsError(read) && (read.kind.retry === "never" || keepsPartBack(read.code));
    return isOwed ? proposalFrame(row, null, null) : "later";
  }

  /** What has expired unseen is closed already where it is told once more. */
  async #close(row: ItemRow, reason: "gone" | "expired"): Promise<ServerFrame> {
    if (row.status !== reason) await this.#ports.items.close(row, reason, this.#ports.clock());
    return closedFrame(row, reason);
  }

  async #postAll(user: UserId, connectionId: string, frames: readonly ServerFrame[]): Promise<void> {
    for (const frame of frames) {
      if ((await postOfPage(this.#ports, connectionId, frame)) === "sent") continue;
      await this.#ports.connections.remove(user, connectionId);
      return;
    }
  }
}

/** Somebody's device has it, and said or will say there that nobody has decided it. */
const isSeenAndExpired = (row: ItemRow, nowMs: number): boolean => row.status === "delivered" && isExpired(row, nowMs);

/**
 * Whether a device has what it acknowledged at a time: also what it did after the time until which it says so where that is yet to
 * come, as this clock has stepped back since.
 */
function holds(ackedAtMs: number | undefined, untilMs: number | undefined, nowMs: number): boolean {
  if (ackedAtMs === undefined) return false;
  return untilMs === undefined || ackedAtMs <= untilMs || ackedAtMs > nowMs;
}

function byUser<T>(all: readonly T[], userOf: (each: T) => UserId): Map<UserId, T[]> {
  return Map.groupBy(all, userOf);
}
