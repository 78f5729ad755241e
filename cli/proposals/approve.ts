import { type Command, Option } from "commander";
import { DeviceError } from "../../device/errors.ts";
import { approveAll, type Chosen } from "../../device/proposals/approve-as.ts";
import type { DraftOutcome } from "../../device/proposals/draft/draft-outcome.ts";
import { otherText, outcomeOf, ownOutcome } from "../../device/proposals/outcome-of.ts";
import { proposalJson } from "../../device/proposals/proposal-json.ts";
import { undoableMs } from "../../device/proposals/undoable.ts";
import { newFrameId } from "../../device/store/decide.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import type { StoredProposal } from "../../device/store/schema.ts";
import { type OutcomeKind, outcomeKinds } from "../../device/work/decide-into.ts";
import { type Priority, priorities } from "../../events/proposals/categorize.ts";
import { type CliContext, hereOf, zoneOf } from "../context.ts";
import type { Output } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { projectNamed } from "../projects/project-named.ts";
import { whenPart } from "../work/date-options.ts";
import { calledOf } from "./called.ts";
import type { SelectionFlags } from "./set-aside.ts";

/** What `scouts proposals approve` is told of what a proposal becomes. */
export interface OutcomeFlags extends SelectionFlags {
  readonly task?: boolean;
  readonly event?: boolean;
  readonly note?: boolean;
  readonly title?: string;
  readonly due?: string;
  readonly priority?: Priority;
  readonly project?: string;
  readonly start?: string;
  readonly end?: string;
  readonly zone?: string;
  readonly place?: string;
  readonly text?: string;
  /** False with `--no-draft`. */
  readonly draft?: boolean;
}

const others = (kind: OutcomeKind) => outcomeKinds.filter((each) => each !== kind);

/** Adds the options that make something of what is approved. */
export function withOutcomeOptions(command: Command): Command {
  command
    .addOption(new Option("--task", "make a task of it").conflicts(others("task")))
    .addOption(
      new Option("--event", "make an event of it; needs --start unless its draft has one").conflicts(others("event")),
    )
    .addOption(new Option("--note", "make a note of it").conflicts(others("note")));
  return withDraftOptions(command);
}

/** Adds the options that say what a task, an event or a note is. */
export function withDraftOptions(command: Command): Command {
  return command
    .option("--title <text>", "its title, in place of the subject")
    .option("--due <date>", "when the task is due: 2026-11-27, or words such as next Friday")
    .addOption(new Option("--priority <priority>", "how soon the task is to be done").choices(priorities))
    .option("--project <project>", "name or id of the task's project")
    .option("--start <date>", "when the event starts; a day alone lasts all day")
    .option("--end <date>", "when the event ends, or its last day")
    .option("--zone <zone>", "the event's time zone, such as Europe/Berlin")
    .option("--place <text>", "where the event is")
    .option("--no-draft", "do not take its own draft: mark it, or make only what the options say")
    .option("--text <text>", "what the task's or the event's note, or the note itself, says");
}

/** Which kind is asked for, if any. */
const outcomeKind = (flags: OutcomeFlags): OutcomeKind | undefined => outcomeKinds.find((each) => flags[each] === true);

/** Whether something is said of what it is to become. */
function saysMore({ task, event, note, data, json, draft, thread, from, ...said }: OutcomeFlags): boolean {
  return Object.values(said).some((each) => each !== undefined);
}

/**
 * Approves proposals and makes of each what is asked for, else what its own draft says; all of them, or none when one
 * cannot be.
 */
export async function approveEach(
  store: DeviceStore,
  output: Output,
  context: CliContext,
  proposals: readonly StoredProposal[],
  flags: OutcomeFlags,
): Promise<void> {
  if (proposals.length > 1 && flags.title !== undefined) {
    throw new DeviceError("usage", { sentence: "--title names one thing; approve the proposals one by one." });
  }
  const chosen: Chosen[] = [];
  for (const proposal of proposals)
    chosen.push({ id: proposal.id, outcome: await outcomeAsked(store, context, proposal, flags) });
  const nowMs = context.now();
  const times = { nowMs, notBefore: nowMs + undoableMs };
  const made = approveAll(store, chosen, times, () => newFrameId(context.newId));
  if (flags.json) {
    return output.json(made.map(({ proposal, entity }) => ({ ...proposalJson(proposal), ...(entity && { entity }) })));
  }
  for (const [at, { proposal, entity }] of made.entries()) {
    if (entity === null) output.line(`approved  ${calledOf(proposal)}`);
    else {
      const when = whenPart(entity, zoneOf(context));
      output.line(`approved  ${printable(entity.title)}  ${when}${chosen[at]?.outcome?.kind ?? ""} ${entity.id}`);
    }
  }
  if (made.some(({ entity }) => entity !== null)) {
    output.line(output.style("dim", "Until the home is told, ten seconds at least: scouts proposals undo REF"));
  }
}

/** What a proposal becomes: its draft with what the options say in its place. @throws DeviceError */
export async function outcomeAsked(
  store: DeviceStore,
  context: CliContext,
  proposal: StoredProposal,
  flags: OutcomeFlags,
): Promise<DraftOutcome | undefined> {
  const own = ownOutcome(proposal, flags.draft !== false);
  const kind = outcomeKind(flags) ?? own?.kind;
  if (kind === undefined) {
    if (!saysMore(flags)) return undefined;
    throw new DeviceError("usage", { sentence: "Say what it is to become as well: --task, --event or --note." });
  }
  refuseOthers(flags, kind === "task" ? ofEvent : kind === "event" ? ofTask : [...ofTask, ...ofEvent]);
  const { title, priority, project, start, end, zone, place, text } = flags;
  const said = {
    ...{ title, priority, start, end, zone, place },
    text: text ?? otherText(proposal, kind, flags.draft),
    due: flags.due,
    projectId: project === undefined ? undefined : projectNamed(store, project).id,
  };
  return outcomeOf(kind, own, said, hereOf(context));
}

const ofTask = ["due", "priority", "project"] as const;
const ofEvent = ["start", "end", "zone", "place"] as const;

/** @throws DeviceError `usage` */
function refuseOthers(flags: OutcomeFlags, names: readonly (keyof OutcomeFlags)[]): void {
  if (names.every((name) => flags[name] === undefined)) return;
  throw new DeviceError("usage", {
    sentence: "--due, --priority and --project are a task's; --start, --end, --zone and --place an event's.",
  });
}
