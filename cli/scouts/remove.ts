import type { Command } from "commander";
import { DeviceError } from "../../device/errors.ts";
import { removeScout } from "../../device/sources/remove-source.ts";
import { findScout } from "../../device/sources/scout-named.ts";
import { type CliContext, type CommonOptions, withCommonOptions } from "../context.ts";
import { printable } from "../output/printable.ts";
import { withKnownScouts } from "./known-scouts.ts";
import { scoutArgument, withHome } from "./scouts-home.ts";

interface RemoveFlags extends CommonOptions {
  readonly yes?: boolean;
}

/** `scouts remove`: ends a scout. What it proposed stays on the device. */
export function addRemove(program: Command, context: CliContext): void {
  const command = program
    .command("remove")
    .description("remove a scout: stop its watch, give its access back, delete what the cloud knows of it")
    .addArgument(scoutArgument())
    .option("--yes", "really remove it");
  withCommonOptions(command).action((text: string, flags: RemoveFlags) =>
    withHome(context, flags, async (api, output) => {
      const { id, name } = await findScout(api, text);
      if (!flags.yes) {
        const sentence = `Removing ${name} gives its access back and deletes all it knows; add --yes if you mean it.`;
        throw new DeviceError("usage", { sentence });
      }
      await removeScout(api, id);
      withKnownScouts(context, flags, (known) => known.forget(id));
      if (flags.json) output.json({ id, removed: true });
      else output.line(`removed  ${printable(name)}`);
    }),
  );
}
