import { type Command, Option } from "commander";
import { DeviceError } from "../../device/errors.ts";
import { proposalJson } from "../../device/proposals/proposal-json.ts";
import { undoableMs } from "../../device/proposals/undoable.ts";
import { newFrameId } from "../../device/store/decide.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import type { StoredProposal } from "../../device/store/schema.ts";
import { type Priority, priorities } from "../../device/work/categories.ts";
import { approveInto, type OutcomeKind, outcomeKinds } from "../../device/work/decide-into.ts";
import type { Draft } from "../../device/work/entities.ts";
import { eventTimes } from "../../device/work/event-times.ts";
import { type CliContext, type CommonOptions, zoneOf } from "../context.ts";
import type { Output } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { projectNamed } from "../projects/project-named.ts";
import { dueOption } from "../work/date-options.ts";

/** What `scouts proposals approve` is told of what a proposal becomes. */
export interface OutcomeFlags extends CommonOptions {
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
}

const others = (kind: OutcomeKind) => outcomeKinds.filter((each) => each !== kind);

/** Adds the options that make something of what is approved. */
export function withOutcomeOptions(command: Command): Command {
  return command
    .addOption(new Option("--task", "make a task of it").conflicts(others("task")))
    .addOption(new Option("--event", "make an event of it; needs --start").conflicts(others("event")))
    .addOption(new Option("--note", "make a note of it").conflicts(others("note")))
    .option("--title <text>", "its title, in place of the subject")
    .option("--due <date>", "when the task is due: 2026-11-27, or words such as next Friday")
    .addOption(new Option("--priority <priority>", "how soon the task is to be done").choices(priorities))
    .option("--project <project>", "name or id of the task's project")
    .option("--start <date>", "when the event starts; a day alone lasts all day")
    .option("--end <date>", "when the event ends, or its last day")
    .option("--zone <zone>", "the event's time zone, such as Europe/Berlin")
    .option("--place <text>", "where the event is")
    .option("--text <text>", "what the task's or the event's note, or the note itself, says");
}

/** Which kind is asked for, if any. @throws DeviceError `usage` */
export function outcomeKind(flags: OutcomeFlags): OutcomeKind | undefined {
  const kind = outcomeKinds.find((each) => flags[each] === true);
  const { task, event, note, data, json, ...said } = flags;
  if (kind === undefined && Object.keys(said).length > 0) {
    throw new DeviceError("usage", { sentence: "Say what it is to become as well: --task, --event or --note." });
  }
  return kind;
}

/** Approves proposals and makes something of each; all of them, or none when one cannot be. */
export async function approveEach(
  store: DeviceStore,
  output: Output,
  context: CliContext,
  proposals: readonly StoredProposal[],
  kind: OutcomeKind,
  flags: OutcomeFlags,
): Promise<void> {
  if (proposals.length > 1 && flags.title !== undefined) {
    throw new DeviceError("usage", { sentence: "--title names one thing; approve the proposals one by one." });
  }
  const drafts = await draftsOf(store, context, flags);
  const nowMs = context.now();
  const times = { nowMs, notBefore: nowMs + undoableMs };
  const made = store.transaction(() =>
    proposals.map(({ id }) => approveInto(store, id, kind, drafts[kind], times, () => newFrameId(context.newId))),
  );
  if (flags.json) output.json(made.map(({ proposal, entity }) => ({ ...proposalJson(proposal), entity })));
  else {
    for (const { entity } of made) output.line(`approved  ${printable(entity.title)}  ${kind} ${entity.id}`);
    output.line(output.style("dim", "Until the cloud is told, ten seconds at least: scouts proposals undo REF"));
  }
}

/** What the options say, for each kind; those of another kind are refused. @throws DeviceError */
async function draftsOf(
  store: DeviceStore,
  context: CliContext,
  flags: OutcomeFlags,
): Promise<{ readonly [K in OutcomeKind]: Draft<K> }> {
  const { title, due, priority, project, start, end, zone, place, text } = flags;
  const named = title === undefined ? {} : { title };
  const ofTask = [due, priority, project].some((each) => each !== undefined);
  const ofEvent = [start, end, zone, place].some((each) => each !== undefined);
  if ((ofTask && flags.task !== true) || (ofEvent && flags.event !== true)) {
    throw new DeviceError("usage", {
      sentence: "--due, --priority and --project are a task's; --start, --end, --zone and --place an event's.",
    });
  }
  const here = { nowMs: context.now(), zone: zoneOf(context) };
  const read = await dueOption(context, due);
  return {
    task: {
      ...named,
      ...(read === undefined ? {} : { due: read }),
      ...(priority === undefined ? {} : { priority }),
      ...(project === undefined ? {} : { projectId: projectNamed(store, project).id }),
      ...(text === undefined ? {} : { note: text }),
    },
    event: {
      ...named,
      ...(flags.event === true ? await eventTimes({ start, end, zone }, here) : {}),
      ...(place === undefined ? {} : { place }),
      ...(text === undefined ? {} : { note: text }),
    },
    note: { ...named, ...(text === undefined ? {} : { markdown: text }) },
  };
}
