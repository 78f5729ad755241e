import { Argument, type Command } from "commander";
import { healthOfEach } from "../../device/sources/asked/each-scout.ts";
import { scoutNamed } from "../../device/sources/scout-named.ts";
import { type CliContext, type CommonOptions, dataFolderOf, hereOf, withCommonOptions } from "../context.ts";
import { warnOfHome } from "../home/running-home.ts";
import { askScouts } from "./known-scouts.ts";
import { withHome } from "./scouts-home.ts";
import { showHealth } from "./shown/shown-health.ts";
import { showWhatKeeps } from "./shown/shown-scouts.ts";

/** `scouts health`: whether scouts do their work, and if not, why and what to do. */
export function addHealth(program: Command, context: CliContext): void {
  const command = program
    .command("health")
    .description("whether a scout does its work, and if not, why; without a name, every scout")
    .addArgument(new Argument("[scout]", "name of a scout, or the beginning of its id"));
  withCommonOptions(command).action((text: string | undefined, flags: CommonOptions) =>
    withHome(context, flags, async (api, output) => {
      const all = await askScouts(context, flags, api);
      const wanted = text === undefined ? all : [scoutNamed(all, text)];
      const each = healthOfEach(api, wanted);
      if (flags.json) {
        const healths = await Array.fromAsync(each, ({ health }) => health);
        return output.json(text === undefined ? healths : healths[0]);
      }
      let shown = 0;
      for await (const { scout, health, failing } of each) {
        if (shown > 0) output.line();
        showHealth(output, scout.name, health, hereOf(context));
        showWhatKeeps(output, [scout], context.now(), failing);
        shown += 1;
      }
      await warnOfHome(dataFolderOf(context, flags), context.io);
      if (shown === 0) output.line("No scouts.");
    }),
  );
}
