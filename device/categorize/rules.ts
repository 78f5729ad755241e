import type { Category, Priority } from "../../events/proposals/categorize.ts";
import type { LetterDate } from "../work/dates/in-language.ts";
import { dueOf } from "../work/dates/read-date.ts";
import { aged } from "./aged.ts";
import { calendarRules } from "./calendar/calendar-rules.ts";
import type { Categorized, ProposalDraft, Reason } from "./draft.ts";
import type { ItemView, Known } from "./item-view.ts";
import { linkedDataRules } from "./linked-data/linked-data-rules.ts";
import { type LinkedData, readClaims } from "./linked-data/read-claims.ts";
import { mentionedProject } from "./mentioned-project.ts";
import { atMost, isOver, priorityOfDue, priorityOfEvent } from "./priority.ts";
import { resultOf } from "./result.ts";
import { takenApart } from "./words/letter-text.ts";
import { keepsake } from "./words/phrases.ts";
import { type LetterWords, readLetter } from "./words/read-letter.ts";
import { isOwnSubject, isPassedOn, withoutMarks } from "./words/subject.ts";
import { writersOffset, writtenAt } from "./written-at.ts";

/**
 * What needs no model: calendar parts, then what a mail says of itself by schema.org, then how it came, then its words.
 * The same item gives the same answer on every device that knows the same.
 *
 * What a stranger writes can make a task of a mail and propose its day; it cannot make itself urgent. A day that somebody
 * known names may, and nothing else that is written.
 */
export async function categorizeByRules(item: ItemView, known: Known): Promise<Categorized> {
  const result = aged(await ruled(item, known), item, known);
  const project = mentionedProject(item, known);
  if (project === undefined) return result;
  const { category, draft } = result;
  const isOfProject = category === "information" && isFromPerson(item);
  return {
    ...result,
    category: isOfProject ? "project" : category,
    draft: { ...draft, projectId: project.id, reasons: [...draft.reasons, "of_project" as const].slice(0, 8) },
  };
}

async function ruled(item: ItemView, known: Known): Promise<Categorized> {
  const dropped: Reason[] = [];
  const calendar = await calendarRules(item, known, dropped);
  if (calendar !== undefined) return calendar;
  const address = item.metadata?.sender.address ?? "";
  const data = readClaims(item.linkedData, address, known.zone);
  if (data.isUnreadable) dropped.push("linked_data_unreadable");
  const claimed = linkedDataRules(item, data, known, dropped);
  if (claimed !== undefined) return claimed;
  return isFromPerson(item) ? letterRules(item, known, dropped) : machineRules(item, data, known, dropped);
}

const machine =
  /^(?:no-?reply|do-?not-?reply|noreply|notifications?|notify|mailer-daemon|postmaster|bounces?|alerts?|news(?:letter)?)(?:[+._-].*)?@/iu;

/** Whether somebody wrote it, as far as its header says: to a list is somebody's as well. */
export function isFromPerson({ metadata, reasonCode }: ItemView): boolean {
  if (metadata === null)
    return !["newsletter", "notification", "marketing", "account_or_security"].includes(reasonCode);
  return !metadata.automatic && metadata.relation !== "bulk" && !machine.test(metadata.sender.address);
}

/** Mail by programs: what it is about decides, by the verdict's code; its words only name a day. */
async function machineRules(
  item: ItemView,
  data: LinkedData,
  known: Known,
  dropped: readonly Reason[],
): Promise<Categorized> {
  const reason: Reason = item.metadata?.relation === "bulk" ? "to_many" : "by_program";
  const said = (category: Category, priority: Priority, more: Partial<ProposalDraft>, ...reasons: Reason[]) =>
    resultOf(item, category, priority, { ...more, reasons: [...reasons, reason], dropped: [...dropped] });
  if (data.isPromotion) return said("automatic", "none", {});
  switch (item.reasonCode) {
    case "account_or_security":
      return said("actionable_only", "soon", {}, "account");
    case "invoice_or_payment": {
      const { deadline } = await wordsOf(item, known);
      if (deadline === null) return said("information", "none", {});
      const due = dueOf(deadline.date, known.zone);
      return said("task", strangers(priorityOfDue(due, known), known), { due, quotes: [deadline.quote] }, "deadline");
    }
    case "delivery_or_travel":
    case "calendar":
      return said("information", "none", {});
    default:
      return data.asksForClick ? said("actionable_only", "later", {}) : said("automatic", "none", {});
  }
}

/** Mail by people: what they ask for, and by when. */
async function letterRules(item: ItemView, known: Known, dropped: Reason[]): Promise<Categorized> {
  const words = await wordsOf(item, known);
  if (words.isUnclear) dropped.push("date_unclear");
  const familiar: Reason[] = known.isSenderKnown ? ["from_known"] : [];
  const result = (category: Category, priority: Priority, draft: Partial<ProposalDraft>, ...reasons: Reason[]) =>
    resultOf(item, category, strangers(priority, known), { ...draft, reasons: [...reasons, ...familiar], dropped });
  if (item.metadata?.relation === "list") {
    return resultOf(item, "information", "none", { reasons: ["to_list", ...familiar], dropped });
  }
  const { ask, question, deadline, meeting } = words;
  // Who it is from decides, and not whether it asks: an order that somebody has written into a mail raises nothing.
  const own: Priority = known.isSenderKnown ? "later" : "none";
  if (meeting !== null) {
    const event = eventAt(meeting.date, known.zone);
    const over: Reason[] = isOver(event, known) ? ["start_in_past"] : [];
    return result("event", priorityOfEvent(event, known), { ...event, quotes: [meeting.quote] }, "meeting", ...over);
  }
  if (deadline !== null && (ask !== null || question !== null || deadline.quote !== "")) {
    const due = dueOf(deadline.date, known.zone);
    const quotes = [...new Set([deadline.quote, ...(ask === null ? [] : [ask])])];
    return result(
      "task",
      priorityOfDue(due, known),
      { due, quotes },
      "deadline",
      ...(ask === null ? [] : (["asked"] as const)),
    );
  }
  if (question !== null) return result("reply", own, { quotes: [question] }, "question");
  if (ask !== null) return result("task", own, { quotes: [ask] }, "asked");
  if (keepsake.test(withoutMarks(item.subject))) {
    return result("note", own, { note: item.text.slice(0, 4_000) }, "keepsake");
  }
  return result("information", own, {});
}

/** What strangers' words can do at most. */
export const strangers = (priority: Priority, { isSenderKnown }: Known): Priority =>
  isSenderKnown ? priority : atMost(priority, "later");

/** From a time of the person's day: until when it says, else for an hour. */
export function eventAt({ day, time, until }: Pick<LetterDate, "day" | "time"> & Partial<LetterDate>, zone: string) {
  const start = `${day}T${time ?? "00:00:00"}`;
  if (typeof until === "string") return { start, end: `${day}T${until}`, zone, isAllDay: false };
  const end = new Date(Date.parse(`${start}Z`) + 3_600_000).toISOString().slice(0, 19);
  return { start, end, zone, isAllDay: false };
}

/**
 * The words of a letter, read as of when it was written, and by its writer's clock: "tomorrow" is not the day after it was looked at,
 * and "at nine" not nine where its reader is. Where somebody passes a
 * mail on and says nothing of their own, its words are the letter's.
 */
export async function wordsOf(item: ItemView, { zone }: Known): Promise<LetterWords> {
  const { subject, text } = item;
  const here = { nowMs: writtenAt(item), zone };
  const { own, passedOn } = takenApart(text, isPassedOn(subject));
  // A program writes the zone of its machine.
  const offset = isFromPerson(item) ? writersOffset(item, zone) : undefined;
  // The subject of an answer is of what it answers.
  const words = await readLetter(isOwnSubject(subject) ? `${subject}\n${own}` : own, here, offset);
  if (passedOn === "") return words;
  const below = await readLetter(takenApart(passedOn, false).own, here);
  const chosen = saysNothing(words) ? below : words;
  return { ...chosen, dates: [...words.dates, ...below.dates] };
}

const saysNothing = ({ ask, question, deadline, meeting, isUnclear }: LetterWords): boolean =>
  ask === null && question === null && deadline === null && meeting === null && !isUnclear;
