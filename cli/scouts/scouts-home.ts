import { Argument } from "commander";
import type { CloudApi } from "../../device/connect/cloud-api.ts";
import { homeOf } from "../../device/connect/deployed-home.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import type { DeviceId } from "../../events/ids.ts";
import { type CliContext, type CommonOptions, dataFolderOf } from "../context.ts";
import { type Output, outputOn } from "../output/output.ts";

/** A script may add fifty feeds in a row; who types waits no longer than this for others of their programs. */
const patienceMs = 20_000;

/**
 * Finds the home of this data folder for one command, which may find it again: one that was started anew may be elsewhere.
 *
 * @throws DeviceError `home_not_running`, `login_needed`
 */
export async function withHome(
  context: CliContext,
  options: CommonOptions,
  work: (api: CloudApi, output: Output, findAgain: () => CloudApi) => Promise<void>,
): Promise<void> {
  const find = () => ({ ...homeOf(dataFolderOf(context, options), context.now), patienceMs });
  await work(find(), outputOn(context.io), find);
}

/** The argument that names one scout, by its name or by the beginning of its id. */
export const scoutArgument = (): Argument => new Argument("<scout>", "name of a scout, or the beginning of its id");

/** A consent is bound to the device that asks for it; the first command on a data folder may be this one. */
export function deviceOf(context: CliContext, options: CommonOptions): DeviceId {
  const store = openDeviceStore({ dataFolder: dataFolderOf(context, options), now: context.now, newId: context.newId });
  try {
    return store.identity.get().deviceId;
  } finally {
    store.close();
  }
}
