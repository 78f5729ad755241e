import type { Command } from "commander";
import { age } from "../../device/age.ts";
import { exitCodes } from "../../device/exit-codes.ts";
import { type CliContext, type CommonOptions, type ExitWith, withCommonOptions } from "../context.ts";
import { printable } from "../output/printable.ts";
import { canAsk, saysYes } from "../output/yes-or-no.ts";
import { withTools } from "./tool-setting.ts";

/** `scouts tool changes | apply | discard`: what runs would change in a project. */
export function addToolChanges(group: Command, context: CliContext, exitWith: ExitWith): void {
  addChanges(group, context);
  addApply(group, context, exitWith);
  const discard = group
    .command("discard")
    .description("throw away what a run would change")
    .argument("<run>", "its id");
  withCommonOptions(discard).action((id: string, flags: CommonOptions) =>
    withTools(context, flags, async (setting, output) => {
      const { discardChanges } = await import("../../device/tools/apply-changes.ts");
      const run = await discardChanges(id, setting);
      if (flags.json) output.json({ discarded: run.id });
      else output.line(`discarded  ${run.id}`);
    }),
  );
}

function addChanges(group: Command, context: CliContext): void {
  const changes = group
    .command("changes")
    .description("what waits for you: of all runs, or of one with all that would change")
    .argument("[run]", "its id");
  withCommonOptions(changes).action((id: string | undefined, flags: CommonOptions) =>
    withTools(context, flags, async (setting, output) => {
      if (id === undefined) {
        const { keptRuns } = await import("../../device/tools/kept-runs.ts");
        const runs = keptRuns(setting.dataFolder).map(({ run }) => run);
        if (flags.json) return output.json(runs);
        if (runs.length === 0) output.line("No changes wait.");
        for (const { id: each, tool, caller, at, state, projectId } of runs) {
          const name = setting.store.projects.find(projectId)?.name ?? projectId;
          const note = state === "applying" ? "  (interrupted while it was brought in)" : "";
          output.line(printable(`${each}  ${age(at, context.now())}  ${tool} in ${name}, run by ${caller}${note}`));
        }
        return;
      }
      const { noteShown, waitingChanges } = await import("../../device/tools/apply-changes.ts");
      const waiting = await waitingChanges(id, setting);
      const { showChanges, shownInFull } = await import("./shown-tools.ts");
      if (flags.json) {
        noteShown(waiting.run.id, shownInFull(waiting), setting);
        return output.json(waiting);
      }
      noteShown(waiting.run.id, showChanges(output, waiting), setting);
      if (waiting.offered.length === 0) {
        output.line(`The project is as it would make it already: scouts tool discard ${waiting.run.id}`);
      }
    }),
  );
}

function addApply(group: Command, context: CliContext, exitWith: ExitWith): void {
  const apply = group
    .command("apply")
    .description("bring what a run would change into the project")
    .argument("<run>", "its id")
    .option("--yes", "without asking: what was shown before, and only as it was shown");
  withCommonOptions(apply).action((id: string, flags: CommonOptions & { readonly yes?: boolean }) =>
    withTools(context, flags, async (setting, output) => {
      const { applyChanges, noteShown, waitingChanges } = await import("../../device/tools/apply-changes.ts");
      const { showApplied, showChanges } = await import("./shown-tools.ts");
      const waiting = await waitingChanges(id, setting);
      const { run, offered } = waiting;
      let approved = new Map(run.shown);
      if (run.state === "waiting" && !flags.yes) {
        const shown = flags.json ? new Map() : showChanges(output, waiting);
        if (!flags.json) noteShown(run.id, shown, setting);
        if (
          !canAsk(context.io) ||
          flags.json ||
          !(await saysYes(context.io, "Bring these changes into the project?"))
        ) {
          if (flags.json) output.json({ ...waiting, applied: false });
          else output.line(`They wait: scouts tool apply ${run.id} --yes brings in what was shown`);
          return exitWith(exitCodes.attention);
        }
        approved = new Map(offered.map(({ path, after }) => [path, after]));
      }
      const applied = await applyChanges(run.id, approved, setting);
      if (flags.json) output.json({ ...applied, applied: true });
      else showApplied(output, applied);
      if (applied.stillWaiting > 0) exitWith(exitCodes.attention);
    }),
  );
}
