import { type Command, Option } from "commander";
import { isDeviceError } from "../../device/errors.ts";
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
      const here = { context, setting, output };
      const waiting = flags.json
        ? await tellPrograms({ ...ran, ignored }, flags, here)
        : await settle(ran, flags, here);
      exitWith(exitCodeOf(ran, waiting));
    }),
  );
}

/** @param waiting how many changes nobody has decided on */
function exitCodeOf({ end, exitCode }: ToolRun, waiting: number) {
  if (end === "cancelled") return exitCodes.interrupted;
  if (end !== "exited" || exitCode !== 0) return exitCodes.failed;
  return waiting > 0 ? exitCodes.attention : exitCodes.done;
}

interface Here {
  readonly context: CliContext;
  readonly setting: ToolSetting;
  readonly output: Output;
}

/**
 * Prints all of it, and brings in what that shows as text where the person has said yes to it.
 *
 * @returns how many changes wait
 */
async function tellPrograms(
  ran: ToolRun & { readonly ignored: readonly string[] },
  { yes }: RunFlags,
  { setting, output }: Here,
): Promise<number> {
  const { shownInFull } = await import("./shown-tools.ts");
  const { applyChanges, noteShown } = await import("../../device/tools/apply-changes.ts");
  const shown = shownInFull(ran);
  // Whoever reads it has all of what can be shown.
  if (ran.offered.length > 0) noteShown(ran.id, shown, setting);
  const applied = yes && shown.size > 0 ? await applyChanges(ran.id, shown, setting) : undefined;
  output.json({ ...ran, ...(applied && { applied }) });
  return applied?.stillWaiting ?? ran.offered.length;
}

/**
 * Shows the changes, and has the person decide on them where one is there.
 *
 * @returns how many changes wait
 */
async function settle(ran: ToolRun, { yes }: RunFlags, { context, setting, output }: Here): Promise<number> {
  const { showApplied, showChanges, showRun } = await import("./shown-tools.ts");
  const { applyChanges, discardChanges, noteShown } = await import("../../device/tools/apply-changes.ts");
  showRun(output, ran);
  const shown = showChanges(output, ran);
  const waiting = ran.offered.length;
  if (waiting === 0) return 0;
  noteShown(ran.id, shown, setting);
  const all = new Map(ran.offered.map(({ path, after }) => [path, after]));
  const bringIn = async (approved: typeof all) => {
    const applied = await applyChanges(ran.id, approved, setting);
    showApplied(output, applied);
    return applied.stillWaiting;
  };
  if (yes && shown.size > 0) return bringIn(new Map(shown));
  if (!canAsk(context.io)) {
    output.line(`They wait: scouts tool apply ${ran.id} --yes brings in what was shown`);
    return waiting;
  }
  const asks = (question: string) =>
    saysYes(context.io, question).catch((error: unknown) => {
      if (isDeviceError(error, "interrupted")) output.line(`They wait: scouts tool changes ${ran.id}`);
      throw error;
    });
  if (await asks("Bring these changes into the project?")) return bringIn(all);
  if (!(await asks("Discard them?"))) {
    output.line(`They wait: scouts tool changes ${ran.id}`);
    return waiting;
  }
  await discardChanges(ran.id, setting);
  output.line("discarded");
  return 0;
}
