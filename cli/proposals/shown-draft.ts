import type { Claim, ProposalDraft } from "../../device/categorize/draft.ts";
import { reasonWords } from "../../device/categorize/reason-words.ts";
import { draftOutcome } from "../../device/proposals/draft/draft-outcome.ts";
import { nextTimes } from "../../device/proposals/shown/next-time.ts";
import type { StoredProposal } from "../../device/store/schema.ts";
import type { Here } from "../../device/work/dates/read-date.ts";
import { shownTimes } from "../../device/work/events/shown-times.ts";
import { gapTextOf } from "../../device/work/recurrence/partly-known.ts";
import { repeatWords } from "../../device/work/recurrence/repeat-words.ts";
import type { SeriesEvent } from "../../device/work/recurrence/series.ts";
import { facts } from "../output/facts.ts";
import type { Output } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { dueText } from "../work/date-options.ts";

/** What is made of a proposal when it is approved, and why. @param project the name of the one that is found in it */
export function showDraft(
  output: Output,
  proposal: StoredProposal,
  draft: ProposalDraft,
  here: Here,
  project: string | undefined,
): void {
  const { zone } = here;
  const outcome = draftOutcome(proposal);
  const what = proposal.category.replaceAll("_", " ");
  output.line(
    `\n${output.style("bold", outcome === undefined ? `${what}: nothing is made of it` : `draft: ${outcome.kind}`)}`,
  );
  const pairs: readonly (readonly [string, string])[] = [
    ["title", outcome === undefined ? "" : printable(outcome.draft.title ?? "")],
    ["what", what],
    ["priority", proposal.priority === "none" ? "" : proposal.priority],
    ["due", dueText(draft.due, zone)],
    ["when", timesOf(draft, zone)],
    ["next", nextOf(proposal, draft, here)],
    ["place", printable(draft.place)],
    ["people", printable(draft.people.join(", "))],
    ["project", project ?? ""],
    ["status", draft.calendar === null || draft.calendar.status === "confirmed" ? "" : draft.calendar.status],
    ["repeats", repeatsOf(draft, here)],
    ["but", seriesGapOf(draft)],
    ["claims", draft.claims.map(claimText).join("; ")],
    ["quotes", draft.quotes.map((quote) => `"${printable(quote)}"`).join(", ")],
    ["because", draft.reasons.map((each) => reasonWords[each]).join(", ")],
    ["left out", draft.dropped.map((each) => reasonWords[each]).join(", ")],
    ["read by", draft.by === "rules" ? "" : draft.by === "person" ? "you" : draft.by],
  ];
  facts(
    output,
    pairs.filter(([, value]) => value !== ""),
  );
}

function repeatsOf(draft: ProposalDraft, here: Here): string {
  const series = seriesIn(draft);
  return series === undefined ? "" : repeatWords(series, here);
}

function seriesGapOf(draft: ProposalDraft): string {
  const series = seriesIn(draft);
  return series === undefined ? "" : gapTextOf(series);
}

function seriesIn({ start, zone, isAllDay, calendar }: ProposalDraft): SeriesEvent | undefined {
  return start === null || calendar === null ? undefined : { start, zone, isAllDay, recurrence: calendar.recurrence };
}

function timesOf({ start, end, zone, isAllDay }: ProposalDraft, ownZone: string): string {
  if (start === null || end === null) return "";
  return shownTimes({ start, end, zone, isAllDay }, ownZone);
}

/** Of a series that runs already its next time. */
function nextOf(proposal: StoredProposal, { start }: ProposalDraft, here: Here): string {
  const next = nextTimes(proposal, here);
  return next === undefined || next.start === start ? "" : shownTimes(next, here.zone);
}

function claimText({ type, by, sender, number, amount, state }: Claim): string {
  const said = [type, number, by === "" ? "" : `of ${by}`, amount, state].filter((each) => each !== "").map(printable);
  return `${said.join(" ")}${sender === "other" ? " (its sender is another)" : ""}`;
}
