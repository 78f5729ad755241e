import { type Command, Option } from "commander";
import { homeOf } from "../../device/connect/deployed-home.ts";
import { openBrowser } from "../../device/connect/open-browser.ts";
import { DeviceError } from "../../device/errors.ts";
import { muteSenderOf } from "../../device/proposals/mute-sender-of.ts";
import { proposalJson } from "../../device/proposals/proposal-json.ts";
import { proposalNamed, selectedProposals } from "../../device/proposals/selected.ts";
import { snoozeProposal } from "../../device/proposals/snooze.ts";
import { snoozeMoment } from "../../device/proposals/snooze-times.ts";
import {
  type CliContext,
  type CommonOptions,
  dataFolderOf,
  hereOf,
  withCommonOptions,
  withStore,
  zoneOf,
} from "../context.ts";
import { printable } from "../output/printable.ts";
import { shownTime } from "../output/shown-time.ts";
import { projectNamed } from "../projects/project-named.ts";
import { calledOf } from "./called.ts";

/** Several proposals by their conversation or their sender. */
export interface SelectionFlags extends CommonOptions {
  readonly thread?: string;
  readonly from?: string;
}

/** Adds what names several proposals at once. */
export function withSelection(command: Command): Command {
  return command
    .argument("[id...]", "refs or ids of proposals, or how they begin")
    .option("--thread <id>", "all that is pending of this one's conversation")
    .option("--from <address>", "all that is pending from this sender");
}

/** `proposals snooze`: out of sight until a time, on this device. */
function addSnooze(proposals: Command, context: CliContext): void {
  const command = proposals
    .command("snooze")
    .summary("hide pending proposals until a time")
    .description(
      "Hides pending proposals on this device until a time, when they are in the list again: a day means eight in the " +
        "morning, an evening six. `scouts proposals list --snoozed` shows what is hidden. The home closes what nobody " +
        "decides in thirty days, snoozed or not.",
    );
  withSelection(command)
    .addOption(new Option("--until <date>", "2026-11-27, 2026-11-27T17:00, or words such as tomorrow at 5pm"))
    .addOption(new Option("--off", "show them again now").conflicts("until"));
  withCommonOptions(command).action((refs: string[], flags: SelectionFlags & { until?: string; off?: boolean }) =>
    withStore(context, flags, async (store, output) => {
      const rows = selectedProposals(store, { refs, ...flags });
      const untilMs = flags.off === true ? null : await momentRead(context, flags.until);
      const now = store.transaction(() => rows.map(({ id }) => snoozeProposal(store, id, untilMs, hereOf(context))));
      if (flags.json) return output.json(now.map(proposalJson));
      const when = untilMs === null ? "pending" : `snoozed until ${shownTime(untilMs, zoneOf(context))}`;
      for (const row of now) output.line(`${when}  ${calledOf(row)}`);
    }),
  );
}

async function momentRead(context: CliContext, text: string | undefined): Promise<number> {
  if (text === undefined) throw new DeviceError("usage", { sentence: "Say until when: --until tomorrow, or --off." });
  return snoozeMoment(text, hereOf(context));
}

/** `proposals assign`: into a project, or out of it. */
function addAssign(proposals: Command, context: CliContext): void {
  const command = proposals
    .command("assign")
    .summary("put proposals into a project")
    .description(
      "Puts proposals into a project of this device, or takes them out. A task that is made of one afterwards is of that " +
        "project unless another is said.",
    );
  withSelection(command)
    .addOption(new Option("--project <project>", "name or id of the project"))
    .addOption(new Option("--none", "take them out").conflicts("project"));
  withCommonOptions(command).action((refs: string[], flags: SelectionFlags & { project?: string; none?: boolean }) =>
    withStore(context, flags, (store, output) => {
      if (flags.project === undefined && flags.none !== true) {
        throw new DeviceError("usage", { sentence: "Say which project: --project NAME, or --none." });
      }
      const project = flags.project === undefined ? null : projectNamed(store, flags.project);
      const rows = selectedProposals(store, { refs, ...flags });
      const now = store.transaction(() => rows.map(({ id }) => store.proposals.assign(id, project?.id ?? null)));
      if (flags.json) return output.json(now.map(proposalJson));
      for (const row of now)
        output.line(`${project === null ? "no project" : printable(project.name)}  ${calledOf(row)}`);
    }),
  );
}

/** `proposals mute`: what this one's sender sends from now on is dismissed. */
function addMuteSender(proposals: Command, context: CliContext): void {
  const command = proposals
    .command("mute")
    .summary("dismiss what a proposal's sender sends from now on")
    .description("As `scouts mute`, for the sender of a proposal; what was proposed before stays.")
    .argument("<id>", "ref or id of a proposal, or how it begins")
    .option("--undo", "judge what the sender sends again");
  withCommonOptions(command).action((ref: string, flags: CommonOptions & { undo?: boolean }) =>
    withStore(context, flags, async (store, output) => {
      const { id } = proposalNamed(store, ref);
      const home = () => homeOf(dataFolderOf(context, flags), context.now);
      const { address, scouts } = await muteSenderOf(store, home, id, flags.undo !== true);
      if (flags.json) return output.json({ muted: flags.undo !== true, address, scouts: scouts.map(({ id }) => id) });
      const names = scouts.map(({ name }) => printable(name)).join(", ");
      output.line(`${flags.undo ? "heard again" : "muted"}  ${printable(address)} (${names})`);
    }),
  );
}

/** `proposals original`: the item where it came from, in a browser. */
function addOriginal(proposals: Command, context: CliContext): void {
  const command = proposals
    .command("original")
    .summary("open a proposal's item at its source")
    .description("Opens a proposal's item at its source in the browser; `scouts open` reads it here instead.")
    .argument("<id>", "ref or id of a proposal, or how it begins")
    .option("--print-url", "print the address and open nothing");
  withCommonOptions(command).action((ref: string, flags: CommonOptions & { printUrl?: boolean }) =>
    withStore(context, flags, (store, output) => {
      const { metadata } = proposalNamed(store, ref);
      const link = metadata?.sourceLink;
      if (link === undefined) {
        throw new DeviceError("usage", {
          sentence: `Its source gave no address for it; read it here: scouts open ${printable(ref)}`,
        });
      }
      if (flags.json) output.json({ link });
      else output.line(printable(link));
      if (flags.printUrl !== true && flags.json !== true) openBrowser(link);
    }),
  );
}

/** What a person does with proposals without deciding them. */
export function addSettingAside(proposals: Command, context: CliContext): void {
  for (const add of [addSnooze, addAssign, addMuteSender, addOriginal]) add(proposals, context);
}
