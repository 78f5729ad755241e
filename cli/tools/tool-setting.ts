import { openDeviceStore } from "../../device/store/open.ts";
import type { ToolSetting } from "../../device/tools/run-tool.ts";
import { type CliContext, type CommonOptions, dataFolderOf } from "../context.ts";
import { type Output, outputOn } from "../output/output.ts";

/**
 * Opens what tools need for one command, and closes it after.
 *
 * @param mayBeFirst whether the command may be the first one on a data folder, which it makes then
 */
export async function withTools<T>(
  context: CliContext,
  flags: CommonOptions,
  work: (setting: ToolSetting, output: Output) => Promise<T>,
  { mayBeFirst = false }: { readonly mayBeFirst?: boolean } = {},
): Promise<T> {
  const { now, newId, environment, variables = {} } = context;
  const dataFolder = dataFolderOf(context, flags);
  const passphrase = environment.SCOUTS_PASSPHRASE;
  const store = openDeviceStore({ dataFolder, mustExist: !mayBeFirst, now, newId, passphrase });
  try {
    return await work({ dataFolder, store, variables, now, newId }, outputOn(context.io));
  } finally {
    store.close();
  }
}
