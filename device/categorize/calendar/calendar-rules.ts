import type { Priority } from "../../../events/proposals/categorize.ts";
import { isNewer } from "../../work/interchange/revisions.ts";
import type { Categorized, ProposalDraft, Reason } from "../draft.ts";
import type { ItemView, Known, KnownRevision } from "../item-view.ts";
import { atMost, isOver, priorityOfDue, priorityOfEvent } from "../priority.ts";
import { resultOf } from "../result.ts";
import { type Invitation, readInvitation } from "./read-invitation.ts";

/** Calendar parts beyond these are not looked at: mail programs send the same one twice, as text and as a file. */
const mostParts = 3;

/** Says an invitation as a proposal; undefined when the item holds none that can be read. */
export async function calendarRules(item: ItemView, known: Known, dropped: Reason[]): Promise<Categorized | undefined> {
  const read: Invitation[] = [];
  for (const text of item.calendars.slice(0, mostParts)) {
    const invitation = await readInvitation(text);
    if (invitation === undefined) {
      if (!dropped.includes("calendar_unreadable")) dropped.push("calendar_unreadable");
    } else read.push(invitation);
  }
  const [first] = read;
  if (first === undefined) return undefined;
  const uids = new Set(read.flatMap((each) => each.uids));
  return said(item, { ...first, uids: [...uids] }, known, dropped);
}

/** Strangers can invite; they cannot hurry. */
const capped = (priority: Priority, { isSenderKnown }: Known): Priority =>
  isSenderKnown ? priority : atMost(priority, "soon");

function said(item: ItemView, invitation: Invitation, known: Known, dropped: Reason[]): Categorized {
  const { revision, kind, answer, hasUnknownZone, hasMoreTimes, uids } = invitation;
  const { method, uid, recurrenceId } = revision;
  const about: Reason[] = [
    ...(revision.recurrence.length > 0 || recurrenceId !== "" ? (["series"] as const) : []),
    ...(uids.length > 1 ? (["more_events"] as const) : []),
    ...(known.isSenderKnown ? (["from_known"] as const) : []),
  ];
  if (hasUnknownZone) dropped.push("zone_unknown");
  if (hasMoreTimes) dropped.push("times_left_out");
  const result = (
    category: Categorized["category"],
    priority: Priority,
    draft: Partial<ProposalDraft>,
    ...why: Reason[]
  ) =>
    resultOf(item, category, priority, {
      title: invitation.title,
      place: invitation.place,
      note: invitation.note,
      people: [...invitation.people],
      calendar: revision,
      ...draft,
      reasons: [...why, ...about],
      dropped,
    });
  if (answer !== null) {
    const isCounter = method === "COUNTER";
    // Who asks for another time says of the one there was what they like (RFC 5546 §3.2.7); whom to answer is said before it.
    const title = isCounter
      ? `Another time for ${invitation.title}`
      : `${answer.who}: ${answerWords[answer.partstat] ?? "answered"} ${invitation.title}`;
    const draft = { title, calendar: null, people: [answer.who], ...(isCounter ? (invitation.times ?? {}) : {}) };
    return result(
      isCounter ? "reply" : "information",
      isCounter ? capped("soon", known) : "none",
      draft,
      "invitation_answered",
    );
  }
  if (kind === "task") {
    const { due } = invitation;
    const isOpen = revision.status !== "cancelled";
    const priority = due === null ? "none" : capped(priorityOfDue(due, known), known);
    return isOpen
      ? result("task", priority, { due, calendar: null }, "calendar_task")
      : result("information", "none", { due, calendar: null }, "invitation_cancelled");
  }
  if (kind === "journal") return result("note", "none", { calendar: null }, "keepsake");
  if (kind === "other" || ["REFRESH", "DECLINECOUNTER"].includes(method)) {
    return result("information", "none", { calendar: null }, "invitation_answered");
  }
  const before = known.revisionOf(uid, recurrenceId);
  if (before?.isOfAnother === true) about.push("sender_changed");
  return event(invitation, before, known, result);
}

const answerWords: Readonly<Record<string, string>> = {
  ACCEPTED: "accepted",
  DECLINED: "declined",
  TENTATIVE: "may come to",
  DELEGATED: "sends somebody else to",
};

type Result = (
  category: Categorized["category"],
  priority: Priority,
  draft: Partial<ProposalDraft>,
  ...why: Reason[]
) => Categorized;

function event(invitation: Invitation, before: KnownRevision | undefined, known: Known, result: Result): Categorized {
  const { revision, times } = invitation;
  const isCancelled = revision.status === "cancelled";
  const title =
    isCancelled && before !== undefined && invitation.title === "(no title)" ? before.title : invitation.title;
  // A cancellation need not say when it would have been.
  const lasted =
    before?.start != null && before.end !== null ? { ...before, start: before.start, end: before.end } : null;
  const { start = null, end = null, zone = null, isAllDay = false } = times ?? (isCancelled ? lasted : null) ?? {};
  const draft = { title, start, end, zone, isAllDay };
  if (before !== undefined && !isNewer(revision, before))
    return result("information", "none", draft, "invitation_outdated");
  const when = start === null || end === null ? undefined : { start, end, zone };
  const isPast = when !== undefined && isOver(when, known) && revision.recurrence.length === 0;
  if (isCancelled) {
    const matters = before !== undefined && before.status !== "cancelled" && when !== undefined && !isPast;
    const priority = matters ? capped(priorityOfEvent(when, known), known) : "none";
    return result(start === null ? "information" : "event", priority, draft, "invitation_cancelled");
  }
  if (when === undefined) return result("information", "none", draft, "invitation");
  const why = before === undefined ? "invitation" : "invitation_changed";
  if (isPast) return result("event", "none", draft, why, "start_in_past");
  const priority = revision.recurrence.length > 0 && isOver(when, known) ? "later" : priorityOfEvent(when, known);
  return result("event", capped(priority, known), draft, why);
}
