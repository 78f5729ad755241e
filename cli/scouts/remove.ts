import type { Command } from "commander";
import { DeviceError } from "../../device/errors.ts";
import { removeScout } from "../../device/sources/remove-source.ts";
import { findScout } from "../../device/sources/scout-named.ts";
import { forgetVanished, scoutIsRemoved } from "../../device/store/scout-is-removed.ts";
import { type CliContext, type CommonOptions, withCommonOptions } from "../context.ts";
import { counted } from "../output/counted.ts";
import { printable } from "../output/printable.ts";
import { withDeviceIfAny } from "./known-scouts.ts";
import { scoutArgument, withHome } from "./scouts-home.ts";

interface RemoveFlags extends CommonOptions {
  readonly yes?: boolean;
}

/** `scouts remove`: ends a scout. What was decided of it stays on the device, the rest is closed. */
export function addRemove(program: Command, context: CliContext): void {
  const command = program
    .command("remove")
    .description("remove a scout: stop its watch, give its access back, delete what its home knows of it")
    .addArgument(scoutArgument())
    .option("--yes", "really remove it");
  withCommonOptions(command).action((text: string, flags: RemoveFlags) =>
    withHome(context, flags, async (api, output) => {
      const known = withDeviceIfAny(context, flags, (store) => forgetVanished(store, text));
      if (known !== undefined) {
        if (flags.json) output.json({ id: known.id, removed: true, closed: 0 });
        else output.line(`forgotten  ${printable(known.name)}  the home did not know it any more`);
        return;
      }
      const { id, name } = await findScout(api, text);
      if (!flags.yes) {
        const pending = withDeviceIfAny(context, flags, ({ proposals }) => proposals.pendingOf(id)) ?? 0;
        const closes = pending === 0 ? "" : `, and closes ${counted(pending, "proposal")} you have not decided`;
        const sentence = `Removing ${name} gives its access back, deletes all the home knows of it${closes}; add --yes if you mean it.`;
        throw new DeviceError("usage", { sentence });
      }
      await removeScout(api, id);
      const closed =
        withDeviceIfAny(context, flags, (store) => {
          scoutIsRemoved(store, id);
          // The device that runs here may have been first.
          return store.proposals.closedWith(id);
        }) ?? 0;
      const closing = closed === 0 ? "" : `  ${counted(closed, "proposal")} that nobody had decided closed`;
      if (flags.json) output.json({ id, removed: true, closed });
      else output.line(`removed  ${printable(name)}${closing}`);
    }),
  );
}
