import { type Command, Option } from "commander";
import { DeviceError } from "../../device/errors.ts";
import { proposalInThreadJson, proposalJson } from "../../device/proposals/proposal-json.ts";
import { type Listed, type ListRequest, listProposals } from "../../device/proposals/proposal-page.ts";
import { proposalNamed, selectedProposals } from "../../device/proposals/selected.ts";
import { reopenable } from "../../device/proposals/shown/closed-lately.ts";
import { standingOf } from "../../device/proposals/shown/standing.ts";
import {
  decideProposal,
  newFrameId,
  reopenProposal,
  type UndoneBy,
  type UndoneDecision,
  undoDecision,
} from "../../device/store/decide.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import { type ProposalStatus, proposalStatuses, type StoredProposal } from "../../device/store/schema.ts";
import {
  type CliContext,
  type CommonOptions,
  hereOf,
  wholeNumber,
  withCommonOptions,
  withStore,
  zoneOf,
} from "../context.ts";
import { counted } from "../output/counted.ts";
import { asideOn, type Output, outputOn } from "../output/output.ts";
import { shownTime } from "../output/shown-time.ts";
import { showWaiting } from "../scouts/shown/waiting.ts";
import { approveEach, type OutcomeFlags, withOutcomeOptions } from "./approve.ts";
import { calledOf } from "./called.ts";
import { addConversions } from "./convert.ts";
import { addReplyDraft } from "./reply-draft.ts";
import { addSettingAside, type SelectionFlags, withSelection } from "./set-aside.ts";
import { showByAttention } from "./shown-attention.ts";
import { showOne, showProposals, showThreads } from "./shown-proposals.ts";

interface ReopenFlags extends CommonOptions {
  readonly expired?: boolean;
}

interface ListFlags extends CommonOptions {
  readonly status?: ProposalStatus[];
  readonly limit?: number;
  readonly search?: string;
  /** False with `--no-fold`. */
  readonly fold: boolean;
  readonly by?: "arrival" | "attention";
  readonly snoozed?: boolean;
}

/** `proposals approve`: marks, and makes something of what is approved where that is asked for. */
function addApproval(proposals: Command, context: CliContext): void {
  const command = proposals
    .command("approve")
    .summary("approve proposals, and make of each what its draft says")
    .description(
      "Approves proposals and makes of each the task, event or note of its draft (`scouts proposals show`), with what the " +
        "options say in its place; of what is only to be known nothing is made. --task, --event or --note make another " +
        "kind of it, --no-draft marks it and no more. Both or neither; the home is told ten seconds later then, and until " +
        "then `scouts proposals undo` takes both back. What it becomes is known to this device alone.",
    );
  withCommonOptions(withOutcomeOptions(withSelection(command))).action((refs: string[], flags: OutcomeFlags) =>
    withStore(context, flags, async (store, output) => {
      await approveEach(store, output, context, selectedProposals(store, { refs, ...flags }), flags);
    }),
  );
}

/** `proposals undo`: takes decisions back, with what they made. */
function addUndo(proposals: Command, context: CliContext): void {
  const command = proposals
    .command("undo")
    .summary("take a decision back, with what it made")
    .description(
      "Takes a decision back, with what it made. While the home has not been told (decisions that make something, and those " +
        "of the console, wait ten seconds at least) it is as if nothing had been decided; after that the " +
        "proposal is opened again on every device. Where another device has decided otherwise, its decision stands then. " +
        "What the home has refused is taken back on this device alone; where its scout was removed the proposal is closed.",
    )
    .argument("<id...>", "refs or ids of proposals, or how they begin");
  withCommonOptions(command).action((ids: string[], flags: CommonOptions) =>
    withStore(context, flags, (store, output) => {
      const nextFrameId = () => newFrameId(context.newId);
      const undone = store.transaction(() =>
        ids.map((id) => undoDecision(store, proposalNamed(store, id).id, nextFrameId)),
      );
      if (flags.json) output.json(undone.map(({ proposal, by }) => ({ ...proposalJson(proposal), by })));
      else for (const each of undone) output.line(undoneLine(each));
    }),
  );
}

const undoneBecause: Readonly<Record<UndoneBy, string>> = {
  withdrawn: "",
  reopened: "The cloud had been told of it already: it opens it again, on every device.",
  yielded: "The decision of your other device stands.",
  refused: "The cloud had refused the decision, so it is taken back on this device alone.",
  removed: "Its scout was removed, so it is closed; what the decision had made is taken back.",
};

function undoneLine({ proposal, by }: UndoneDecision): string {
  const why = undoneBecause[by] === "" ? "" : `  ${undoneBecause[by]}`;
  return `${standingOf(proposal)}  ${calledOf(proposal)}${why}`;
}

/** `proposals reopen`: another decision, on whatever device. */
function addReopening(proposals: Command, context: CliContext): void {
  const command = proposals
    .command("reopen")
    .summary("open proposals again that were decided, or that nobody decided in time")
    .description(
      "Opens what was decided again, here and on your other devices, to be decided anew. What became of it stays as it is, " +
        "and is taken up when the proposal is approved again. So is what was closed because nobody decided it for thirty days.",
    )
    .argument("[id...]", "refs or ids of proposals, or how they begin")
    .option("--expired", "all that were closed in the last thirty days because nobody had decided them");
  withCommonOptions(command).action((ids: string[], flags: ReopenFlags) =>
    withStore(context, flags, (store, output) => {
      const nextFrameId = () => newFrameId(context.newId);
      if (ids.length === 0 && !flags.expired) {
        throw new DeviceError("usage", { sentence: "Say which: refs or ids, or --expired." });
      }
      const open = store.transaction(() => {
        const named = ids.map((id) => proposalNamed(store, id));
        const all = [...named, ...(flags.expired ? reopenable(store, context.now()) : [])];
        return [...new Set(all.map(({ id }) => id))].map((id) => reopenProposal(store, id, nextFrameId));
      });
      if (open.length === 0 && !flags.json) output.line("None was closed undecided in the last thirty days.");
      if (flags.json) output.json(open.map(proposalJson));
      else for (const row of open) output.line(`${row.status}  ${calledOf(row)}`);
    }),
  );
}

function decideEach(
  store: DeviceStore,
  output: Output,
  context: CliContext,
  named: readonly StoredProposal[],
  outcome: "approved" | "rejected",
  flags: CommonOptions,
): void {
  const decided = store.transaction(() =>
    named.map(({ id }) => decideProposal(store, id, outcome, () => newFrameId(context.newId))),
  );
  if (flags.json) output.json(decided.map(proposalJson));
  else for (const row of decided) output.line(`${outcome}  ${calledOf(row)}`);
}

function addRejection(proposals: Command, context: CliContext): void {
  const command = proposals
    .command("reject")
    .summary("mark proposals as rejected and tell the home")
    .description(
      "Marks proposals as rejected. The home is told as soon as the device is connected; nothing else is done.",
    );
  withCommonOptions(withSelection(command)).action((refs: string[], flags: SelectionFlags) =>
    withStore(context, flags, (store, output) =>
      decideEach(store, output, context, selectedProposals(store, { refs, ...flags }), "rejected", flags),
    ),
  );
}

/** A search ends in time whatever a device holds; what it left out is said. */
function showNotSearched(output: Output, count: number): void {
  if (count > 0) output.line(output.style("dim", `The oldest ${counted(count, "proposal")} were not searched.`));
}

/** What would be in the list and is snoozed is named where it is not shown. */
function showSnoozed(output: Output, context: CliContext, store: DeviceStore, request: ListRequest): void {
  if (request.isSnoozed) return;
  const hidden = listProposals(store, { ...request, isSnoozed: true, limit: undefined }, "arrival");
  const times = (hidden.order === "arrival" ? hidden.rows : []).flatMap(({ snoozedUntil }) => snoozedUntil ?? []);
  if (times.length === 0) return;
  const when = shownTime(Math.min(...times), zoneOf(context));
  const how = `${times.length} snoozed, the next one until ${when}: scouts proposals list --snoozed`;
  output.line(output.style("dim", how));
}

function listedJson(store: DeviceStore, listed: Listed) {
  if (listed.order === "attention") {
    return listed.rows.map(({ row, score, because }) => ({ ...proposalJson(row), score, because }));
  }
  const threads = store.proposals.threadCounts();
  const rows = listed.order === "threads" ? listed.rows.map(({ shown }) => shown) : listed.rows;
  return rows.map((row) => proposalInThreadJson(row, threads));
}

/** `scouts proposals …`: what the device holds, and the person's decisions. */
export function addProposals(program: Command, context: CliContext): void {
  const proposals = program.command("proposals").description("what the scouts propose: list, show, decide");

  const list = proposals
    .command("list")
    .summary("list proposals, newest first")
    .description(
      "Lists proposals, newest first, those of a conversation in one row (the newest that is pending stands for it). " +
        "With --json every proposal is listed.",
    )
    .addOption(new Option("--status <status...>", "only these").choices(proposalStatuses))
    .option("--search <words>", "only those whose subject, sender, text or reason holds each word")
    .option("--limit <number>", "at most so many", wholeNumber(1, 1_000_000))
    .addOption(
      new Option("--by <order>", "attention: what is pending, by what deserves it, with the reason").choices([
        "arrival",
        "attention",
      ]),
    )
    .option("--snoozed", "only what is snoozed, and hidden otherwise")
    .option("--no-fold", "list each proposal of a conversation");
  withCommonOptions(list).action((flags: ListFlags) =>
    withStore(context, flags, (store, output) => {
      const { status: statuses, limit, search: words = "", snoozed: isSnoozed = false } = flags;
      const order = flags.by === "attention" ? flags.by : flags.json || !flags.fold ? "arrival" : "threads";
      const request = { statuses, limit, words, isSnoozed, nowMs: context.now() };
      const listed = listProposals(store, request, order);
      if (flags.json) {
        output.json(listedJson(store, listed));
        return showNotSearched(asideOn(context.io), listed.notSearched);
      }
      if (listed.order === "attention") showByAttention(output, listed.rows, hereOf(context));
      else if (listed.order === "threads") showThreads(output, listed.rows, hereOf(context));
      else showProposals(output, listed.rows, hereOf(context));
      showNotSearched(output, listed.notSearched);
      showSnoozed(output, context, store, request);
      if (listed.order === "attention") return;
      showWaiting(output, store.waitingScouts.causes(), context.now());
    }),
  );

  const show = proposals
    .command("show")
    .description("show one proposal")
    .argument("<id>", "ref or id of a proposal, or how it begins");
  withCommonOptions(show).action((id: string, flags: CommonOptions) =>
    withStore(context, flags, (store) => {
      const output = outputOn(context.io);
      const found = proposalNamed(store, id);
      const shown = proposalInThreadJson(found, store.proposals.threadCounts());
      if (flags.json) output.json(shown);
      else showOne(output, found, shown.thread, hereOf(context), (id) => store.projects.find(id)?.name);
    }),
  );

  addApproval(proposals, context);
  addRejection(proposals, context);
  addUndo(proposals, context);
  addReopening(proposals, context);
  addConversions(proposals, context);
  addReplyDraft(proposals, context);
  addSettingAside(proposals, context);
}
