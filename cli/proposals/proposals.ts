import { type Command, Option } from "commander";
import { DeviceError } from "../../device/errors.ts";
import { decideProposal, newFrameId } from "../../device/store/decide.ts";
import { findProposal } from "../../device/store/find-proposal.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import { type ProposalStatus, proposalStatuses, type StoredProposal } from "../../device/store/schema.ts";
import { reasonCodes, reasonSentences, shownReasonCodeSchema } from "../../events/verdict.ts";
import { type CliContext, type CommonOptions, wholeNumber, withCommonOptions, withStore } from "../context.ts";
import { counted } from "../output/counted.ts";
import { facts } from "../output/facts.ts";
import { age, type Output, outputOn } from "../output/output.ts";
import { padded, printable, printableLines } from "../output/printable.ts";
import { table } from "../output/table.ts";
import { showWaiting } from "../scouts/waiting.ts";

interface ListFlags extends CommonOptions {
  readonly status?: ProposalStatus[];
  readonly limit?: number;
}

const widestReason = Math.max(...reasonCodes.map(({ length }) => length));
const statusStyles = { pending: "yellow", approved: "green", rejected: "red", expired: "dim" } as const;

/** Why the cloud proposes it: the model's words when the device got them, else the code's sentence. */
function reasonOf(proposal: StoredProposal): string {
  const code = shownReasonCodeSchema.safeParse(proposal.reasonCode);
  return proposal.reason ?? (code.success ? reasonSentences[code.data] : proposal.reasonCode);
}

/** @throws DeviceError `proposal_unknown`, `usage` */
function proposalNamed(store: DeviceStore, text: string): StoredProposal {
  const found = findProposal(store, text);
  if (found === undefined) throw new DeviceError("proposal_unknown", { sentence: `There is no proposal ${text}.` });
  return found;
}

const subjectOf = ({ rawSubject }: StoredProposal): string =>
  rawSubject === null || rawSubject.trim() === "" ? "(no subject)" : rawSubject;

/** One line about a proposal that has just arrived, without titles: they come one by one. */
export function showArrival(output: Output, proposal: StoredProposal): void {
  const why = printable(proposal.reasonCode.replaceAll("_", " ")).padEnd(widestReason);
  const ref = printable(proposal.sourceMsgRef);
  const room = Math.max(20, output.columns - widestReason - ref.length - 2 * 2 - "new  ".length);
  const subject = padded(printable(subjectOf(proposal)), room);
  output.line(`${output.style("yellow", "new")}  ${why}  ${subject}  ${ref}`);
}

export function showProposals(output: Output, proposals: readonly StoredProposal[], nowMs: number): void {
  if (proposals.length === 0) {
    output.line("No proposals.");
    return;
  }
  table(output, proposals, [
    { title: "STATUS", cell: ({ status }) => status, style: ({ status }) => statusStyles[status] },
    { title: "AGE", cell: ({ triagedAt }) => age(triagedAt, nowMs) },
    { title: "WHY", cell: ({ reasonCode }) => reasonCode.replaceAll("_", " ") },
    { title: "SUBJECT", cell: subjectOf, fills: true },
    { title: "REF", cell: ({ sourceMsgRef }) => sourceMsgRef },
  ]);
  output.line(output.style("dim", counted(proposals.length, "proposal")));
}

function showOne(output: Output, proposal: StoredProposal, nowMs: number): void {
  const closed = proposal.closedReason === null ? "" : ` (${proposal.closedReason.replaceAll("_", " ")})`;
  output.line(output.style("bold", printable(subjectOf(proposal))));
  facts(output, [
    ["id", proposal.id],
    ["source", `${proposal.sourceType} ${proposal.sourceMsgRef}`],
    ["status", `${proposal.status}${closed}`],
    ["judged", `${age(proposal.triagedAt, nowMs)}, ${new Date(proposal.triagedAt).toISOString()}`],
    ["why", reasonOf(proposal)],
  ]);
  if (proposal.rawSnippet !== null) output.line(`\n${printableLines(proposal.rawSnippet)}`);
}

function addDecision(proposals: Command, context: CliContext, name: string, outcome: "approved" | "rejected"): void {
  const command = proposals
    .command(name)
    .summary(`mark proposals as ${outcome} and tell the cloud`)
    .description(
      `Marks proposals as ${outcome}. The cloud is told as soon as the device is connected; nothing else is done.`,
    )
    .argument("<id...>", "refs or ids of proposals, or how they begin");
  withCommonOptions(command).action((ids: string[], flags: CommonOptions) =>
    withStore(context, flags, (store, output) => {
      const decided = store.transaction(() =>
        ids.map((id) => decideProposal(store, proposalNamed(store, id).id, outcome, () => newFrameId(context.newId))),
      );
      if (flags.json) output.json(decided);
      else for (const row of decided) output.line(`${outcome}  ${printable(row.rawSubject ?? row.sourceMsgRef)}`);
    }),
  );
}

/** `scouts proposals …`: what the device holds, and the person's decisions. */
export function addProposals(program: Command, context: CliContext): void {
  const proposals = program.command("proposals").description("what the scouts propose: list, show, decide");

  const list = proposals
    .command("list")
    .description("list proposals, newest first")
    .addOption(new Option("--status <status...>", "only these").choices(proposalStatuses))
    .option("--limit <number>", "at most so many", wholeNumber(1, 1_000_000));
  withCommonOptions(list).action((flags: ListFlags) =>
    withStore(context, flags, (store, output) => {
      const found = store.proposals.list({
        ...(flags.status === undefined ? {} : { statuses: flags.status }),
        ...(flags.limit === undefined ? {} : { limit: flags.limit }),
      });
      if (flags.json) output.json(found);
      else {
        showProposals(output, found, context.now());
        showWaiting(output, store.waitingScouts.causes(), context.now());
      }
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
      if (flags.json) output.json(found);
      else showOne(output, found, context.now());
    }),
  );

  addDecision(proposals, context, "approve", "approved");
  addDecision(proposals, context, "reject", "rejected");
}
