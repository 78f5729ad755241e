import { openDeviceStore } from "../../device/store/open.ts";
import type { ToolSetting } from "../../device/tools/run-tool.ts";
import { type CliContext, type CommonOptions, dataFolderOf } from "../context.ts";
import { type Output, outputOn } from "../output/output.ts";

/** Opens what tools need for one command, and closes it after. */
export async function withTools<T>(
  context: CliContext,
  flags: CommonOptions,
  work: (setting: ToolSetting, output: Output) => Promise<T>,
): Promise<T> {
  const { now, newId, environment, variables = {} } = context;
  const dataFolder = dataFolderOf(context, flags);
  // The first command on a data folder may be this one.
  const store = openDeviceStore({ dataFolder, now, newId, passphrase: environment.SCOUTS_PASSPHRASE });
  try {
    return await work({ dataFolder, store, variables, now, newId }, outputOn(context.io));
  } finally {
    store.close();
  }
}
