import { age } from "../../device/age.ts";
import { dayNamed } from "../../device/proposals/shown/next-time.ts";
import { standingOf } from "../../device/proposals/shown/standing.ts";
import type { StoredProposal } from "../../device/store/schema.ts";
import { isInConflict } from "../../device/store/tables/proposals/decisions.ts";
import type { Thread, ThreadCounts } from "../../device/store/tables/proposals/threads.ts";
import type { Here } from "../../device/work/dates/read-date.ts";
import type { ProjectId } from "../../events/ids.ts";
import type { ProposalMetadata } from "../../events/proposals/metadata.ts";
import { reasonCodes, reasonSentences, shownReasonCodeSchema } from "../../events/proposals/verdict.ts";
import { counted } from "../output/counted.ts";
import { facts } from "../output/facts.ts";
import type { Output } from "../output/output.ts";
import { padded, printable, printableLines, shortened, truncated } from "../output/printable.ts";
import { shownTime } from "../output/shown-time.ts";
import { type Column, table } from "../output/table.ts";
import { subjectOf } from "./called.ts";
import { showDraft } from "./shown-draft.ts";

const widestReason = Math.max(...reasonCodes.map(({ length }) => length));
/** Terminal columns: the subject says more. */
const widestSender = 24;
/** A name's end says what kind of file it is, so its middle is cut. */
const widestAttachment = 60;
const statusStyles = { pending: "yellow", approved: "green", rejected: "red", expired: "dim" } as const;

const relations: Readonly<Record<ProposalMetadata["relation"], string>> = {
  to: "to you",
  cc: "to you in copy",
  list: "to a list",
  bulk: "to many alike",
  unknown: "",
};

/** Why the cloud proposes it: the model's words when the device got them, else the code's sentence. */
function reasonOf(proposal: StoredProposal): string {
  const code = shownReasonCodeSchema.safeParse(proposal.reasonCode);
  return proposal.reason ?? (code.success ? reasonSentences[code.data] : proposal.reasonCode);
}

/**
 * Who it is from, in few columns. A name is the sender's own word: one that looks like an address, or of which nothing
 * can be seen, gives way to the address it came from.
 */
function senderOf({ metadata }: StoredProposal): string {
  if (metadata === null) return "";
  const { name, address } = metadata.sender;
  const shown = printable(name);
  return address !== "" && (shown === "" || shown.includes("@")) ? address : shown;
}

/** Prints the line about a proposal that has just arrived. */
export function showArrival(output: Output, proposal: StoredProposal): void {
  output.line(arrivalLine(output, proposal));
}

/** One line about a proposal that has just arrived, without titles: they come one by one. */
export function arrivalLine(output: Output, proposal: StoredProposal): string {
  const why = printable(proposal.reasonCode.replaceAll("_", " ")).padEnd(widestReason);
  const ref = printable(proposal.sourceMsgRef);
  const room = Math.max(20, output.columns - widestReason - ref.length - 2 * 2 - "new  ".length);
  const from = truncated(printable(senderOf(proposal)), widestSender);
  const subject = padded(`${from === "" ? "" : `${from}: `}${subjectOf(proposal)}`, room);
  return `${output.style("yellow", "new")}  ${why}  ${subject}  ${ref}`;
}

/** One row a proposal. */
export function showProposals(output: Output, proposals: readonly StoredProposal[], here: Here): void {
  showRows(
    output,
    proposals.map((shown) => ({ shown, proposals: 1, pending: 0 })),
    here,
  );
}

/** One row a conversation. */
export function showThreads(output: Output, threads: readonly Thread[], here: Here): void {
  showRows(output, threads, here);
  if (threads.some(({ proposals }) => proposals > 1)) {
    output.line(output.style("dim", "Conversations take one row each; --no-fold lists every proposal."));
  }
}

function showRows(output: Output, rows: readonly Thread[], here: Here): void {
  if (rows.length === 0) {
    output.line("No proposals.");
    return;
  }
  // To work a series out takes a while.
  const days = new Map(rows.map(({ shown }) => [shown.id, dayNamed(shown, here)]));
  const columns: readonly (Column<Thread> | false)[] = [
    { title: "STATUS", cell: ({ shown }) => statusOf(shown), style: ({ shown }) => statusStyles[shown.status] },
    rows.some(({ shown }) => snoozedUntil(shown, here) !== "") && {
      title: "UNTIL",
      cell: ({ shown }) => snoozedUntil(shown, here),
    },
    { title: "AGE", cell: ({ shown }) => age(shown.writtenAt, here.nowMs) },
    { title: "WHY", cell: ({ shown }) => shown.reasonCode.replaceAll("_", " ") },
    rows.some(({ shown }) => shown.payload !== null) && {
      title: "WHAT",
      cell: ({ shown }) => (shown.payload === null ? "" : shown.category.replaceAll("_", " ")),
    },
    rows.some(({ shown }) => shown.priority !== "none") && {
      title: "SOON",
      cell: ({ shown }) => (shown.priority === "none" ? "" : shown.priority),
      style: ({ shown }) => (shown.priority === "now" ? "red" : shown.priority === "soon" ? "yellow" : "dim"),
    },
    [...days.values()].some((day) => day !== "") && {
      title: "WHEN",
      cell: ({ shown }) => days.get(shown.id) ?? "",
    },
    rows.some(({ shown }) => senderOf(shown) !== "") && {
      title: "FROM",
      cell: ({ shown }) => truncated(printable(senderOf(shown)), widestSender),
      least: 8,
    },
    { title: "SUBJECT", cell: ({ shown }) => subjectOf(shown), fills: true },
    rows.some(({ proposals }) => proposals > 1) && { title: "THREAD", cell: threadCell },
    { title: "REF", cell: ({ shown }) => shown.sourceMsgRef },
  ];
  table(
    output,
    rows,
    columns.filter((column) => column !== false),
  );
  if (rows.some(({ shown }) => isInConflict(shown))) {
    output.line(
      output.style(
        "yellow",
        "! in STATUS: another device had decided this before, and otherwise than this one. `scouts proposals show REF` says what you can do.",
      ),
    );
  }
  const all = rows.reduce((sum, { proposals }) => sum + proposals, 0);
  const inThreads = all === rows.length ? "" : ` in ${counted(rows.length, "row")}`;
  output.line(output.style("dim", `${counted(all, "proposal")}${inThreads}`));
}

/** When what is snoozed is there again; empty for what is not. */
const snoozedUntil = ({ status, snoozedUntil: untilMs }: StoredProposal, { nowMs, zone }: Here): string =>
  status === "pending" && untilMs !== null && untilMs > nowMs ? shownTime(untilMs, zone) : "";

const statusOf = (proposal: StoredProposal): string => `${standingOf(proposal)}${isInConflict(proposal) ? " !" : ""}`;

/** `3`, or `3, 2 open`: a row has room for one proposal's status only. */
function threadCell({ proposals, pending }: Thread): string {
  if (proposals === 1) return "";
  return pending > 1 ? `${proposals}, ${pending} open` : String(proposals);
}

/**
 * @param thread its conversation, where this device has seen more of it
 * @param nameOf what a project of this device is called
 */
export function showOne(
  output: Output,
  proposal: StoredProposal,
  thread: ThreadCounts | null,
  here: Here,
  nameOf: (project: ProjectId) => string | undefined,
): void {
  const { closedReason, projectId } = proposal;
  const standing = standingOf(proposal);
  const isSaid = closedReason === null || standing !== proposal.status;
  const why = closedReason === "expired" ? "nobody decided it for thirty days" : closedReason?.replaceAll("_", " ");
  const snoozed = snoozedUntil(proposal, here);
  const closed = isSaid ? "" : ` (${why})`;
  output.line(output.style("bold", subjectOf(proposal)));
  facts(output, [
    ...metadataFacts(proposal.metadata, here.zone),
    ...(thread === null ? [] : ([["thread", threadFact(thread)]] as const)),
    ["id", proposal.id],
    ["source", `${proposal.sourceType} ${proposal.sourceMsgRef}`],
    ["status", `${standing}${closed}${snoozed === "" ? "" : `, snoozed until ${snoozed}`}`],
    ...(projectId === null ? [] : ([["project", nameOf(projectId) ?? projectId]] as const)),
    ...(proposal.round === 1 ? [] : ([["round", `${proposal.round}: it was decided and opened again`]] as const)),
    ...(isInConflict(proposal) || proposal.decidedElsewhere === null
      ? []
      : ([["decided", `${proposal.decidedElsewhere} on another device`]] as const)),
    ...(proposal.resolvedEntityType === null
      ? []
      : ([["became", `${proposal.resolvedEntityType} ${proposal.resolvedEntityId}`]] as const)),
    ["judged", `${age(proposal.triagedAt, here.nowMs)}, ${shownTime(proposal.triagedAt, here.zone)}`],
    ["why", reasonOf(proposal)],
  ]);
  if (proposal.payload !== null) {
    // The project a person has put it into comes before one that was found in it.
    const found = projectId === null ? proposal.payload.projectId : null;
    showDraft(output, proposal, proposal.payload, here, found === null ? undefined : (nameOf(found) ?? found));
  }
  if (isInConflict(proposal)) {
    const kept =
      proposal.resolvedEntityType === null ? "" : `; the ${proposal.resolvedEntityType} made from it is kept`;
    output.line(
      output.style(
        "yellow",
        `\nAnother device has ${proposal.decidedElsewhere} this first; here it is ${proposal.status}${kept}.`,
      ),
    );
    output.line(`To let that stand: scouts proposals undo ${printable(proposal.sourceMsgRef)}`);
    output.line(`To decide anew, on all devices: scouts proposals reopen ${printable(proposal.sourceMsgRef)}`);
  }
  if (closedReason === "expired") {
    output.line(`To decide it after all: scouts proposals reopen ${printable(proposal.sourceMsgRef)}`);
  }
  if (proposal.rawSnippet !== null) output.line(`\n${printableLines(proposal.rawSnippet)}`);
}

/** Name and address both, and the address in brackets of its own: a name may hold another one. */
function metadataFacts(metadata: ProposalMetadata | null, zone: string): (readonly [string, string])[] {
  if (metadata === null) return [];
  const { sender, sentAt, relation, automatic, listId, attachments, sourceLink } = metadata;
  const [name, address] = [printable(sender.name), printable(sender.address)];
  const addressed = [relations[relation], ...(automatic ? ["sent by a program"] : [])].filter((part) => part !== "");
  const pairs: readonly (readonly [string, string])[] = [
    ["from", name === "" || address === "" ? name || address : `${name} <${address}>`],
    ["sent", sentAt === undefined ? "" : shownTime(sentAt, zone)],
    ["how", addressed.join(", ")],
    ["list", listId ?? ""],
    ["files", attachmentsText(attachments ?? [])],
    ["link", sourceLink ?? ""],
  ];
  return pairs.filter(([, value]) => value !== "");
}

/** The files of an item, in one line; empty where there are none. */
export const attachmentsText = (attachments: readonly { name: string; sizeBytes: number }[]): string =>
  attachments.map(attachmentText).join(", ");

const attachmentText = ({ name, sizeBytes }: { name: string; sizeBytes: number }): string =>
  `${shortened(printable(name) || "(no name)", widestAttachment)} (${bytesText(sizeBytes)})`;

function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** What this device has seen of a conversation, this proposal included. */
function threadFact(counts: ThreadCounts): string {
  const { pending, approved, rejected, expired } = counts;
  const parts = [
    [pending, "pending"],
    [approved, "approved by you"],
    [rejected, "rejected by you"],
    [expired, "closed"],
  ] as const;
  const all = pending + approved + rejected + expired;
  return `${all} proposals: ${parts.flatMap(([n, what]) => (n > 0 ? [`${n} ${what}`] : [])).join(", ")}`;
}
