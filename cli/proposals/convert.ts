import { type Command, Option } from "commander";
import { proposalJson } from "../../device/proposals/proposal-json.ts";
import { proposalNamed } from "../../device/proposals/selected.ts";
import { undoableMs } from "../../device/proposals/undoable.ts";
import { newFrameId } from "../../device/store/decide.ts";
import { convertIntoProject, convertProposal, mergeIntoTask, type OutcomeKind } from "../../device/work/decide-into.ts";
import { entityNamed } from "../../device/work/find-entity.ts";
import { type CliContext, type CommonOptions, withCommonOptions, withStore, zoneOf } from "../context.ts";
import { printable } from "../output/printable.ts";
import { whenPart } from "../work/date-options.ts";
import { type OutcomeFlags, outcomeAsked, withDraftOptions } from "./approve.ts";
import { calledOf } from "./called.ts";

/** What a proposal can be turned into: something to keep, a project, or a decision alone. */
const targets = ["task", "event", "note", "project", "nothing"] as const;
type Target = (typeof targets)[number];

/** `proposals convert`: something else of it than it is, decided or not. */
function addConvert(proposals: Command, context: CliContext): void {
  const command = proposals
    .command("convert")
    .summary("make something else of a proposal")
    .description(
      "Makes a task, an event, a note or a project of a proposal, or nothing but the decision. What is pending is approved; " +
        "of what is approved already, what it had become gives way. Undoing it leaves a project.",
    )
    .argument("<id>", "ref or id of a proposal, or how it begins");
  command.addOption(new Option("--to <kind>", "what it is to be").choices(targets).makeOptionMandatory());
  withCommonOptions(withDraftOptions(command)).action((ref: string, flags: OutcomeFlags & { to: Target }) =>
    withStore(context, flags, async (store, output) => {
      const { to, ...said } = flags;
      const row = proposalNamed(store, ref);
      const { id } = row;
      const kind: OutcomeKind | null = to === "task" || to === "event" || to === "note" ? to : null;
      const outcome = kind === null ? undefined : await outcomeAsked(store, context, row, { ...said, [kind]: true });
      const nowMs = context.now();
      const times = { nowMs, notBefore: nowMs + undoableMs };
      const nextFrameId = () => newFrameId(context.newId);
      if (to === "project") {
        const { proposal, project } = convertIntoProject(store, id, flags.title, times, nextFrameId);
        if (flags.json) return output.json({ ...proposalJson(proposal), project });
        return output.line(`approved  ${printable(project.name)}  project ${project.id}`);
      }
      const { proposal, entity } = convertProposal(
        store,
        id,
        outcome?.kind ?? null,
        outcome?.draft ?? {},
        times,
        nextFrameId,
      );
      if (flags.json) return output.json({ ...proposalJson(proposal), entity });
      const became = entity === null ? "" : `  ${whenPart(entity, zoneOf(context))}${to} ${entity.id}`;
      output.line(`approved  ${calledOf(proposal)}${became}`);
    }),
  );
}

/** `proposals merge`: into a task that is there. */
function addMerge(proposals: Command, context: CliContext): void {
  const command = proposals
    .command("merge")
    .summary("approve proposals into a task that is there")
    .description(
      "Approves proposals by adding what they are about to a task's note; `scouts proposals undo` takes that out.",
    )
    .argument("<id...>", "refs or ids of proposals, or how they begin")
    .requiredOption("--task <task>", "the task, by its id, the end of it, or its title");
  withCommonOptions(command).action((refs: string[], flags: CommonOptions & { task: string }) =>
    withStore(context, flags, (store, output) => {
      const task = entityNamed(store, "task", flags.task);
      const nowMs = context.now();
      const times = { nowMs, notBefore: nowMs + undoableMs };
      const merged = store.transaction(() =>
        refs.map((ref) =>
          mergeIntoTask(store, proposalNamed(store, ref).id, task.id, times, () => newFrameId(context.newId)),
        ),
      );
      if (flags.json) return output.json(merged.map(({ proposal, entity }) => ({ ...proposalJson(proposal), entity })));
      for (const { proposal } of merged) {
        output.line(`approved  ${calledOf(proposal)}  task ${task.id}`);
      }
    }),
  );
}

/** What a proposal becomes, other than by `approve`. */
export function addConversions(proposals: Command, context: CliContext): void {
  for (const add of [addConvert, addMerge]) add(proposals, context);
}
