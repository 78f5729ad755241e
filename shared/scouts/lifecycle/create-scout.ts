import { decodeTime } from "ulidx";
import type { ErrorCode } from "../../../events/error-kinds.ts";
import { isScoutsError, ScoutsError } from "../../../events/errors.ts";
import {
  type CreatedScoutResponse,
  type CreateScoutRequest,
  type ScoutResponse,
  usualRestDays,
} from "../../../events/http/scouts.ts";
import { type ScoutId, scoutId, type UserId } from "../../../events/ids.ts";
import type { SyncMessage } from "../../../events/queues.ts";
import { ledgerKey, ledgerPrefix, scoutOfKey } from "../../keys.ts";
import type { NewId } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Queue } from "../../ports/queue.ts";
import type { Item, Table } from "../../ports/table.ts";
import { isUnopenable, type RingSealer } from "../../privacy/ring-sealer.ts";
import type { Idempotency } from "../../requests/idempotency.ts";
import { readEach, tellDamage } from "../../stored-row.ts";
import { openProfile, sealProfile } from "../scout-profile.ts";
import { isAtWork, parseScoutRow, type ScoutProfile, type ScoutRow } from "../scout-row.ts";
import { syncHint } from "../sync/sync-hint.ts";
import type { MailboxStore } from "../watch/mailbox-store.ts";
import { connectBySettings, type SettingsPorts } from "./connect-by-settings.ts";
import { holdingSource } from "./source-hold.ts";
import { describeSees } from "./what-it-sees.ts";

/** What scouts are described with. */
export interface DescribePorts {
  readonly vault: () => Promise<RingSealer>;
}

export interface CreateScoutPorts extends SettingsPorts {
  readonly ledger: Table;
  readonly mailboxes: MailboxStore;
  readonly sync: Queue<SyncMessage>;
  readonly newId: NewId;
}

function newScoutId({ newId }: CreateScoutPorts): ScoutId {
  return scoutId.parse(`sct_${newId()}`);
}

/**
 * Makes a scout under a given id; the one that is there already when the id has been used. One whose source takes settings
 * is connected by this, and looked at at once.
 *
 * @throws source_unknown, source_in_use, invalid_request (settings); what the connector throws: then there is no scout
 */
export async function createScout(
  ports: CreateScoutPorts,
  user: UserId,
  request: CreateScoutRequest,
  id: ScoutId = newScoutId(ports),
): Promise<CreatedScoutResponse> {
  const connector = ports.connectors.get(request.sourceType);
  if (!connector) throw unknownSource(ports);
  const of = { userId: user, scoutId: id };
  const { name, purpose, sourceType } = request;
  const reached = await connectBySettings(ports, of, request);
  const sealed = await sealProfile(await ports.vault(), of, { name, purpose });
  const nowMs = ports.clock();
  // Due at once: should this die before the message below is sent, the poll cron begins within a minute.
  const connected = reached && { ...reached.facts, connectedAt: nowMs, dueAt: nowMs };
  const row: ScoutRow = { ...of, sourceType, sealed, ...connected, createdAt: nowMs, revision: 0 };
  const create = async () => {
    // A source that tells of news does so by this row, which may be there before its scout is.
    if (reached && !connector.pollOnly) await ports.mailboxes.add(reached.facts.address, of);
    return ports.scouts.create(row);
  };
  const created = reached ? await holdingSource(ports, of, reached.facts.address, create) : await create();
  if (!created) return { ...(await describeScout(ports, await ports.scouts.get(user, id))), sees: null };
  if (reached) await ports.sync.send([syncHint(of, "connected", ports.newId())]);
  const sees = reached ? describeSees(connector, row, reached.sees, nowMs) : null;
  return { ...(await describeScout(ports, row)), sees };
}

const unknownSource = ({ connectors }: CreateScoutPorts) =>
  new ScoutsError("source_unknown", { data: { known: [...connectors.keys()].sort().join(", ") } });

/** {@link createScout} for a request that names a key: sent again, it answers with the scout it made the first time. */
export async function createScoutOnce(
  ports: CreateScoutPorts & { readonly idempotency: Idempotency },
  user: UserId,
  key: string,
  request: CreateScoutRequest,
): Promise<CreatedScoutResponse> {
  if (!ports.connectors.has(request.sourceType)) throw unknownSource(ports);
  const asked = { user, operation: "createScout", key, body: request };
  const { resultId, finished } = await ports.idempotency.claim(asked, newScoutId(ports));
  const id = scoutId.parse(resultId);
  if (finished) return { ...(await describeScout(ports, await ports.scouts.get(user, id))), sees: null };
  const made = await createScout(ports, user, request, id);
  await ports.idempotency.finish(asked);
  return made;
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
  const id = scoutId.parse(scoutOfKey(item));
  const { sourceType } = item;
  return {
    ...{ id, name: id, purpose: "", sourceType: typeof sourceType === "string" ? sourceType : "unknown" },
    ...{ connected: false, paused: false, autoTrash: false, mutedSenders: 0, pauseAfterDays: usualRestDays },
    ...{ schedule: null, disabledCode: "row_damaged", disabledAt: null, failing: null, restingSince: null },
    ...{ createdAt: decodeTime(id.slice("sct_".length)), lastRunAt: null, nextRunAt: null },
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
function failingOf({ failures = 0, failureCode, failingSince, failedAt, ...row }: ScoutRow): ScoutResponse["failing"] {
  if (failures === 0 || failureCode === undefined || !isAtWork(row)) return null;
  return { count: failures, code: failureCode, since: failingSince ?? failedAt ?? null };
}
