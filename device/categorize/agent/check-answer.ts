import type { CategorizeAnswer } from "../../../events/agent-tools/categorize-answer.ts";
import { type Category, categorizeBounds, type Priority, priorities } from "../../../events/proposals/categorize.ts";
import { aged } from "../aged.ts";
import type { Categorized, ProposalDraft, Reason } from "../draft.ts";
import type { ItemView, Known } from "../item-view.ts";
import { namesProject } from "../mentioned-project.ts";
import { atMost, priorityOfDue, priorityOfEvent } from "../priority.ts";
import { resultOf } from "../result.ts";
import { strangers, wordsOf } from "../rules.ts";
import { type AnsweredDue, type AnsweredTimes, answeredDue, answeredTimes } from "./answered-dates.ts";
import { verbatim } from "./verbatim.ts";

/** What the rules have found that is of how an item came, and not of its words. */
const ofOrigin: ReadonlySet<Reason> = new Set([
  "of_project",
  "account",
  "to_list",
  "to_many",
  "by_program",
  "from_known",
]);

/**
 * What is left of a model's answer when it is held against the item and what the device knows. Nothing is believed because
 * a model says it, since the item may have told it what to say:
 *
 * - quotes, places and people stand in the item, letter by letter;
 * - days and times are among those the item names; what a stranger names without asking for anything is none of them;
 * - a project is one of this device's, and the item names it where {@link namesProject} lets it;
 * - the priority is at most what the rules give for the same day and the same sender. A model may lower it, never raise it.
 *
 * What fails is left out and said, in `dropped`.
 *
 * @param rules what the rules made of the same item
 * @param prompt name and version of the prompt that was answered
 */
export async function checkAnswer(
  item: ItemView,
  known: Known,
  rules: Categorized,
  answer: CategorizeAnswer,
  prompt: string,
): Promise<Categorized> {
  const words = await wordsOf(item, known);
  const dates = known.isSenderKnown ? words.dates : words.dates.filter(({ isBinding }) => isBinding);
  const text = `${item.subject}\n${item.text}`;
  const dropped = new Set<Reason>(rules.draft.dropped.filter((each) => each === "linked_data_unreadable"));
  const due = answer.due === null ? undefined : answeredDue(answer.due, dates, known.zone);
  if (answer.due !== null && !due?.isWhole) dropped.add("date_not_found");
  const times = timesOf(answer, dates, known, dropped);
  const project = projectOf(item, known, answer, dropped);
  const category = categoryOf(answer.category, times !== undefined, project !== null, rules);
  const ceiling = highest(item, known, rules, category === "event" ? times : undefined, due);
  const priority = atMost(answer.priority, ceiling);
  if (priority !== answer.priority) dropped.add("priority_unfounded");
  const reasons: Reason[] = ["read_by_model"];
  if (due !== undefined) reasons.push("deadline");
  if (category === "event") reasons.push("meeting");
  reasons.push(...rules.draft.reasons.filter((each) => ofOrigin.has(each)));
  const draft: Partial<ProposalDraft> = {
    title: plain(answer.draft.title) || rules.draft.title,
    due: category === "event" ? null : (due?.due ?? null),
    ...(category === "event" && ownTimes(times, rules)),
    ...(category === "event" && placeAndPeople(text, answer, dropped)),
    note: plain(answer.draft.note),
    projectId: project ?? rules.draft.projectId,
    quotes: quotesOf(text, answer, dropped),
    reasons: reasons.slice(0, 8),
    dropped: [...dropped].slice(0, 8),
    by: prompt,
  };
  return aged(resultOf(item, category, priority, draft), item, known);
}

function timesOf(
  { category, draft }: CategorizeAnswer,
  dates: Parameters<typeof answeredTimes>[2],
  { zone }: Known,
  dropped: Set<Reason>,
): AnsweredTimes | undefined {
  if (category !== "event" || draft.start === null) return undefined;
  const times = answeredTimes(draft.start, draft.end, dates, zone);
  if (!times?.isWhole) dropped.add("date_not_found");
  return times;
}

/** An event needs a time, and news of a project a project: without it the rules' word holds, or it is only to be known. */
function categoryOf(category: Category, hasTimes: boolean, hasProject: boolean, rules: Categorized): Category {
  if (category === "event" && !hasTimes) return rules.category;
  if (category === "project" && !hasProject && rules.draft.projectId === null) return "information";
  return category;
}

function ownTimes(times: AnsweredTimes | undefined, { draft }: Categorized) {
  const { start, end, zone, isAllDay } = times ?? draft;
  return { start, end, zone, isAllDay };
}

function placeAndPeople(text: string, { draft }: CategorizeAnswer, dropped: Set<Reason>) {
  const standing = (each: string) => verbatim(text, each, 300);
  const people = draft.people.flatMap((each) => standing(each) ?? []);
  const place = standing(draft.place) ?? "";
  if (people.length < draft.people.length || (draft.place.trim() !== "" && place === "")) {
    dropped.add("detail_not_found");
  }
  return { place, people };
}

function quotesOf(text: string, { quotes }: CategorizeAnswer, dropped: Set<Reason>): string[] {
  const found = quotes.flatMap((quote) => verbatim(text, quote, categorizeBounds.quote) ?? []);
  if (found.length < quotes.length) dropped.add("quote_not_found");
  return [...new Set(found)];
}

function projectOf(item: ItemView, known: Known, { projectId }: CategorizeAnswer, dropped: Set<Reason>) {
  if (projectId === null) return null;
  const project = known.projects.find(({ id }) => id === projectId);
  if (project !== undefined && namesProject(item, known, project.name)) return project.id;
  dropped.add("project_unknown");
  return null;
}

/** What the rules would give for the same sender and the same day; a day that nothing hangs on hurries nobody. */
function highest(
  item: ItemView,
  known: Known,
  rules: Categorized,
  times: AnsweredTimes | undefined,
  due: AnsweredDue | undefined,
): Priority {
  const bound = (priority: Priority, isBinding: boolean) =>
    strangers(isBinding ? priority : atMost(priority, "later"), known);
  const found: Priority[] = [rules.priority];
  if (known.isSenderKnown && item.metadata?.relation !== "bulk" && !(item.metadata?.automatic ?? false)) {
    found.push("later");
  }
  if (due !== undefined) found.push(bound(priorityOfDue(due.due, known), due.isBinding));
  if (times !== undefined) found.push(bound(priorityOfEvent(times, known), times.isBinding));
  return found.reduce((one, other) => (priorities.indexOf(other) < priorities.indexOf(one) ? other : one));
}

/** Without characters that a terminal or a list would take for something else. */
function plain(text: string): string {
  return text
    .replace(/[^\P{Cc}\n]|\p{Cf}/gu, " ")
    .trim()
    .toWellFormed();
}
