import { titleOfSubject } from "../../../device/categorize/words/subject.ts";
import type { Category, Priority } from "../../../events/proposals/categorize.ts";
import { at, type CategorizeCase, due, type Entity, garden, item, known, roof } from "../case.ts";

interface Row {
  readonly text: string;
  readonly subject?: string;
  readonly stranger?: true;
  readonly is: readonly [Category, Priority];
  readonly entity?: Entity;
}

/** Sent on Wednesday, 18 November 2026, at ten in Berlin. */
const rows: readonly Row[] = [
  // English
  {
    text: "Please send me the figures by Friday.",
    is: ["task", "soon"],
    entity: due("2026-11-20", "Please send me the figures by Friday."),
  },
  {
    text: "Please send me the figures by tomorrow.",
    is: ["task", "now"],
    entity: due("2026-11-19", "Please send me the figures by tomorrow."),
  },
  {
    text: "Please send me the figures by tomorrow.",
    stranger: true,
    is: ["task", "later"],
    entity: due("2026-11-19", "Please send me the figures by tomorrow."),
  },
  {
    text: "Could you review the plan by next Friday?",
    is: ["task", "later"],
    entity: due("2026-11-27", "Could you review the plan by next Friday?"),
  },
  {
    text: "Could you review the plan the day after tomorrow?",
    is: ["task", "soon"],
    entity: due("2026-11-20", "Could you review the plan the day after tomorrow?"),
  },
  {
    text: "The report is due on 27 November 2026.",
    is: ["task", "later"],
    entity: due("2026-11-27", "The report is due on 27 November 2026."),
  },
  { text: "Deadline: 2026-12-01.", is: ["task", "later"], entity: due("2026-12-01", "Deadline: 2026-12-01.") },
  {
    text: "We need your signature before December 5.",
    is: ["task", "later"],
    entity: due("2026-12-05", "We need your signature before December 5."),
  },
  {
    text: "Please answer until Monday at 5pm.",
    is: ["task", "soon"],
    entity: due("2026-11-23T16:00:00Z", "Please answer until Monday at 5pm."),
  },
  {
    text: "Please pay by 30 February 2027.",
    is: ["task", "later"],
    entity: { quotes: ["Please pay by 30 February 2027."] },
  },
  { text: "Please pay by 03/04/2027.", is: ["task", "later"], entity: { quotes: ["Please pay by 03/04/2027."] } },
  {
    text: "Please send it by Friday. Or by Monday at the latest, please.",
    is: ["task", "later"],
    entity: { quotes: ["Please send it by Friday."] },
  },
  { text: "Can you water the plants?", is: ["reply", "later"], entity: { quotes: ["Can you water the plants?"] } },
  {
    text: "Can you water the plants?",
    stranger: true,
    is: ["reply", "none"],
    entity: { quotes: ["Can you water the plants?"] },
  },
  { text: "How was the trip?", is: ["reply", "later"], entity: { quotes: ["How was the trip?"] } },
  { text: "Please water the plants.", is: ["task", "later"], entity: { quotes: ["Please water the plants."] } },
  {
    text: "Please water the plants.",
    stranger: true,
    is: ["task", "none"],
    entity: { quotes: ["Please water the plants."] },
  },
  { text: "You may march on. Nothing else is new.", is: ["information", "later"] },
  { text: "Thanks, all is well.", is: ["information", "later"] },
  {
    text: "Let us have lunch on Friday at 12:30.",
    is: ["event", "soon"],
    entity: at("2026-11-20T12:30:00", "2026-11-20T13:30:00", "Let us have lunch on Friday at 12:30."),
  },
  {
    text: "The meeting is tomorrow at 9am.",
    is: ["event", "now"],
    entity: at("2026-11-19T09:00:00", "2026-11-19T10:00:00", "The meeting is tomorrow at 9am."),
  },
  {
    text: "The meeting is tomorrow at 9am.",
    stranger: true,
    is: ["event", "later"],
    entity: at("2026-11-19T09:00:00", "2026-11-19T10:00:00", "The meeting is tomorrow at 9am."),
  },
  {
    text: "Sounds good.\nOn Mon, 16 Nov 2026 at 10:00, Bob wrote:\n> Please send the figures by Friday.",
    is: ["information", "later"],
  },
  {
    text: "Sounds good.\n-----Original Message-----\nPlease send the figures by Friday.",
    is: ["information", "later"],
  },
  { text: "See you.\n--\nAda\nPlease think of the trees by tomorrow", is: ["information", "later"] },
  {
    text: "Attached.",
    subject: "Minutes: the bridge",
    is: ["note", "later"],
    entity: { title: "Minutes: the bridge" },
  },
  {
    text: "Have a look some time.",
    subject: "Fwd: FYI: the bridge",
    is: ["note", "later"],
    entity: { title: "FYI: the bridge" },
  },
  {
    text: "All done.",
    subject: "Garden: new beds",
    is: ["project", "later"],
    entity: { title: "Garden: new beds", projectId: garden },
  },
  { text: "The new roof is tight.", is: ["project", "later"], entity: { projectId: roof } },
  { text: "The new roof is tight.", stranger: true, is: ["information", "none"] },
  {
    text: "Please order slates for the new roof by Friday.",
    is: ["task", "soon"],
    entity: { ...due("2026-11-20", "Please order slates for the new roof by Friday."), projectId: roof },
  },
  { text: "The garden and the new roof are fine.", is: ["information", "later"] },
  { text: "We had gardeners here.", is: ["information", "later"] },
  // German
  {
    text: "Bitte schick mir die Zahlen bis Freitag.",
    is: ["task", "soon"],
    entity: due("2026-11-20", "Bitte schick mir die Zahlen bis Freitag."),
  },
  {
    text: "Kannst du mir das bis morgen schicken?",
    is: ["task", "now"],
    entity: due("2026-11-19", "Kannst du mir das bis morgen schicken?"),
  },
  {
    text: "Können Sie das bis übermorgen prüfen?",
    is: ["task", "soon"],
    entity: due("2026-11-20", "Können Sie das bis übermorgen prüfen?"),
  },
  {
    text: "Die Rechnung ist fällig am 27.11.2026.",
    is: ["task", "later"],
    entity: due("2026-11-27", "Die Rechnung ist fällig am 27.11.2026."),
  },
  {
    text: "Bitte bis spätestens 5. Dezember antworten.",
    is: ["task", "later"],
    entity: due("2026-12-05", "Bitte bis spätestens 5. Dezember antworten."),
  },
  {
    text: "Bitte bis zum 30. Februar zahlen.",
    is: ["task", "later"],
    entity: { quotes: ["Bitte bis zum 30. Februar zahlen."] },
  },
  {
    text: "Der Termin ist am Freitag um 14 Uhr.",
    is: ["event", "soon"],
    entity: at("2026-11-20T14:00:00", "2026-11-20T15:00:00", "Der Termin ist am Freitag um 14 Uhr."),
  },
  { text: "Wie war die Reise?", is: ["reply", "later"], entity: { quotes: ["Wie war die Reise?"] } },
  { text: "Bitte gieß die Blumen.", is: ["task", "later"], entity: { quotes: ["Bitte gieß die Blumen."] } },
  { text: "Alles ist gut, danke.", is: ["information", "later"] },
  { text: "Gut.\nAm 16.11.2026 um 10:00 schrieb Bob:\n> Bitte bis Freitag schicken.", is: ["information", "later"] },
  // French
  {
    text: "Merci de m'envoyer les chiffres avant vendredi.",
    is: ["task", "soon"],
    entity: due("2026-11-20", "Merci de m'envoyer les chiffres avant vendredi."),
  },
  {
    text: "Pouvez-vous relire le plan pour après-demain ?",
    is: ["task", "soon"],
    entity: due("2026-11-20", "Pouvez-vous relire le plan pour après-demain ?"),
  },
  {
    text: "Pourrais-tu me répondre d'ici demain ?",
    is: ["task", "now"],
    entity: due("2026-11-19", "Pourrais-tu me répondre d'ici demain ?"),
  },
  {
    text: "Le rapport est à rendre au plus tard le 5 décembre.",
    is: ["task", "later"],
    entity: due("2026-12-05", "Le rapport est à rendre au plus tard le 5 décembre."),
  },
  {
    text: "Veuillez payer avant le 30 février.",
    is: ["task", "later"],
    entity: { quotes: ["Veuillez payer avant le 30 février."] },
  },
  {
    text: "La réunion est demain à 14h.",
    is: ["event", "soon"],
    entity: at("2026-11-19T14:00:00", "2026-11-19T15:00:00", "La réunion est demain à 14h."),
  },
  { text: "Comment était le voyage ?", is: ["reply", "later"], entity: { quotes: ["Comment était le voyage ?"] } },
  { text: "Tout va bien, merci pour votre lettre.", is: ["information", "later"] },
  // Spanish
  {
    text: "Por favor, envíame las cifras antes del viernes.",
    is: ["task", "soon"],
    entity: due("2026-11-20", "Por favor, envíame las cifras antes del viernes."),
  },
  {
    text: "¿Puedes revisar el plan para pasado mañana?",
    is: ["task", "soon"],
    entity: due("2026-11-20", "¿Puedes revisar el plan para pasado mañana?"),
  },
  {
    text: "¿Podrías responderme mañana?",
    is: ["task", "now"],
    entity: due("2026-11-19", "¿Podrías responderme mañana?"),
  },
  {
    text: "El informe es para el 5 de diciembre.",
    is: ["task", "later"],
    entity: due("2026-12-05", "El informe es para el 5 de diciembre."),
  },
  {
    text: "Por favor, paga antes del 30 de febrero.",
    is: ["task", "later"],
    entity: { quotes: ["Por favor, paga antes del 30 de febrero."] },
  },
  {
    text: "La reunión es pasado mañana a las 9.",
    is: ["event", "soon"],
    entity: at("2026-11-20T09:00:00", "2026-11-20T10:00:00", "La reunión es pasado mañana a las 9."),
  },
  { text: "¿Cómo fue el viaje?", is: ["reply", "later"], entity: { quotes: ["¿Cómo fue el viaje?"] } },
  { text: "Todo está bien, gracias por la carta.", is: ["information", "later"] },
  // Italian
  {
    text: "Per favore mandami i numeri entro venerdì.",
    is: ["task", "soon"],
    entity: due("2026-11-20", "Per favore mandami i numeri entro venerdì."),
  },
  {
    text: "Puoi rivedere il piano dopodomani?",
    is: ["task", "soon"],
    entity: due("2026-11-20", "Puoi rivedere il piano dopodomani?"),
  },
  {
    text: "Potresti rispondermi entro domani?",
    is: ["task", "now"],
    entity: due("2026-11-19", "Potresti rispondermi entro domani?"),
  },
  {
    text: "La relazione scade il 5 dicembre.",
    is: ["task", "later"],
    entity: due("2026-12-05", "La relazione scade il 5 dicembre."),
  },
  {
    text: "Per favore paga entro il 30 febbraio.",
    is: ["task", "later"],
    entity: { quotes: ["Per favore paga entro il 30 febbraio."] },
  },
  {
    text: "La riunione è dopodomani alle 9.",
    is: ["event", "soon"],
    entity: at("2026-11-20T09:00:00", "2026-11-20T10:00:00", "La riunione è dopodomani alle 9."),
  },
  { text: "Com'è andato il viaggio?", is: ["reply", "later"], entity: { quotes: ["Com'è andato il viaggio?"] } },
  { text: "Tutto bene, grazie per la lettera.", is: ["information", "later"] },
];

export const wordCases: readonly CategorizeCase[] = [
  ...rows.map(
    ({ text, subject = "Hello", stranger, is, entity = {} }): CategorizeCase => ({
      name: `words: ${subject === "Hello" ? "" : `${subject}: `}${text.slice(0, 60)}${stranger ? " (a stranger)" : ""}`,
      item: item({ text, subject }),
      known: known({ isSenderKnown: stranger !== true }),
      category: is[0],
      priority: is[1],
      entity: { title: titleOfSubject(subject), ...entity },
    }),
  ),
];
