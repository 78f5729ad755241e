import { ScoutsError } from "../../../events/errors.ts";
import type { CreateScoutRequest } from "../../../events/http.ts";
import type { Clock } from "../../ports/clock.ts";
import type { RingSealer } from "../../privacy/ring-sealer.ts";
import type { ConnectorRegistry, ScoutAtSource } from "../connectors/connector.ts";
import { type ScoutRow, sealingContext } from "../scout-row.ts";
import { defaultIntervalMs } from "../sync/schedule.ts";

export interface ConnectPorts {
  readonly vault: () => Promise<RingSealer>;
  readonly connectors: ConnectorRegistry;
  readonly clock: Clock;
}

/**
 * Connects a scout whose source takes settings, before its row is written: the row that results is connected, and is
 * polled from now on. Nothing for a source that takes a consent.
 *
 * @throws source_unknown, invalid_request when settings are missing, not asked for or another source's; what the
 * connector throws
 */
export async function connectBySettings(
  ports: ConnectPorts,
  of: ScoutAtSource,
  { sourceType, settings }: CreateScoutRequest,
): Promise<Pick<ScoutRow, "sealedSettings" | "address" | "cursor" | "dueAt">> {
  const connector = ports.connectors.get(sourceType);
  if (!connector) throw new ScoutsError("source_unknown");
  if (connector.connectWith === undefined && settings === undefined) return {};
  if (settings?.sourceType !== sourceType || connector.connectWith === undefined) {
    throw new ScoutsError("invalid_request", { data: { where: "settings" } });
  }
  const connected = await connector.connectWith(of, settings);
  const { address, cursor } = connected;
  const sealedSettings = await (await ports.vault()).seal(connected.settings, sealingContext(of, "settings"));
  return { sealedSettings, address, cursor, dueAt: ports.clock() + defaultIntervalMs };
}
