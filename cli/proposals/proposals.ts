import { type Command, Option } from "commander";
import { proposalId } from "../../events/ids.ts";
import { reasonCodeSchema, reasonSentences } from "../../events/verdict.ts";
import { DeviceError } from "../../device/errors.ts";
import { decideProposal } from "../../device/store/decide.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import { type ProposalStatus, proposalStatuses, type StoredProposal } from "../../device/store/schema.ts";
import { type CliContext, type CommonOptions, wholeNumber, withCommonOptions, withStore } from "../context.ts";
import { age, type Output, outputOn, table } from "../output/output.ts";
import { printable, printableLines } from "../output/printable.ts";

interface ListFlags extends CommonOptions {
  readonly status?: ProposalStatus[];
  readonly limit?: number;
}

const statusStyles = { pending: "yellow", approved: "green", rejected: "red", expired: "dim" } as const;

/** Why the cloud proposes it: the model's words when the device got them, else the code's sentence. */
function reasonOf(proposal: StoredProposal): string {
  const code = reasonCodeSchema.safeParse(proposal.reasonCode);
  return proposal.reason ?? (code.success ? reasonSentences[code.data] : proposal.reasonCode);
}

/** Finds a proposal by its id or, when that is unambiguous, by its source's own id of the message. */
function findProposal(store: DeviceStore, text: string): StoredProposal {
  const id = proposalId.safeParse(text);
  const exact = id.success ? store.proposals.find(id.data) : undefined;
  if (exact !== undefined) return exact;
  const [found, another] = store.proposals.list({ sourceMsgRef: text });
  if (another !== undefined) {
    throw new DeviceError("usage", { sentence: `Several proposals are called ${text}; give the whole id.` });
  }
  if (found === undefined) throw new DeviceError("proposal_unknown", { sentence: `There is no proposal ${text}.` });
  return found;
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
    { title: "SUBJECT", cell: ({ rawSubject }) => rawSubject ?? "(no subject)", fills: true },
    { title: "REF", cell: ({ sourceMsgRef }) => sourceMsgRef },
  ]);
  output.line(output.style("dim", `${proposals.length} ${proposals.length === 1 ? "proposal" : "proposals"}`));
}

function showOne(output: Output, proposal: StoredProposal, nowMs: number): void {
  const closed = proposal.closedReason === null ? "" : ` (${proposal.closedReason.replaceAll("_", " ")})`;
  const facts: readonly (readonly [string, string])[] = [
    ["id", proposal.id],
    ["source", `${proposal.sourceType} ${proposal.sourceMsgRef}`],
    ["status", `${proposal.status}${closed}`],
    ["judged", `${age(proposal.triagedAt, nowMs)}, ${new Date(proposal.triagedAt).toISOString()}`],
    ["why", reasonOf(proposal)],
  ];
  output.line(output.style("bold", printable(proposal.rawSubject ?? "(no subject)")));
  for (const [name, value] of facts) output.line(`${output.style("dim", name.padEnd(8))}${printable(value)}`);
  if (proposal.rawSnippet !== null) output.line(`\n${printableLines(proposal.rawSnippet)}`);
}

function addDecision(proposals: Command, context: CliContext, name: string, outcome: "approved" | "rejected"): void {
  const command = proposals
    .command(name)
    .summary(`mark proposals as ${outcome} and tell the cloud`)
    .description(
      `Marks proposals as ${outcome}. The cloud is told as soon as the device is connected; nothing else is done.`,
    )
    .argument("<id...>", "ids or refs of proposals");
  withCommonOptions(command).action((ids: string[], flags: CommonOptions) =>
    withStore(context, flags, (store, output) => {
      const decided = store.transaction(() =>
        ids.map((id) => decideProposal(store, findProposal(store, id).id, outcome)),
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
      else showProposals(output, found, context.now());
    }),
  );

  const show = proposals.command("show").description("show one proposal").argument("<id>", "id or ref of a proposal");
  withCommonOptions(show).action((id: string, flags: CommonOptions) =>
    withStore(context, flags, (store) => {
      const output = outputOn(context.io);
      const found = findProposal(store, id);
      if (flags.json) output.json(found);
      else showOne(output, found, context.now());
    }),
  );

  addDecision(proposals, context, "approve", "approved");
  addDecision(proposals, context, "reject", "rejected");
}
