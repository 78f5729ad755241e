import { ScoutsError } from "../../../events/errors.ts";
import type { SyncMessage } from "../../../events/queues.ts";
import type { SourceSees } from "../../../events/sources/sees.ts";
import type { SourceSettings } from "../../../events/sources/settings.ts";
import type { NewId } from "../../ports/clock.ts";
import type { Queue } from "../../ports/queue.ts";
import type { ScoutRow } from "../scout-row.ts";
import { syncHint } from "../sync/sync-hint.ts";
import { reconnectBySettings, type SettingsPorts } from "./connect-by-settings.ts";
import { type NotifyRecoveredPorts, notifyRecovered } from "./notify-recovered.ts";
import { describeSees } from "./what-it-sees.ts";

export interface ReconnectPorts extends SettingsPorts, NotifyRecoveredPorts {
  readonly sync: Queue<SyncMessage>;
  readonly newId: NewId;
}

/**
 * Gives a scout access to its source again: reaches it with the settings it has and what is given anew, and has the scout
 * go on where it had stopped, whatever had switched it off. One whose source takes a consent is connected by that.
 *
 * @throws scout_deleting, source_account_other, invalid_request, conflict (changed again and again meanwhile); what the connector throws:
 * then everything is as it was
 */
export async function reconnectScout(
  ports: ReconnectPorts,
  row: ScoutRow,
  changed: SourceSettings,
): Promise<SourceSees> {
  if (row.deleting) throw new ScoutsError("scout_deleting");
  const connector = ports.connectors.get(row.sourceType);
  if (connector?.settings === undefined) throw new ScoutsError("invalid_request", { data: { where: "settings" } });
  const { facts, sees } = await reconnectBySettings(ports, row, connector.settings, changed);
  const nowMs = ports.clock();
  await ports.scouts.noteConnected(row, { ...facts, dueAtMs: nowMs, nowMs });
  const now = await ports.scouts.get(row.userId, row.scoutId);
  await ports.sync.send([syncHint(row, "connected", ports.newId())]);
  await notifyRecovered(ports, now);
  return describeSees(connector, now, sees, nowMs);
}

/** What a connected scout sees at its source now. @throws source_not_connected, reauth, `source_*` */
export async function whatItSees(
  { connectors, clock }: Pick<ReconnectPorts, "connectors" | "clock">,
  row: ScoutRow,
): Promise<SourceSees> {
  const connector = connectors.get(row.sourceType);
  if (!connector) throw new ScoutsError("source_unknown");
  if (row.address === undefined) throw new ScoutsError("source_not_connected", { data: { scoutId: row.scoutId } });
  return describeSees(connector, row, await connector.sees(row), clock());
}
