import { ScoutsError } from "../../../events/errors.ts";
import type { CreateScoutRequest, ScoutResponse } from "../../../events/http.ts";
import { type ScoutId, scoutId, type UserId } from "../../../events/ids.ts";
import { ledgerKey, ledgerPrefix } from "../../keys.ts";
import type { Clock, NewId } from "../../ports/clock.ts";
import type { Table } from "../../ports/table.ts";
import type { RingSealer } from "../../privacy/ring-sealer.ts";
import type { Idempotency } from "../../requests/idempotency.ts";
import type { ConnectorRegistry } from "../connectors/connector.ts";
import { isAtWork, parseScoutRow, type ScoutRow } from "../scout-row.ts";
import { openProfile, type ScoutStore, sealProfile } from "../scout-store.ts";
import { connectBySettings } from "./connect-by-settings.ts";

export interface ScoutAdminPorts {
  readonly scouts: ScoutStore;
  readonly vault: () => Promise<RingSealer>;
  readonly connectors: ConnectorRegistry;
  readonly clock: Clock;
  readonly newId: NewId;
}

function newScoutId({ newId }: ScoutAdminPorts): ScoutId {
  return scoutId.parse(`sct_${newId()}`);
}

/**
 * Makes a scout under a given id; the one that is there already when the id has been used.
 *
 * @throws source_unknown
 */
export async function createScout(
  ports: ScoutAdminPorts,
  user: UserId,
  request: CreateScoutRequest,
  id: ScoutId = newScoutId(ports),
): Promise<ScoutResponse> {
  if (!ports.connectors.has(request.sourceType)) throw new ScoutsError("source_unknown");
  const of = { userId: user, scoutId: id };
  const { name, purpose, sourceType } = request;
  const connected = await connectBySettings(ports, of, request);
  const sealed = await sealProfile(await ports.vault(), of, { name, purpose });
  const row: ScoutRow = { ...of, sourceType, sealed, ...connected, createdAt: ports.clock(), revision: 0 };
  const created = await ports.scouts.create(row);
  return describeScout(ports, created ? row : await ports.scouts.get(user, id));
}

/** {@link createScout} for a request that names a key: sent again, it answers with the scout it made the first time. */
export async function createScoutOnce(
  ports: ScoutAdminPorts & { readonly idempotency: Idempotency },
  user: UserId,
  key: string,
  request: CreateScoutRequest,
): Promise<ScoutResponse> {
  if (!ports.connectors.has(request.sourceType)) throw new ScoutsError("source_unknown");
  const asked = { user, operation: "createScout", key, body: request };
  const { resultId, finished } = await ports.idempotency.claim(asked, newScoutId(ports));
  const id = scoutId.parse(resultId);
  if (finished) return describeScout(ports, await ports.scouts.get(user, id));
  const made = await createScout(ports, user, request, id);
  await ports.idempotency.finish(asked);
  return made;
}

/** A page of a person's scouts, oldest first. @param after the `last` of a page */
export async function listScouts(
  ports: ScoutAdminPorts & { readonly ledger: Table },
  user: UserId,
  page: { after: string | undefined; limit: number },
): Promise<{ scouts: ScoutResponse[]; last?: string }> {
  const { pk } = ledgerKey.user(user);
  const start = page.after === undefined ? {} : { start: { pk, sk: `${ledgerPrefix.scouts}${page.after}` } };
  const query = { hash: pk, prefix: ledgerPrefix.scouts, consistent: true, limit: page.limit, ...start };
  const { items, next } = await ports.ledger.query(query);
  const rows = items.map(parseScoutRow);
  const scouts = await Promise.all(rows.map((row) => describeScout(ports, row)));
  const last = next && rows.at(-1)?.scoutId;
  return last === undefined ? { scouts } : { scouts, last };
}

/** A scout as its owner sees it. */
export async function describeScout(ports: ScoutAdminPorts, row: ScoutRow): Promise<ScoutResponse> {
  const profile = await openProfile(await ports.vault(), row);
  return {
    id: row.scoutId,
    sourceType: row.sourceType,
    ...profile.reveal(),
    connected: row.address !== undefined,
    paused: row.paused ?? false,
    autoTrash: row.autoTrash ?? false,
    schedule: row.schedule ?? null,
    disabledCode: row.disabledCode ?? null,
    createdAt: row.createdAt,
    lastRunAt: row.lastRunAt ?? null,
    nextRunAt: isAtWork(row) ? (row.dueAt ?? null) : null,
  };
}
