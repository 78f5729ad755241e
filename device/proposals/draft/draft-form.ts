import * as z from "zod";
import { projectId } from "../../../events/ids.ts";
import { priorities } from "../../../events/proposals/categorize.ts";
import { DeviceError, isDeviceError } from "../../errors.ts";
import { exactError } from "../../exact-sentences.ts";
import { projectName } from "../../projects/change-projects.ts";
import type { StoredProposal } from "../../store/schema.ts";
import { isDay } from "../../work/dates/due-day.ts";
import { type Here, readDate } from "../../work/dates/read-date.ts";
import { dayAfter, localTimeAt } from "../../work/dates/zone.ts";
import { isZone } from "../../work/entities.ts";
import { outcomeOf, type SaidOutcome } from "../outcome-of.ts";
import { type DraftOutcome, draftOutcome, type TitleLanguage, textForOther } from "./draft-outcome.ts";

/** What a proposal can be made into by a form: something to keep, a project, or a decision alone. */
export const formKinds = ["task", "event", "note", "project", "nothing"] as const;

/** The most characters of what a draft says; of a title as many as of what it becomes (device/work/entities.ts). */
const longest = { title: 500, text: 4_000, place: 1_000, person: 500 } as const;
const mostPeople = 100;

/** How long it may be is said in a sentence: {@link requireLengths}. */
const text = z.string().max(2_000_000);

/** A draft as a form has it, every field as a person writes it; those that are not of its kind count for nothing. */
export const draftForm = z.strictObject({
  kind: z.enum(formKinds),
  title: text,
  text,
  /** `2026-11-27`, `2026-11-27T17:00`, or in words; empty for none. Where the person is. */
  due: text,
  priority: z.enum(priorities),
  projectId: projectId.nullable(),
  start: text,
  /** The last day of what lasts all day. Empty: it lasts an hour, or a day. */
  end: text,
  /** An IANA zone, or `floating`; empty for the person's own. */
  zone: text,
  place: text,
  people: z.array(text).max(10_000),
});
export type DraftForm = z.infer<typeof draftForm>;

const minute = "2026-11-27T17:00".length;
const floating = "floating";

/** A proposal's draft for a form, with days and times as clocks show them where the person is, and its own words in their language. */
export function formOf(row: StoredProposal, own: string, language?: TitleLanguage): DraftForm {
  const { payload, category, priority, rawSubject } = row;
  const outcome = draftOutcome(row, language);
  const text = outcome?.kind === "note" ? outcome.draft.markdown : outcome?.draft.note;
  const { start, end, isAllDay = false, zone = null } = payload ?? { start: null, end: null };
  // Whatever a calendar part says of it, it does not end before the day on which it starts.
  const lastOf = (day: string) => [dayAfter(day, -1), start ?? ""].toSorted().at(-1) ?? "";
  return {
    kind: outcome?.kind ?? (category === "event" || category === "project" ? category : "nothing"),
    title: oneLine(outcome?.draft.title || payload?.title || (rawSubject ?? "")),
    text: text ?? textForOther(row),
    due: shownDue(payload?.due ?? null, own),
    priority,
    projectId: row.projectId ?? payload?.projectId ?? null,
    start: start?.slice(0, minute) ?? "",
    end: end === null ? "" : isAllDay ? lastOf(end) : end.slice(0, minute),
    zone: zone ?? (start === null || isAllDay ? own : floating),
    place: payload?.place ?? "",
    people: payload?.people ?? [],
  };
}

const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, longest.title)
    .toWellFormed();

function shownDue(due: string | null, zone: string): string {
  if (due === null) return "";
  return isDay(due) ? due : localTimeAt(Date.parse(due), zone).slice(0, minute);
}

/**
 * What a form makes of a proposal. What it shows as it was is as it was, to the second.
 *
 * @returns undefined where nothing is made of it, or a project
 * @throws DeviceError `date_invalid`, `value_invalid`, `usage` (a project's name); `data.field` names the field
 */
export async function outcomeByForm(
  row: StoredProposal,
  form: DraftForm,
  here: Here,
): Promise<DraftOutcome | undefined> {
  const { kind, title, text, priority, projectId: project, place, people } = form;
  if (kind === "nothing") return undefined;
  if (kind === "project") {
    nameByForm(() => projectName(oneLine(title)));
    return undefined;
  }
  requireLengths(form);
  if (oneLine(title) === "") throw titleInvalid();
  const before = formOf(row, here.zone);
  const said: SaidOutcome = { title, text };
  const own = draftOutcome(row);
  if (kind === "note") return outcomeOf(kind, own, said, here);
  if (kind === "task") {
    const due = form.due === before.due && own?.kind === kind ? {} : { due: form.due };
    return outcomeOf(kind, own, { ...said, priority, projectId: project, ...due }, here);
  }
  const isMoved = own?.kind !== kind || (["start", "end", "zone"] as const).some((name) => form[name] !== before[name]);
  const times = isMoved ? await timesSaid(form, here) : {};
  const named = people.map((each) => each.trim()).filter((each) => each !== "");
  const outcome = await outcomeOf(kind, own, { ...said, ...times, place, people: named }, here);
  if (outcome?.kind === "event" && (outcome.draft.end ?? "") < (outcome.draft.start ?? "")) {
    throw exactError("value_invalid", "end", {}, { data: { field: "end" } });
  }
  return outcome;
}

const titleInvalid = () =>
  exactError("value_invalid", "title", { longest: longest.title }, { data: { field: "title" } });

/** Nothing of what was typed is cut: what is too long of a kind's fields is refused. @throws DeviceError `value_invalid` */
function requireLengths({ kind, title, people, ...rest }: DraftForm): void {
  if (title.length > longest.title) throw titleInvalid();
  for (const field of ["text", ...(kind === "event" ? (["place"] as const) : [])] as const) {
    if (rest[field].length <= longest[field]) continue;
    throw exactError("value_invalid", "text", { longest: longest[field] }, { data: { field } });
  }
  if (kind !== "event") return;
  if (people.length <= mostPeople && people.every(({ length }) => length <= longest.person)) return;
  const values = { most: mostPeople, longest: longest.person };
  throw exactError("value_invalid", "list", values, { data: { field: "people" } });
}

/** @throws DeviceError `value_invalid`, `date_invalid` of what begins wrong already; the end is looked at with the event */
async function timesSaid({ start, end, zone }: DraftForm, here: Here) {
  if (start.trim() === "") throw exactError("value_invalid", "start", {}, { data: { field: "start" } });
  const named = zone.trim();
  if (named !== "" && named !== floating && !isZone(named)) {
    throw exactError("value_invalid", "zone", { zone: named }, { data: { field: "zone" } });
  }
  const there = named === "" || named === floating ? here : { ...here, zone: named };
  await readDate(start, there, "start");
  return { start, ...(end.trim() !== "" && { end }), zone: named === "" ? here.zone : named };
}

/** Makes a project of a form: its name is what the form has as its title. @throws what `work` throws */
export function nameByForm<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isDeviceError(error, "usage", "project_exists") ? ofField(error, "title") : error;
  }
}

/** The same error, with the field of the form that it is about. */
function ofField(error: DeviceError, field: keyof DraftForm): DeviceError {
  const { code, message: sentence, exact, data } = error;
  return new DeviceError(code, { sentence, ...(exact && { exact }), data: { ...data, field }, cause: error });
}
