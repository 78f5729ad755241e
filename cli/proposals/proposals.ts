import { type Command, Option } from "commander";
import { DeviceError } from "../../device/errors.ts";
import { proposalInThreadJson, proposalJson } from "../../device/proposals/proposal-json.ts";
import { decideProposal, newFrameId } from "../../device/store/decide.ts";
import { findProposal } from "../../device/store/find-proposal.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import { type ProposalStatus, proposalStatuses, type StoredProposal } from "../../device/store/schema.ts";
import { type CliContext, type CommonOptions, wholeNumber, withCommonOptions, withStore } from "../context.ts";
import { outputOn } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { showWaiting } from "../scouts/waiting.ts";
import { showOne, showProposals, showThreads } from "./shown-proposals.ts";

interface ListFlags extends CommonOptions {
  readonly status?: ProposalStatus[];
  readonly limit?: number;
  /** False with `--no-fold`. */
  readonly fold: boolean;
}

/** @throws DeviceError `proposal_unknown`, `usage` */
function proposalNamed(store: DeviceStore, text: string): StoredProposal {
  const found = findProposal(store, text);
  if (found === undefined) throw new DeviceError("proposal_unknown", { sentence: `There is no proposal ${text}.` });
  return found;
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
      if (flags.json) output.json(decided.map(proposalJson));
      else for (const row of decided) output.line(`${outcome}  ${printable(row.rawSubject ?? row.sourceMsgRef)}`);
    }),
  );
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
    .option("--limit <number>", "at most so many", wholeNumber(1, 1_000_000))
    .option("--no-fold", "list each proposal of a conversation");
  withCommonOptions(list).action((flags: ListFlags) =>
    withStore(context, flags, (store, output) => {
      const filter = {
        ...(flags.status === undefined ? {} : { statuses: flags.status }),
        ...(flags.limit === undefined ? {} : { limit: flags.limit }),
      };
      const { proposals: table } = store;
      if (flags.json) {
        const threads = table.threadCounts();
        output.json(table.list(filter).map((row) => proposalInThreadJson(row, threads)));
      } else {
        if (flags.fold) showThreads(output, table.threads(filter), context.now());
        else showProposals(output, table.list(filter), context.now());
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
      const shown = proposalInThreadJson(found, store.proposals.threadCounts());
      if (flags.json) output.json(shown);
      else showOne(output, found, shown.thread, context.now());
    }),
  );

  addDecision(proposals, context, "approve", "approved");
  addDecision(proposals, context, "reject", "rejected");
}
