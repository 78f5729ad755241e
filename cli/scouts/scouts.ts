import type { Command } from "commander";
import { sightOf } from "../../device/sources/asked/see.ts";
import { pauseSource, runSource } from "../../device/sources/control-source.ts";
import { findScout, scoutNamed } from "../../device/sources/scout-named.ts";
import { stateOf, withState } from "../../device/sources/state.ts";
import { failingIn } from "../../device/sources/trouble.ts";
import { type CliContext, type CommonOptions, hereOf, withCommonOptions } from "../context.ts";
import { addMute } from "../items/mute.ts";
import { addOpen } from "../items/open.ts";
import { addRestore } from "../items/restore.ts";
import { addSpam } from "../items/spam.ts";
import { printable } from "../output/printable.ts";
import { addAdd } from "./add/add.ts";
import { addEdit } from "./edit.ts";
import { addHealth } from "./health.ts";
import { askScouts } from "./known-scouts.ts";
import { addReconnect } from "./reconnect.ts";
import { addRemove } from "./remove.ts";
import { addRuns } from "./runs.ts";
import { scoutArgument, withHome } from "./scouts-home.ts";
import { sightText } from "./shown/sees-text.ts";
import { showScout, showScouts, showWhatKeeps } from "./shown/shown-scouts.ts";
import { addTry } from "./trial/try.ts";

function addList(program: Command, context: CliContext): void {
  withCommonOptions(program.command("list").description("list your scouts, oldest first")).action(
    (flags: CommonOptions) =>
      withHome(context, flags, async (api, output) => {
        const found = await askScouts(context, flags, api);
        if (flags.json) return output.json(found.map(withState));
        showScouts(output, found, context.now());
        showWhatKeeps(output, found, context.now());
      }),
  );
}

function addShow(program: Command, context: CliContext): void {
  const command = program.command("show").description("show one scout").addArgument(scoutArgument());
  withCommonOptions(command).action((text: string, flags: CommonOptions) =>
    withHome(context, flags, async (api, output) => {
      const found = scoutNamed(await askScouts(context, flags, api), text);
      if (flags.json) return output.json(withState(found));
      const sight = await sightOf(api, found);
      showScout(output, found, hereOf(context), sight && sightText(sight));
      if (stateOf(found).code !== null) output.line();
      const { missing = [] } = sight?.isSeen ? sight.sees : {};
      showWhatKeeps(
        output,
        [found],
        context.now(),
        failingIn([found]).map((each) => ({ ...each, missing })),
      );
    }),
  );
}

function addPause(program: Command, context: CliContext, name: "pause" | "resume", paused: boolean): void {
  const summary = paused ? "rest a scout; nothing is lost" : "go on from where it was paused";
  withCommonOptions(program.command(name).description(summary).addArgument(scoutArgument())).action(
    (text: string, flags: CommonOptions) =>
      withHome(context, flags, async (api, output) => {
        const { id } = await findScout(api, text);
        const scout = await pauseSource(api, id, paused);
        if (flags.json) output.json(scout);
        else output.line(`${paused ? "paused" : "resumed"}  ${printable(scout.name)}`);
      }),
  );
}

function addRun(program: Command, context: CliContext): void {
  const command = program.command("run").description("look at a scout's source now").addArgument(scoutArgument());
  withCommonOptions(command).action((text: string, flags: CommonOptions) =>
    withHome(context, flags, async (api, output) => {
      const { id, name } = await findScout(api, text);
      const answer = await runSource(api, id);
      if (flags.json) output.json(answer);
      else output.line(`queued  ${printable(name)}`);
    }),
  );
}

/** `scouts list`, `show`, `edit` …: the scouts of the home of this data folder. */
export function addScouts(program: Command, context: CliContext): void {
  addAdd(program, context);
  addList(program, context);
  addShow(program, context);
  addEdit(program, context);
  addTry(program, context);
  addPause(program, context, "pause", true);
  addPause(program, context, "resume", false);
  addRun(program, context);
  addHealth(program, context);
  addRuns(program, context);
  addReconnect(program, context);
  addRemove(program, context);
  addSpam(program, context);
  addOpen(program, context);
  addRestore(program, context);
  addMute(program, context);
}
