import { ScoutsError } from "../../../events/errors.ts";
import type { CreateScoutRequest } from "../../../events/http/scouts.ts";
import type { SourceSettings } from "../../../events/sources/settings.ts";
import type { Clock } from "../../ports/clock.ts";
import { blindAddress, blindSource } from "../../privacy/opaque.ts";
import type { RingSealer } from "../../privacy/ring-sealer.ts";
import { Transient } from "../../privacy/transient.ts";
import type {
  ConnectorRegistry,
  KeptSettings,
  ScoutAtSource,
  Sees,
  SettingsConnection,
} from "../connectors/connector.ts";
import { SettingsVault } from "../connectors/settings-vault.ts";
import type { ScoutRow } from "../scout-row.ts";
import type { ScoutStore } from "../scout-store.ts";
import { refuseSecondScout } from "./source-hold.ts";

export interface SettingsPorts {
  readonly scouts: ScoutStore;
  readonly vault: () => Promise<RingSealer>;
  readonly connectors: ConnectorRegistry;
  /** What sources are blinded with. */
  readonly addressKey: Uint8Array;
  readonly clock: Clock;
}

/** What a scout's row says once its source has been reached, and what is seen there. */
export interface Reached {
  readonly facts: { readonly sealedSettings: string; readonly address: string; readonly cursor: string };
  readonly sees: Sees;
}

/**
 * Reaches the source of a scout that is being made, before its row is written: what results is connected, and looked at
 * at once. Nothing for a source that takes a consent.
 *
 * @throws source_unknown, invalid_request when settings are missing, not asked for or not of the source's form;
 * source_in_use; what the connector throws
 */
export async function connectBySettings(
  ports: SettingsPorts,
  of: ScoutAtSource,
  { sourceType, settings }: CreateScoutRequest,
): Promise<Reached | undefined> {
  const connector = ports.connectors.get(sourceType);
  if (!connector) throw new ScoutsError("source_unknown");
  if (connector.settings === undefined) {
    if (settings === undefined) return undefined;
    throw new ScoutsError("invalid_request", { data: { where: "settings" } });
  }
  const given = parsedSettings(connector.settings, settings ?? {});
  return reach(ports, { ...of, sourceType }, connector.settings, { given });
}

/**
 * Reaches the source of a scout that is there, with the settings it has and whatever of them is given anew (another
 * password, say). Nothing is written.
 *
 * @throws source_account_other when they lead to another source than the scout's; as {@link connectBySettings}
 */
export async function reconnectBySettings(
  ports: SettingsPorts,
  row: ScoutRow,
  connection: SettingsConnection,
  changed: SourceSettings,
): Promise<Reached> {
  const kept = (await new SettingsVault(ports.scouts, ports.vault).open(row, connection.schema)).reveal();
  const given = parsedSettings(connection, { ...kept.given, ...changed });
  const { facts, otherAddresses, sees } = await reach(ports, row, connection, { ...kept, given });
  if (row.address === undefined) return { facts, sees };
  const isSame = row.address === facts.address || otherAddresses.includes(row.address);
  if (!isSame) throw new ScoutsError("source_account_other");
  return { facts: { ...facts, address: row.address }, sees };
}

async function reach(
  ports: SettingsPorts,
  of: ScoutAtSource & Pick<ScoutRow, "sourceType">,
  connection: SettingsConnection,
  settings: KeptSettings<object>,
): Promise<Reached & { readonly otherAddresses: readonly string[] }> {
  const { sees, identity, alsoKnownAs, account, own, cursor } = await connection.verify(of, new Transient(settings));
  const address =
    account === undefined
      ? blindSource(ports.addressKey, of.sourceType, identity)
      : blindAddress(ports.addressKey, account.reveal());
  const otherAddresses = (alsoKnownAs?.reveal() ?? []).map((other) =>
    blindSource(ports.addressKey, of.sourceType, new Transient(other)),
  );
  await refuseSecondScout(ports.scouts, of, address, otherAddresses);
  const kept = new Transient({ given: settings.given, ...(own === undefined ? {} : { own: own.reveal() }) });
  const sealedSettings = await new SettingsVault(ports.scouts, ports.vault).seal(of, kept);
  return { facts: { sealedSettings, address, cursor }, otherAddresses, sees };
}

/** @throws invalid_request naming the fields, never quoting them */
function parsedSettings({ schema }: SettingsConnection, settings: object): object {
  const found = schema.safeParse(settings);
  if (found.success) return found.data;
  const fields = found.error.issues.map(({ path }) => ["settings", ...path].join("."));
  throw new ScoutsError("invalid_request", { data: { where: [...new Set(fields)].join(", ").slice(0, 200) } });
}
