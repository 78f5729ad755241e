import { Argument, type Command } from "commander";
import { healthOfSource } from "../../device/sources/control-source.ts";
import { scoutNamed } from "../../device/sources/scout-named.ts";
import { withMissing } from "../../device/sources/see.ts";
import { failingIn } from "../../device/sources/trouble.ts";
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
      const asked = await Promise.all(
        wanted.map(async (scout) => {
          const [health, failing] = await Promise.all([
            healthOfSource(api, scout.id),
            withMissing(api, failingIn([scout])),
          ]);
          return {
            scout,
            failing,
            health: { ...health, missingFolders: failing.flatMap(({ missing = [] }) => missing) },
          };
        }),
      );
      if (flags.json) return output.json(text === undefined ? asked.map(({ health }) => health) : asked[0]?.health);
      for (const [at, { scout, health, failing }] of asked.entries()) {
        if (at > 0) output.line();
        showHealth(output, scout.name, health, hereOf(context));
        showWhatKeeps(output, [scout], context.now(), failing);
      }
      await warnOfHome(dataFolderOf(context, flags), context.io);
      if (asked.length === 0) output.line("No scouts.");
    }),
  );
}
