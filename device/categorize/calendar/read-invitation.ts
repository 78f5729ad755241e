import { DeviceError } from "../../errors.ts";
import { momentOf } from "../../work/dates/zone.ts";
import {
  descriptionOf,
  eventOf,
  isOfLaterOnes,
  peopleOf,
  personOf,
  sequenceOf,
  stampedAtOf,
  statusOf,
  timeOf,
  titleOf,
} from "../../work/interchange/calendar-component.ts";
import { type Component, rawOf, textOf } from "../../work/interchange/component-values.ts";
import { calendarsIn } from "../../work/interchange/read-calendar.ts";
import { recurrenceLines } from "../../work/recurrence/lines-read.ts";
import { timeOfSeries } from "../../work/recurrence/time-of-series.ts";
import type { CalendarRevision } from "../draft.ts";

/** A time as it is kept: what clocks show, and where. */
interface Times {
  readonly start: string;
  readonly end: string;
  readonly zone: string | null;
  readonly isAllDay: boolean;
}

/** What a calendar part says (RFC 5545, RFC 5546): one event, one task, or something that is neither. */
export interface Invitation {
  readonly kind: "event" | "task" | "journal" | "other";
  readonly revision: CalendarRevision;
  readonly title: string;
  /** Null where it names none, as a cancellation may (RFC 5546 §3.2.5). */
  readonly times: Times | null;
  /** Of a task: a day, or a moment in UTC. */
  readonly due: string | null;
  readonly place: string;
  readonly note: string;
  readonly people: readonly string[];
  /** Who answered, with PARTSTAT, where it is an answer. */
  readonly answer: { readonly who: string; readonly partstat: string } | null;
  readonly hasUnknownZone: boolean;
  /** It says more of its series than one event does: of single times beside the series, or of all later ones. */
  readonly hasMoreTimes: boolean;
  /** Of all that are in the part: events of a series have one. */
  readonly uids: readonly string[];
}

/** A mail's calendar part has one event, or a few; what is longer than this is cut by whoever read the mail. */
const mostCharacters = 100_000;
/** Components that are looked at. */
const mostComponents = 50;
/** Lines that make a series of it. */
const mostLines = 50;

/**
 * Reads a calendar part of a mail. Rules of a series are kept as they are written and never worked out; of several
 * events the first counts, a series before its exceptions.
 *
 * @returns undefined when it is no calendar, or holds nothing that can be kept
 */
export async function readInvitation(text: string): Promise<Invitation | undefined> {
  if (text.length > mostCharacters) return undefined;
  const { default: ical } = await import("ical.js");
  const calendar = firstCalendar(() => calendarsIn(ical, text, []));
  if (calendar === undefined) return undefined;
  const method = textOf(calendar, "method").toUpperCase().slice(0, 20) || "PUBLISH";
  const components = calendar
    .getAllSubcomponents()
    .filter(({ name }) => ["vevent", "vtodo", "vjournal", "vfreebusy"].includes(name))
    .slice(0, mostComponents);
  const read = components.flatMap((each) => invitationOf(each, method) ?? []);
  const chosen = read.find(({ revision }) => revision.recurrenceId === "") ?? read[0];
  if (chosen === undefined) return undefined;
  const uids = [...new Set(read.map(({ revision }) => revision.uid))];
  const { revision } = chosen;
  const isBeside = (each: Invitation) => each !== chosen && each.revision.uid === revision.uid;
  return { ...chosen, uids, hasMoreTimes: chosen.hasMoreTimes || read.some(isBeside) };
}

function firstCalendar(read: () => Component[]): Component | undefined {
  try {
    return read()[0];
  } catch (error) {
    if (error instanceof DeviceError && error.code === "import_invalid") return undefined;
    throw error;
  }
}

/** The library throws where a value is not of its type. */
function invitationOf(component: Component, method: string): Invitation | undefined {
  try {
    return checkedInvitation(component, method);
  } catch (error) {
    if (error instanceof DeviceError) throw error;
    return undefined;
  }
}

function checkedInvitation(component: Component, method: string): Invitation | undefined {
  const uid = textOf(component, "uid").trim().slice(0, 500);
  if (uid === "") return undefined;
  const common = { ...commonOf(component, method, uid), uids: [uid] };
  if (component.name === "vtodo") return { ...common, kind: "task", due: dueOf(component) };
  if (component.name !== "vevent") return { ...common, kind: component.name === "vjournal" ? "journal" : "other" };
  let hasUnknownZone = false;
  const event = eventOf(component, () => {
    hasUnknownZone = true;
  });
  const isShort = method === "REPLY" || method === "CANCEL" || method === "REFRESH" || method === "DECLINECOUNTER";
  if ("why" in event) return isShort ? { ...common, kind: "event" } : undefined;
  const { start = "", end = "", zone = null, isAllDay = false, recurrenceId = "" } = event;
  const isInOrder = end >= start;
  const times = { start, end: isInOrder ? end : start, zone, isAllDay };
  const revision = { ...common.revision, recurrenceId };
  const isNamed = component.getFirstProperty("dtstart") !== null;
  return { ...common, kind: "event", revision, times: isNamed ? times : null, hasUnknownZone };
}

function commonOf(component: Component, method: string, uid: string): Omit<Invitation, "kind" | "uids"> {
  const isCancelled = method === "CANCEL" || statusOf(component) === "cancelled";
  const recurrence = recurrenceLines(component, mostLines);
  const one = component.getFirstProperty("recurrence-id");
  const named = one === null ? "" : timeOf(one);
  return {
    revision: {
      method,
      uid,
      recurrenceId: typeof named === "string" ? named.slice(0, 100) : timeOfSeries(named.value, named.zone),
      sequence: sequenceOf(component),
      stampedAt: stampedAtOf(component),
      status: isCancelled ? "cancelled" : statusOf(component),
      recurrence: recurrence.filter(({ length }) => length <= 2_000).slice(0, mostLines),
    },
    title: titleOf(component),
    times: null,
    due: null,
    place: textOf(component, "location").slice(0, 1_000),
    note: noteOf(component),
    people: peopleOf(component)
      .slice(0, 100)
      .map((each) => each.slice(0, 500)),
    answer: method === "REPLY" || method === "COUNTER" ? answerOf(component) : null,
    hasUnknownZone: false,
    hasMoreTimes: isOfLaterOnes(component),
  };
}

/** What somebody says with an answer or a change (RFC 5546 §3.2.3), then what it is about. */
function noteOf(component: Component): string {
  const texts = [textOf(component, "comment"), descriptionOf(component)];
  return texts
    .filter((text) => text.trim() !== "")
    .join("\n")
    .slice(0, 4_000);
}

/** DUE, or DTSTART with DURATION, which is refused: a task that is due is due at a time that it names. */
function dueOf(component: Component): string | null {
  const property = component.getFirstProperty("due");
  const due = property === null ? "" : timeOf(property);
  if (typeof due === "string") return null;
  if (!due.value.includes("T")) return due.value;
  // A floating time is of nowhere: as a day it holds everywhere.
  if (due.zone === null) return due.value.slice(0, 10);
  return `${new Date(momentOf(due.value, due.zone)).toISOString().slice(0, 19)}Z`;
}

function answerOf(component: Component): Invitation["answer"] {
  const [attendee] = component.getAllProperties("attendee");
  if (attendee === undefined) return null;
  const who = personOf(attendee) || rawOf(attendee);
  const partstat = attendee.getParameter("partstat");
  return { who: who.slice(0, 200), partstat: typeof partstat === "string" ? partstat.toUpperCase() : "" };
}
