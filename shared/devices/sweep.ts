import { isScoutsError } from "../../events/errors.ts";
import { type UserId, userId } from "../../events/ids.ts";
import { sessionsIndex, sessionsPrefix, shardsOf } from "../keys.ts";
import type { Log } from "../ports/log.ts";
import type { Objects } from "../ports/objects.ts";
import type { Item, Key, Page, Table } from "../ports/table.ts";
import { tellDamage } from "../stored-row.ts";
import { isAhead, isStrayCheckDue, noLongerAhead } from "../until.ts";
import { connectionLifeMs } from "./connection-store.ts";
import { endedNote, longestSessionMs, objectPrefix, parseSessionRow, splitSessionKey } from "./session-row.ts";

const pageSize = 100;
/** Of one shard and tick, of which nothing could be deleted: what is left has its turn at the next. */
const maxIdlePages = 100;
/** Functions' clocks differ: a session is over for sure when it has been for so long. */
const skewMs = 60_000;
/** Of what is kept longest here, requests that are made once; a clock that has stepped back two days still knows them. */
const longestOtherMs = 2 * 86_400_000;

const longestLifeMs = ({ sk }: Key) => (sk.startsWith(sessionsPrefix.connections) ? connectionLifeMs : longestOtherMs);

export interface SweepPorts {
  readonly sessions: Table;
  readonly objects: Objects;
  readonly log: Log;
  /** A run's time may be over: says so where it is to be known. */
  readonly endRun?: (key: Key, nowMs: number) => Promise<void>;
}

/**
 * Deletes everything in Sessions whose time is over, keys first, then the objects of sessions that have ended. A row that was
 * prolonged since the index said so stays, and so does one that cannot be deleted now; none keeps another.
 *
 * @throws what came first of what could not be deleted, when all else is: the run has failed all the same
 */
export async function sweepSessions(ports: SweepPorts, nowMs: number): Promise<{ deleted: number; objects: number }> {
  const sweep = new Sweep(ports, nowMs);
  for (const hash of shardsOf("session")) {
    await sweep.pages(hash, { to: nowMs });
    // Rows that lie further ahead than any rule writes. Most of those looked at do not, so it goes through all of them.
    if (isStrayCheckDue(nowMs)) await sweep.pages(hash, { from: nowMs + 2 * longestSessionMs });
  }
  return sweep.end();
}

class Sweep {
  readonly #ports: SweepPorts;
  readonly #nowMs: number;
  readonly #notes: Key[] = [];
  readonly #failures: unknown[] = [];
  #deleted = 0;
  #objects = 0;

  constructor(ports: SweepPorts, nowMs: number) {
    this.#ports = ports;
    this.#nowMs = nowMs;
  }

  /** Sweeps what the index has within a range. What is of the bucket, which may not answer, is left for the end. */
  async pages(hash: string, range: { readonly from?: number; readonly to?: number }): Promise<void> {
    let start: Item | undefined;
    let idle = 0;
    do {
      const query = { index: sessionsIndex.expiry, hash, ...range, limit: pageSize };
      const page: Page = await this.#ports.sessions.query({ ...query, ...(start && { start }) });
      const keys = page.items.map(({ pk, sk }) => ({ pk, sk }));
      const [notes, others] = [keys.filter(isNote), keys.filter((key) => !isNote(key))];
      this.#notes.push(...notes);
      idle = (await this.#sweep(others)) > 0 ? 0 : idle + 1;
      start = page.next;
    } while (start && idle < maxIdlePages);
  }

  async end(): Promise<{ deleted: number; objects: number }> {
    for (let at = 0; at < this.#notes.length; at += pageSize) await this.#sweep(this.#notes.slice(at, at + pageSize));
    if (this.#failures.length > 0) throw this.#failures[0];
    return { deleted: this.#deleted, objects: this.#objects };
  }

  /** @returns how many were deleted */
  async #sweep(keys: readonly Key[]): Promise<number> {
    const swept = await Promise.all(keys.map((key) => this.#one(key)));
    const deleted = swept.filter((each) => each.deleted).length;
    this.#deleted += deleted;
    for (const each of swept) this.#objects += each.objects;
    return deleted;
  }

  async #one(key: Key): Promise<Swept> {
    try {
      return await sweepReadable(this.#ports, key, this.#nowMs);
    } catch (error) {
      if (isScoutsError(error, "row_damaged")) tellDamage(error, this.#ports.log, "sweep");
      else this.#failures.push(error);
      return { deleted: false, objects: 0 };
    }
  }
}

interface Swept {
  readonly deleted: boolean;
  readonly objects: number;
}

const isNote = ({ sk }: Key): boolean => sk.startsWith(sessionsPrefix.ended);

/** @throws row_damaged */
async function sweepReadable(ports: SweepPorts, key: Key, nowMs: number): Promise<Swept> {
  if (key.sk.startsWith(sessionsPrefix.sessions)) return { deleted: await endSession(ports, key, nowMs), objects: 0 };
  if (key.sk.startsWith(sessionsPrefix.runs)) await ports.endRun?.(key, nowMs);
  // Objects first: the note stays until all of them are gone.
  const objects = isNote(key) ? await deleteObjects(ports, key) : 0;
  return {
    deleted: await ports.sessions.delete(key, noLongerAhead(["expiresAt"], nowMs, longestLifeMs(key))),
    objects,
  };
}

/** What no `bye` and no `$disconnect` has ended. */
async function endSession({ sessions }: SweepPorts, key: Key, nowMs: number): Promise<boolean> {
  const item = await sessions.get(key);
  const row = item && parseSessionRow(item);
  if (!row || isAhead(row.expiresAt, nowMs - skewMs, longestSessionMs)) return false;
  await sessions.put(endedNote(splitSessionKey(key).user, row.sessionId, nowMs));
  return sessions.delete(key, noLongerAhead(["expiresAt"], nowMs - skewMs, longestSessionMs));
}

async function deleteObjects({ objects }: SweepPorts, { pk, sk }: Key): Promise<number> {
  const user: UserId = userId.parse(pk.slice("USER#".length));
  return objects.deleteUnder(objectPrefix(user, sk.slice(sessionsPrefix.ended.length)));
}
