import { decodeTime } from "ulidx";
import type { ErrorCode } from "../../events/error-kinds.ts";
import { isScoutsError } from "../../events/errors.ts";
import { type ScoutResponse, usualRestDays } from "../../events/http/scouts.ts";
import { scoutId, type UserId } from "../../events/ids.ts";
import { ledgerKey, ledgerPrefix, scoutOfKey } from "../keys.ts";
import type { Log } from "../ports/log.ts";
import type { Item, Table } from "../ports/table.ts";
import { isUnopenable, type RingSealer } from "../privacy/ring-sealer.ts";
import { readEach, tellDamage } from "../stored-row.ts";
import { openProfile } from "./scout-profile.ts";
import { isAtWork, parseScoutRow, type ScoutProfile, type ScoutRow, toldReasonOf } from "./scout-row.ts";

/** What scouts are described with. */
export interface DescribePorts {
  readonly vault: () => Promise<RingSealer>;
}

/** A page of a person's scouts, oldest first; a damaged one is among them, off for that. @param after the `last` of a page */
export async function listScouts(
  ports: DescribePorts & { readonly ledger: Table; readonly log: Log },
  user: UserId,
  page: { after: string | undefined; limit: number },
): Promise<{ scouts: ScoutResponse[]; last?: string }> {
  const { pk } = ledgerKey.user(user);
  const start = page.after === undefined ? {} : { start: { pk, sk: `${ledgerPrefix.scouts}${page.after}` } };
  const query = { hash: pk, prefix: ledgerPrefix.scouts, consistent: true, limit: page.limit, ...start };
  const { items, next } = await ports.ledger.query(query);
  const scouts = await Promise.all(items.map((item) => describeStored(ports, item)));
  const last = next && scouts.at(-1)?.id;
  return last === undefined ? { scouts } : { scouts, last };
}

/** A scout from its row; one whose row is damaged keeps no other from its owner's sight. */
async function describeStored(ports: DescribePorts & { readonly log: Log }, item: Item): Promise<ScoutResponse> {
  const {
    read: [row],
    damaged: [damaged],
  } = readEach([item], parseScoutRow);
  if (row) return describeScout(ports, row);
  if (damaged) tellDamage(damaged.error, ports.log, "listScouts");
  return describeDamaged(item);
}

/** What is known of a scout whose row cannot be read: its key, and that it is off for that. */
function describeDamaged(item: Item): ScoutResponse {
  const id = scoutId.parse(scoutOfKey(item));
  const { sourceType } = item;
  return {
    id,
    sourceType: typeof sourceType === "string" ? sourceType : "unknown",
    name: id,
    purpose: "",
    connected: false,
    paused: false,
    autoTrash: false,
    mutedSenders: 0,
    pauseAfterDays: usualRestDays,
    schedule: null,
    disabledCode: "row_damaged",
    disabledAt: null,
    failing: null,
    restingSince: null,
    createdAt: decodeTime(id.slice("sct_".length)),
    lastRunAt: null,
    nextRunAt: null,
  };
}

/** A scout as its owner sees it; by its id and off where its name cannot be read. */
export async function describeScout(ports: DescribePorts, row: ScoutRow): Promise<ScoutResponse> {
  const { name, purpose, code } = await profileOf(ports, row);
  return {
    id: row.scoutId,
    sourceType: row.sourceType,
    name,
    purpose,
    connected: row.address !== undefined,
    paused: row.paused ?? false,
    autoTrash: row.autoTrash ?? false,
    mutedSenders: Object.keys(row.muted ?? {}).length,
    pauseAfterDays: row.pauseAfterInactiveDays ?? usualRestDays,
    schedule: row.schedule ?? null,
    disabledCode: row.disabledCode ?? code,
    disabledAt: row.disabledAt ?? null,
    failing: failingOf(row),
    restingSince: row.inactiveAt ?? null,
    createdAt: row.createdAt,
    lastRunAt: row.lastRunAt ?? null,
    nextRunAt: isAtWork(row) ? (row.dueAt ?? null) : null,
  };
}

async function profileOf({ vault }: DescribePorts, row: ScoutRow): Promise<ScoutProfile & { code: ErrorCode | null }> {
  try {
    return { ...(await openProfile(await vault(), row)).reveal(), code: null };
  } catch (error) {
    if (!isScoutsError(error) || !(isUnopenable(error) || error.code === "row_damaged")) throw error;
    return { name: row.scoutId, purpose: "", code: error.code };
  }
}

/** Runs that fail, while the scout is at work. */
function failingOf(row: ScoutRow): ScoutResponse["failing"] {
  const { failures = 0, failureCode: code } = row;
  if (failures === 0 || code === undefined || !isAtWork(row)) return null;
  return { count: failures, code, ...toldReasonOf(row), since: row.failingSince ?? row.failedAt ?? null };
}
