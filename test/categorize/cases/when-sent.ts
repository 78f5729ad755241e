import type { Category, Priority } from "../../../events/proposals/categorize.ts";
import type { ProposalMetadata } from "../../../events/proposals/metadata.ts";
import { ada, at, type CategorizeCase, due, type Entity, item, known, nowMs } from "../case.ts";

interface Row {
  readonly name: string;
  readonly text: string;
  readonly subject?: string;
  /** As its sender says, and as the server that took it in; what is left out is not known. */
  readonly sent?: string;
  readonly arrived?: string;
  /** When it is judged, and read; a case's own day unless it is said. */
  readonly read?: string;
  readonly metadata?: Partial<ProposalMetadata>;
  readonly is: readonly [Category, Priority];
  readonly entity?: Entity;
}

const reminder = `Dear Robin Ash,

this is a reminder of your appointment with Dr. Oduya on Thursday 19 November
2026 at 10:40. Please bring your insurance card and do not eat for four hours
before the blood test.

If you cannot come, tell us by tomorrow noon: 030 23125 142.`;

/** Words that count from the day they were sent, however long ago that was. */
const rows: readonly Row[] = [
  {
    name: "tomorrow, sent two days before it was judged",
    text: "Please send it by tomorrow.",
    sent: "2026-11-16T10:00:00Z",
    is: ["task", "now"],
    entity: due("2026-11-17", "Please send it by tomorrow."),
  },
  {
    name: "tomorrow, sent and taken in on 11 November: the day after that, and not after it was read",
    text: "Please send it by tomorrow.",
    sent: "2026-11-11T09:00:00Z",
    arrived: "2026-11-11T09:00:05Z",
    read: "2026-11-26T09:00:00Z",
    is: ["task", "later"],
    entity: due("2026-11-12", "Please send it by tomorrow."),
  },
  {
    name: "a weekday and a day of 2021 are of 2021, and hurry nobody any more",
    text: "Please send it by Friday 12 March.",
    sent: "2021-03-08T09:00:00Z",
    arrived: "2021-03-08T09:00:05Z",
    is: ["task", "none"],
    entity: due("2021-03-12", "Please send it by Friday 12 March."),
  },
  {
    name: "what was put into a file, and taken in by no server, has its own date",
    text: "Please send it by Friday 12 March.",
    sent: "2021-03-08T09:00:00Z",
    is: ["task", "none"],
    entity: due("2021-03-12", "Please send it by Friday 12 March."),
  },
  {
    name: "a time alone is of the day it was sent, in 2002: over, and no event of today",
    text: "10:15 doctor's appointment",
    sent: "2002-01-28T07:00:00Z",
    is: ["event", "none"],
    entity: at("2002-01-28T10:15:00", "2002-01-28T11:15:00", "10:15 doctor's appointment"),
  },
  {
    name: "an appointment stays in its year when its reminder is read after its day",
    subject: "Reminder: your appointment on 19 November, 10:40",
    text: reminder,
    sent: "2026-11-17T09:00:00Z",
    arrived: "2026-11-17T09:00:00Z",
    read: "2026-11-26T09:00:00Z",
    metadata: { relation: "unknown" },
    is: ["event", "none"],
    entity: {
      title: "Reminder: your appointment on 19 November, 10:40",
      ...at("2026-11-19T10:40:00", "2026-11-19T11:40:00", "Reminder: your appointment on 19 November, 10:40"),
    },
  },
  {
    name: "due for longer than a fortnight when it is read: it hurries nobody",
    text: "Please send it by 3 November 2026.",
    sent: "2026-11-01T09:00:00Z",
    is: ["task", "none"],
    entity: due("2026-11-03", "Please send it by 3 November 2026."),
  },
  {
    name: "due since a fortnight: somebody may still wait for it",
    text: "Please send it by 4 November 2026.",
    sent: "2026-11-01T09:00:00Z",
    is: ["task", "later"],
    entity: due("2026-11-04", "Please send it by 4 November 2026."),
  },
  {
    name: "due since a week: somebody waits for it",
    text: "Please send it by 11 November 2026.",
    sent: "2026-11-01T09:00:00Z",
    is: ["task", "now"],
    entity: due("2026-11-11", "Please send it by 11 November 2026."),
  },
  {
    name: "a day to come that was named long ago is as near as it is",
    text: "Please send it by 20 November 2026.",
    sent: "2026-03-01T09:00:00Z",
    is: ["task", "soon"],
    entity: due("2026-11-20", "Please send it by 20 November 2026."),
  },
  ...(
    [
      ["German", "Bitte schick mir die Zahlen bis Freitag.", "2021-03-12"],
      ["German, with its day", "Bitte schick mir die Zahlen bis Freitag, den 12. März.", "2021-03-12"],
      ["German, tomorrow", "Kannst du mir das bis morgen schicken?", "2021-03-09"],
      ["French", "Merci de m'envoyer les chiffres avant vendredi.", "2021-03-12"],
      ["Spanish", "Por favor, envíame las cifras antes del viernes.", "2021-03-12"],
      ["Italian", "Per favore mandami i numeri entro venerdì.", "2021-03-12"],
    ] as const
  ).map(([language, text, day]): Row => {
    const sent = "2021-03-08T09:00:00Z";
    return { name: `${language}, of 2021`, text, sent, arrived: sent, is: ["task", "none"], entity: due(day, text) };
  }),
  {
    name: "in the year 2000, says its sender, and it has just been taken in: the day it was counts",
    text: "Please send it by tomorrow.",
    sent: "2000-01-01T00:00:00Z",
    arrived: "2026-11-18T09:00:00Z",
    is: ["task", "now"],
    entity: due("2026-11-19", "Please send it by tomorrow."),
  },
  {
    name: "in the year 2000, says its sender, and it was taken in last winter: that day counts",
    text: "Please send it by tomorrow.",
    sent: "2000-01-01T00:00:00Z",
    arrived: "2026-01-12T09:00:00Z",
    is: ["task", "none"],
    entity: due("2026-01-13", "Please send it by tomorrow."),
  },
  {
    name: "it was on its way for five days: the day it was sent counts",
    text: "Please send it by tomorrow.",
    sent: "2026-11-13T10:00:00Z",
    arrived: "2026-11-18T09:00:00Z",
    is: ["task", "now"],
    entity: due("2026-11-14", "Please send it by tomorrow."),
  },
  {
    name: "in the future, says its sender: the day it was judged counts",
    text: "Please send it by tomorrow.",
    sent: "2027-12-23T10:00:00Z",
    is: ["task", "now"],
    entity: due("2026-11-19", "Please send it by tomorrow."),
  },
  {
    name: "in the future, says its sender of what was taken in last winter: that day counts",
    text: "Please send it by tomorrow.",
    sent: "2027-12-23T10:00:00Z",
    arrived: "2026-01-12T09:00:00Z",
    is: ["task", "none"],
    entity: due("2026-01-13", "Please send it by tomorrow."),
  },
  {
    name: "in the future, say sender and server: the day it was judged counts",
    text: "Please send it by tomorrow.",
    sent: "2027-12-23T10:00:00Z",
    arrived: "2027-12-23T10:00:00Z",
    is: ["task", "now"],
    entity: due("2026-11-19", "Please send it by tomorrow."),
  },
  {
    name: "before there was mail, says its sender: the day it was judged counts",
    text: "Please send it by tomorrow.",
    sent: "1970-01-01T00:00:00Z",
    is: ["task", "now"],
    entity: due("2026-11-19", "Please send it by tomorrow."),
  },
  {
    name: "its sender says nothing of it: the day it was taken in counts",
    text: "Please send it by tomorrow.",
    arrived: "2026-11-09T09:00:00Z",
    is: ["task", "later"],
    entity: due("2026-11-10", "Please send it by tomorrow."),
  },
  ...(
    [
      ["a reminder", "Please pay the fee, it was due on 1 November."],
      ["a look back", "Please read the minutes of our lunch on 11 November at 12:30."],
      ["German", "Bitte zahlen Sie, die Rechnung war fällig am 1. November."],
      ["French", "Veuillez payer, il fallait répondre avant le 1er novembre."],
      ["Spanish", "Por favor, paga la factura, era para el 1 de noviembre."],
      ["Italian", "Per favore paga la fattura, scadeva entro il 1 novembre."],
    ] as const
  ).map(
    ([what, text]): Row => ({
      name: `a day without a year that has just been is no day of the next year: ${what}`,
      text,
      sent: "2026-11-17T09:00:00Z",
      is: ["task", "later"],
      entity: { quotes: [text] },
    }),
  ),
  {
    name: "a day without a year that is to come is of the next year",
    text: "Please send it by 5 August.",
    sent: "2026-11-17T09:00:00Z",
    is: ["task", "later"],
    entity: due("2027-08-05", "Please send it by 5 August."),
  },
  {
    name: "a notice about an account that is old is not of today",
    text: "A new device has signed in.",
    sent: "2021-03-08T09:00:00Z",
    metadata: { relation: "bulk", automatic: true },
    is: ["actionable_only", "later"],
  },
];

/** What stands in a header as a moment. */
const momentsOf = ({ sent, arrived }: Row) => ({
  ...(sent === undefined ? {} : { sentAt: Date.parse(sent) }),
  ...(arrived === undefined ? {} : { arrivedAt: Date.parse(arrived) }),
});

const { sentAt: _, ...undated } = ada;

const weeks: readonly CategorizeCase[] = [
  ...(
    [
      // Saturday night in Berlin, Sunday in Kiritimati; a week begins on Sunday.
      ["Europe/Berlin", "2026-11-21T22:59:59Z", "2026-11-27"],
      ["Europe/Berlin", "2026-11-23T22:59:59Z", "2026-12-04"],
      ["Pacific/Kiritimati", "2026-11-22T10:00:01Z", "2026-12-04"],
      ["Pacific/Honolulu", "2026-11-23T09:59:59Z", "2026-11-27"],
    ] as const
  ).map(([zone, moment, day]): CategorizeCase => {
    const at = Date.parse(moment);
    return {
      name: `words: next Friday at ${moment} in ${zone}`,
      item: item({
        text: "Please send it by next Friday.",
        triagedAt: at,
        metadata: { ...ada, sentAt: at, arrivedAt: at },
      }),
      known: known({ zone, nowMs: at }),
      category: "task",
      priority: day === "2026-11-27" ? "soon" : "later",
      entity: due(day, "Please send it by next Friday."),
    };
  }),
];

export const whenSentCases: readonly CategorizeCase[] = [
  ...rows.map((row): CategorizeCase => {
    const { name, text, subject = "Hello", read, metadata, is, entity = {} } = row;
    const readMs = read === undefined ? nowMs : Date.parse(read);
    const isNotice = metadata?.automatic === true;
    return {
      name: `sent: ${name}`,
      item: item({
        ...{ text, subject, triagedAt: readMs },
        metadata: { ...undated, ...momentsOf(row), ...metadata },
        ...(isNotice && { reasonCode: "account_or_security" }),
      }),
      known: known({ nowMs: readMs }),
      category: is[0],
      priority: is[1],
      entity,
    };
  }),
  ...weeks,
];
