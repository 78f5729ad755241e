import { existsSync } from "node:fs";
import type { CloudApi } from "../../device/connect/cloud-api.ts";
import { listScouts } from "../../device/connect/list-scouts.ts";
import { type DeviceStore, openDeviceStore, storePath } from "../../device/store/open.ts";
import type { KnownScoutTable } from "../../device/store/tables/known-scouts.ts";
import type { ScoutResponse } from "../../events/http/scouts.ts";
import { type CliContext, type CommonOptions, dataFolderOf } from "../context.ts";

/** Does something with the device's database, where there is a device. */
export function withDeviceIfAny<T>(
  context: CliContext,
  options: CommonOptions,
  work: (store: DeviceStore) => T,
): T | undefined {
  const dataFolder = dataFolderOf(context, options);
  if (!existsSync(storePath(dataFolder))) return undefined;
  const store = openDeviceStore({ dataFolder, mustExist: true, now: context.now, newId: context.newId });
  try {
    return work(store);
  } finally {
    store.close();
  }
}

/** Does something with what the device knows of its scouts, where there is a device. */
export const withKnownScouts = <T>(
  context: CliContext,
  options: CommonOptions,
  work: (known: KnownScoutTable) => T,
): T | undefined => withDeviceIfAny(context, options, ({ knownScouts }) => work(knownScouts));

/** Every scout, asked of the home; the device keeps what it is told, for when it is offline. */
export async function askScouts(context: CliContext, options: CommonOptions, api: CloudApi): Promise<ScoutResponse[]> {
  const scouts = await listScouts(api);
  withKnownScouts(context, options, (known) => known.replace(scouts));
  return scouts;
}
