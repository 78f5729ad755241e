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
/** Of one shard and tick: what is left has its turn an hour later, when those before are gone. */
const maxStrayPages = 100;
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
 * Deletes everything in Sessions whose time is over, and the objects of sessions that have ended. A row that was
 * prolonged since the index said so stays.
 */
export async function sweepSessions(ports: SweepPorts, nowMs: number): Promise<{ deleted: number; objects: number }> {
  const total = { deleted: 0, objects: 0 };
  for (const hash of shardsOf("session")) {
    for (;;) {
      const page = await ports.sessions.query({ index: sessionsIndex.expiry, hash, to: nowMs, limit: pageSize });
      const swept = await Promise.all(page.items.map(({ pk, sk }) => sweepOne(ports, { pk, sk }, nowMs)));
      const deleted = swept.filter((each) => each.deleted).length;
      total.deleted += deleted;
      for (const each of swept) total.objects += each.objects;
      // No progress means the index lags behind what was prolonged: the next tick sees it as it is.
      if (!page.next || deleted === 0) break;
    }
    if (isStrayCheckDue(nowMs)) total.deleted += await sweepStrays(ports, hash, nowMs);
  }
  return total;
}

/** Rows that lie further ahead than any rule writes. Most of those looked at do not, so it goes through all of them. */
async function sweepStrays(ports: SweepPorts, hash: string, nowMs: number): Promise<number> {
  const from = nowMs + 2 * longestSessionMs;
  let [deleted, start]: [number, Item | undefined] = [0, undefined];
  for (let pages = 0; pages < maxStrayPages; pages += 1) {
    const page: Page = await ports.sessions.query({
      index: sessionsIndex.expiry,
      hash,
      from,
      limit: pageSize,
      ...(start && { start }),
    });
    const swept = await Promise.all(page.items.map(({ pk, sk }) => sweepOne(ports, { pk, sk }, nowMs)));
    deleted += swept.filter((each) => each.deleted).length;
    start = page.next;
    if (start === undefined) break;
  }
  return deleted;
}

interface Swept {
  readonly deleted: boolean;
  readonly objects: number;
}

async function sweepOne(ports: SweepPorts, key: Key, nowMs: number): Promise<Swept> {
  try {
    return await sweepReadable(ports, key, nowMs);
  } catch (error) {
    // One that cannot be read keeps no other.
    tellDamage(error, ports.log, "sweep");
    return { deleted: false, objects: 0 };
  }
}

/** @throws row_damaged */
async function sweepReadable(ports: SweepPorts, key: Key, nowMs: number): Promise<Swept> {
  if (key.sk.startsWith(sessionsPrefix.sessions)) return { deleted: await endSession(ports, key, nowMs), objects: 0 };
  if (key.sk.startsWith(sessionsPrefix.runs)) await ports.endRun?.(key, nowMs);
  // Objects first: the note stays until all of them are gone.
  const objects = key.sk.startsWith(sessionsPrefix.ended) ? await deleteObjects(ports, key) : 0;
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
