import { ScoutsError } from "../../../events/errors.ts";
import type { CreatedScoutResponse, CreateScoutRequest } from "../../../events/http/scouts.ts";
import { type ScoutId, scoutId, type UserId } from "../../../events/ids.ts";
import type { SyncMessage } from "../../../events/queues.ts";
import type { NewId } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Queue } from "../../ports/queue.ts";
import type { Table } from "../../ports/table.ts";
import type { Idempotency } from "../../requests/idempotency.ts";
import { describeScout } from "../describe-scout.ts";
import { sealProfile } from "../scout-profile.ts";
import type { ScoutRow } from "../scout-row.ts";
import { hintOrPoll } from "../sync/hint-or-poll.ts";
import type { MailboxStore } from "../watch/mailbox-store.ts";
import { connectBySettings, type SettingsPorts } from "./connect-by-settings.ts";
import { holdingSource } from "./source-hold.ts";
import { describeSees } from "./what-it-sees.ts";

export interface CreateScoutPorts extends SettingsPorts {
  readonly ledger: Table;
  readonly mailboxes: MailboxStore;
  readonly sync: Queue<SyncMessage>;
  readonly newId: NewId;
  readonly log: Log;
}

function newScoutId({ newId }: CreateScoutPorts): ScoutId {
  return scoutId.parse(`sct_${newId()}`);
}

/**
 * Makes a scout under a given id; the one that is there already when the id has been used. One whose source takes settings
 * is connected by this, and looked at at once.
 *
 * @throws source_unknown, source_in_use, scout_deleting, invalid_request (settings); what the connector throws: then there is no scout
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
  // Due at once: should this die before a queue has word of it, the poll cron begins within a minute.
  const connected = reached && { ...reached.facts, connectedAt: nowMs, dueAt: nowMs };
  const row: ScoutRow = { ...of, sourceType, sealed, ...connected, createdAt: nowMs, revision: 0 };
  const create = async () => {
    // A source that tells of news does so by this row, which may be there before its scout is.
    if (reached && !connector.pollOnly) await ports.mailboxes.add(reached.facts.address, of);
    return ports.scouts.create(row);
  };
  const created = reached ? await holdingSource(ports, of, reached.facts.address, create) : await create();
  if (!created) return { ...(await describeScout(ports, await ports.scouts.get(user, id))), sees: null };
  if (reached) await hintOrPoll(ports, row, "connected");
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
