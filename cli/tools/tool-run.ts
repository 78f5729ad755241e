import { type Command, Option } from "commander";
import { exitCodes } from "../../device/exit-codes.ts";
import type { ToolRun, ToolSetting } from "../../device/tools/run-tool.ts";
import type { GivenArguments } from "../../device/workspace/tool-arguments.ts";
import { type CliContext, type CommonOptions, type ExitWith, withCommonOptions } from "../context.ts";
import type { Output } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { canAsk, saysYes } from "../output/yes-or-no.ts";
import { pairs, projectOf } from "./tool-options.ts";
import { withTools } from "./tool-setting.ts";

interface RunFlags extends CommonOptions {
  readonly project?: string;
  readonly with: GivenArguments;
  readonly yes?: boolean;
}

/** `scouts tool run`: one run, what it printed, and what it would change. */
export function addToolRun(group: Command, context: CliContext, exitWith: ExitWith): void {
  const run = group
    .command("run")
    .description("run a tool on a copy of a project, show what it would change, and ask whether that is wanted")
    .argument("<name>", "the tool")
    .option("--project <project>", "name or id of a project; without one it runs in an empty folder")
    .addOption(new Option("--with <name=value>", "an argument of the tool").argParser(pairs).default({}))
    .option("--yes", "bring in what was shown, without asking");
  withCommonOptions(run).action((name: string, flags: RunFlags) =>
    withTools(context, flags, async (setting, output) => {
      const { runTool } = await import("../../device/tools/run-tool.ts");
      const { broughtIn, ignoredNotice } = await import("../../device/tools/list-tools.ts");
      const { noteShown } = await import("../../device/tools/apply-changes.ts");
      const { shownInFull } = await import("./shown-tools.ts");
      const project = projectOf(setting.store, flags);
      const ignored = project === null ? [] : await broughtIn(project, setting);
      for (const path of ignored) context.io.stderr.write(`scouts: ${printable(ignoredNotice(path))}\n`);
      const { io } = context;
      const request = { name, project, arguments: flags.with, caller: "person", signal: io.signal };
      const ran = await runTool(
        {
          ...request,
          mayWorkInPlace: (root) =>
            saysYes(io, printable(`${name} works on ${root} itself, and nothing is taken back. Run it?`)),
        },
        setting,
      );
      if (flags.json) {
        // Whoever reads it has all of what can be shown.
        if (ran.offered.length > 0) noteShown(ran.id, shownInFull(ran), setting);
        output.json({ ...ran, ignored });
      } else await settle(ran, flags, { context, setting, output });
      exitWith(exitCodeOf(ran, flags));
    }),
  );
}

function exitCodeOf({ end, exitCode, offered }: ToolRun, { json }: RunFlags) {
  if (end === "cancelled") return exitCodes.interrupted;
  if (end !== "exited" || exitCode !== 0) return exitCodes.failed;
  return json && offered.length > 0 ? exitCodes.attention : exitCodes.done;
}

interface Here {
  readonly context: CliContext;
  readonly setting: ToolSetting;
  readonly output: Output;
}

/** Shows the changes, and has the person decide on them where one is there. */
async function settle(ran: ToolRun, { yes }: RunFlags, { context, setting, output }: Here): Promise<void> {
  const { showApplied, showChanges, showRun } = await import("./shown-tools.ts");
  const { applyChanges, discardChanges, noteShown } = await import("../../device/tools/apply-changes.ts");
  showRun(output, ran);
  const shown = showChanges(output, ran);
  if (ran.offered.length === 0) return;
  noteShown(ran.id, shown, setting);
  const all = new Map(ran.offered.map(({ path, after }) => [path, after]));
  if (yes && shown.size > 0) showApplied(output, await applyChanges(ran.id, shown, setting));
  else if (canAsk(context.io)) {
    if (await saysYes(context.io, "Bring these changes into the project?")) {
      showApplied(output, await applyChanges(ran.id, all, setting));
    } else if (await saysYes(context.io, "Discard them?")) {
      await discardChanges(ran.id, setting);
      output.line("discarded");
    } else output.line(`They wait: scouts tool changes ${ran.id}`);
  } else output.line(`They wait: scouts tool apply ${ran.id} --yes brings in what was shown`);
}
