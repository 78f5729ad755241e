import { titleOfSubject } from "../../../device/categorize/words/subject.ts";
import type { Category, Priority } from "../../../events/proposals/categorize.ts";
import { at, type CategorizeCase, due, type Entity, item, known } from "../case.ts";

interface Row {
  readonly text: string;
  readonly subject?: string;
  readonly is: readonly [Category, Priority];
  readonly entity?: Entity;
}

const task = (text: string, day: string | null): Row => ({
  text,
  is: ["task", "later"],
  entity: day === null ? { quotes: [text] } : due(day, text),
});
const meeting = (text: string, start: string, end: string): Row => ({
  text,
  is: ["event", "later"],
  entity: at(start, end, text),
});

/** Sent on Wednesday, 18 November 2026, at ten in Berlin. */
const times: readonly Row[] = [
  // A time is of the day that is named with it, wherever in the sentence.
  task("Please send it by 10:00 on 4 December 2026.", "2026-12-04T09:00:00Z"),
  task("Bitte schicken Sie es bis 4.12. um 12:00 Uhr.", "2026-12-04T11:00:00Z"),
  task("Bitte antworten Sie bis Freitag, 4.12., 12 Uhr.", "2026-12-04T11:00:00Z"),
  task("Bitte antworten Sie bis zum 30.11.", "2026-11-30"),
  task("Bitte antworten Sie bis zum 30.11. per E-Mail.", "2026-11-30"),
  task("The form is there from 10:00, please send it by 4 December 2026.", "2026-12-04"),
  { text: "Please call by 15:00.", is: ["task", "now"], entity: due("2026-11-18T14:00:00Z", "Please call by 15:00.") },
  meeting("Our meeting is on 2 December 2026 from 10:00 to 11:30.", "2026-12-02T10:00:00", "2026-12-02T11:30:00"),
  meeting("Treffen am 2.12.2026 von 10 bis 11 Uhr.", "2026-12-02T10:00:00", "2026-12-02T11:00:00"),
  meeting("Termin: 2.12.2026, 10:00 - 11:30 Uhr", "2026-12-02T10:00:00", "2026-12-02T11:30:00"),
  meeting("Réunion le 2 décembre 2026 de 10h à 11h30.", "2026-12-02T10:00:00", "2026-12-02T11:30:00"),
  // Read as it comes to its beginning only, and no other day's.
  meeting("Riunione il 2 dicembre 2026 dalle 10:00 alle 11:30.", "2026-12-02T10:00:00", "2026-12-02T11:00:00"),
  // Other zones' clocks, as Berlin's show them.
  task("Please send it by 4 December 2026 at 10:00 EST.", "2026-12-04T15:00:00Z"),
  task("Please send it by 5pm PST on Friday 4 December 2026.", "2026-12-05T01:00:00Z"),
  task("Please send it by 4 December 2026, 10:00 (UTC).", "2026-12-04T10:00:00Z"),
  meeting("Our meeting is on 2 December 2026 at 10:00, IT is there.", "2026-12-02T10:00:00", "2026-12-02T11:00:00"),
  meeting("Our call is on 2 December 2026, 9:00-10:30 PT.", "2026-12-02T18:00:00", "2026-12-02T19:30:00"),
  // Of a zone that is not known the day is said, and no time.
  task("Please send it by 4 December 2026, 23:59 (AoE).", "2026-12-04"),
  task("Please send it by 4 December 2026 at 10:00 CST.", "2026-12-04"),
  task("Please send it by 4 December 2026 at 5pm London time.", "2026-12-04"),
  task("Please send it by Friday 4 December midnight.", "2026-12-04"),
  task("Please send it by Dec 4.", "2026-12-04"),
  task("Please send it by Dec. 4th, 2026.", "2026-12-04"),
  // In two ways, or of a part: none.
  task("Please send it by 03/04/2027 at 10:00.", null),
  task("Please send it by 31 November 2026, 10:00.", null),
  task("Please send it on the 15th by 10:00.", null),
  {
    text: "Can it be tuned in 2 to 4 ms?",
    is: ["reply", "later"],
    entity: { quotes: ["Can it be tuned in 2 to 4 ms?"] },
  },
  { text: "We are open until 17:00.", is: ["information", "later"] },
  task("Please call us, we are here 24/7.", null),
  task("Please send it by 05-10-27.", null),
  { text: "The call on 03/04/2027 is at 10:00.", is: ["information", "later"] },
  task("Please send it by the 3rd of next month.", null),
];

const below = "Could you also sign by 1 December 2026?\nThanks.";
const ask = "Please sign by 7 December 2026.";

/** What a letter repeats says nothing of what is asked now; what it passes on does where nothing else is said. */
const others: readonly Row[] = [
  ...[
    `From: Bea Lind <bea@example.org>\nSent: Tuesday, 17 November 2026 10:00\nTo: Ada\nSubject: Contract\n${below}`,
    `*From:* Bea Lind <bea@example.org>\n*Sent:* Tuesday\n*To:* Ada\n${below}`,
    `Von: Bea Lind\nGesendet: Dienstag, 17. November 2026 10:00\nAn: Ada\nBetreff: Vertrag\n${below}`,
    `De : Bea Lind\nEnvoyé : mardi 17 novembre 2026 10:00\nÀ : Ada\nObjet : Contrat\n${below}`,
    `De: Bea Lind\nEnviado el: martes, 17 de noviembre de 2026\nPara: Ada\nAsunto: Contrato\n${below}`,
    `Da: Bea Lind\nInviato: martedì 17 novembre 2026 10:00\nA: Ada\nOggetto: Contratto\n${below}`,
    `On Tue, 17 Nov 2026 at 10:00, Beatrice Annabella Lind-Lovelace <bea@example.org>\nwrote:\n${below}`,
    `On Tue, Nov 17, 2026 at\n10:00 AM Beatrice via Orchard\n<orchard@lists.example.org>\nwrote:\n${below}`,
    `On 17/11/2026 10:00, Beatrice\nLind via Orchard wrote:\n${below}`,
    `发件人: Bea Lind <bea@example.org>\n发送时间: 2026年11月17日 10:00\n收件人: Ada\n主题: Contract\n${below}`,
    `差出人: Bea Lind <bea@example.org>\n送信日時: 2026年11月17日\n宛先: Ada\n件名: Contract\n${below}`,
    `보낸 사람: Bea Lind <bea@example.org>\n보낸 날짜: 2026년 11월 17일\n받는 사람: Ada\n제목: Contract\n${below}`,
    `От: Bea Lind\nОтправлено: 17 ноября 2026 г. 10:00\nКому: Ada\nТема: Contract\n${below}`,
    `Van: Bea Lind\nVerzonden: dinsdag 17 november 2026 10:00\nAan: Ada\nOnderwerp: Contract\n${below}`,
    `Od: Bea Lind\nWysłano: wtorek, 17 listopada 2026 10:00\nDo: Ada\nTemat: Contract\n${below}`,
    `Från: Bea Lind\nSkickat: den 17 november 2026 10:00\nTill: Ada\nÄmne: Contract\n${below}`,
    `在 2026年11月17日，10:00，Bea Lind <bea@example.org> 写道：\n${below}`,
    `2026年11月17日(火) 10:00 Bea Lind <bea@example.org>さんは書きました:\n${below}`,
    `Op di 17 nov 2026 om 10:00 schreef Bea Lind <bea@example.org>:\n${below}`,
    `вт, 17 нояб. 2026 г. в 10:00, Bea Lind <bea@example.org> пишет:\n${below}`,
    `wt., 17 lis 2026 o 10:00 Bea Lind <bea@example.org> napisał(a):\n${below}`,
    `-----原始邮件-----\n${below}`,
  ].map((quoted): Row => ({ ...task(ask, "2026-12-07"), text: `${ask}\n${quoted}`, subject: "Re: Contract" })),
  ...[
    `---------- Forwarded message ---------\nFrom: Bea <bea@example.org>\nDate: Tue, 17 Nov 2026\nSubject: Contract\nTo: Ada\n${ask}`,
    `Begin forwarded message:\nFrom: Bea <bea@example.org>\nSubject: Contract\nDate: 17 November 2026\n${ask}`,
    `From: Bea Lind <bea@example.org>\nSent: Tuesday, 17 November 2026 10:00\nTo: Ada\nSubject: Contract\n${ask}`,
  ].flatMap((passed): Row[] => [
    { ...task(ask, "2026-12-07"), text: passed, subject: "Fwd: Contract" },
    { ...task(ask, "2026-12-07"), text: `For you to know.\n${passed}`, subject: "Fwd: Contract" },
    {
      text: `Please answer them by 1 December 2026.\n${passed}`,
      subject: "Fwd: Contract",
      is: ["task", "later"],
      entity: due("2026-12-01", "Please answer them by 1 December 2026."),
    },
  ]),
  // The subject of what is answered is nobody's words now, whatever stands before the mark of an answer.
  ...["Re: ", "[EXTERNAL] RE: ", "[Orchard] [ext] Re[2]: ", "Antw: ", "答复: ", "回复：", "Odp: ", "RES: "].map(
    (mark): Row => ({
      subject: `${mark}Could you sign by 1 December 2026?`,
      text: "Done.",
      is: ["information", "later"],
    }),
  ),
  ...["[EXTERNAL] FW: ", "转发: ", "ENC: "].map(
    (mark): Row => ({
      ...task(ask, "2026-12-07"),
      subject: `${mark}Contract`,
      text: `From: Bea Lind <bea@example.org>\nSent: Tuesday, 17 November 2026 10:00\nTo: Ada\nSubject: Contract\n${ask}`,
    }),
  ),
  {
    ...task("[Orchard] Please sign by 7 December 2026.", "2026-12-07"),
    subject: "[Orchard] Please sign by 7 December 2026.",
    text: "Thanks.",
  },
  { text: "Bea Lind wrote:\nBL> Could you sign by 1 December 2026?\nI have.", is: ["information", "later"] },
  // A sentence goes on in the next line where a program has broken it because it grew long.
  {
    text: "Could you please send all of us the signed contract for the old orchard\nshed tomorrow, before the council meets? We would like to have a look at\nit there. Thanks.",
    is: ["task", "now"],
    entity: due(
      "2026-11-19",
      "Could you please send all of us the signed contract for the old orchard\nshed tomorrow, before the council meets?",
    ),
  },
  // Of what goes on for long without an end each line counts for itself.
  {
    text: `${"We have apples and pears and plums and quinces and medlars and nuts now,\n".repeat(9)}could you please fetch some of them before all of those have gone bad,\nwe have nobody here who could do it and nobody who would like to do that`,
    is: ["task", "later"],
    entity: { quotes: ["could you please fetch some of them before all of those have gone bad,"] },
  },
  // And ends with its line where the next would have had room in it, or begins a list.
  {
    text: "Thank you for all that you have brought to the harvest feast last week\nPlease water the beds\nThe shed is open tomorrow",
    is: ["task", "later"],
    entity: { quotes: ["Please water the beds"] },
  },
  {
    text: "Please bring with you what all the others have forgotten at home, these:\n- the ladder\n- the long rope that hangs behind the door of the shed beside the well\n- tomorrow's list",
    is: ["task", "later"],
    entity: { quotes: ["Please bring with you what all the others have forgotten at home, these:"] },
  },
  // Lines that only look like fields, or tell of what somebody wrote, begin no other letter.
  { ...task(ask, "2026-12-07"), text: `On the day we met\nAda and I\nwere asked, as Bea wrote:\nWell.\n${ask}` },
  { ...task(ask, "2026-12-07"), text: `From: Berlin\nVia: Hanover\nThat is our way.\n${ask}` },
];

export const letterCases: readonly CategorizeCase[] = [...times, ...others].map(
  ({ text, subject = "Hello", is, entity = {} }): CategorizeCase => ({
    name: `letters: ${text.slice(0, 120)}${subject === "Hello" ? "" : ` (${subject})`}`,
    item: item({ text, subject }),
    known: known(),
    category: is[0],
    priority: is[1],
    entity: { title: titleOfSubject(subject), ...entity },
  }),
);
