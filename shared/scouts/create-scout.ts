import { ulid } from "ulidx";
import { ScoutsError } from "../../events/errors.ts";
import type { CreateScoutRequest, ScoutResponse } from "../../events/http.ts";
import { scoutId, type UserId } from "../../events/ids.ts";
import type { Clock } from "../ports/clock.ts";
import type { RingSealer } from "../privacy/ring-sealer.ts";
import { connectBySettings } from "./connect-by-settings.ts";
import type { ConnectorRegistry } from "./connectors/connector.ts";
import type { ScoutRow } from "./scout-row.ts";
import { openProfile, type ScoutStore, sealProfile } from "./scout-store.ts";

export interface ScoutAdminPorts {
  readonly scouts: ScoutStore;
  readonly vault: () => Promise<RingSealer>;
  readonly connectors: ConnectorRegistry;
  readonly clock: Clock;
}

/** @throws source_unknown */
export async function createScout(
  ports: ScoutAdminPorts,
  user: UserId,
  request: CreateScoutRequest,
): Promise<ScoutResponse> {
  if (!ports.connectors.has(request.sourceType)) throw new ScoutsError("source_unknown");
  const of = { userId: user, scoutId: scoutId.parse(`sct_${ulid()}`) };
  const { name, purpose, sourceType } = request;
  const connected = await connectBySettings(ports, of, request);
  const sealed = await sealProfile(await ports.vault(), of, { name, purpose });
  const row: ScoutRow = { ...of, sourceType, sealed, ...connected, createdAt: ports.clock(), revision: 0 };
  if (!(await ports.scouts.create(row))) throw new ScoutsError("conflict");
  return describeScout(ports, row);
}

/** A scout as its owner sees it. */
export async function describeScout(ports: ScoutAdminPorts, row: ScoutRow): Promise<ScoutResponse> {
  const profile = await openProfile(await ports.vault(), row);
  return {
    id: row.scoutId,
    sourceType: row.sourceType,
    ...profile.reveal(),
    connected: row.address !== undefined,
    disabledCode: row.disabledCode ?? null,
    createdAt: row.createdAt,
    lastRunAt: row.lastRunAt ?? null,
    nextRunAt: row.dueAt ?? null,
  };
}
