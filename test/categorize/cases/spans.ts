import { ada, type CategorizeCase, due, item, known } from "../case.ts";

const [friday, nextFriday, monthEnd, nextMonthEnd] = ["2026-11-20", "2026-11-27", "2026-11-30", "2026-12-31"];
const [nextMonday, nextTuesday] = ["2026-11-23", "2026-11-24"];
const [inWeek, inTwoWeeks] = ["2026-11-25", "2026-12-02"];

/** By the end of a time, sent on Wednesday, 18 November 2026; null where that is no date. */
const rows: readonly (readonly [text: string, day: string | null])[] = [
  ["Please send it by the end of the week.", friday],
  ["Please send it before the end of this week.", friday],
  ["Please send it until the end of the week.", friday],
  ["Please send it by end of next week.", nextFriday],
  ["Please send it by the end of the month.", monthEnd],
  ["Please send it by the end of next month.", nextMonthEnd],
  ["Please send it by the end of January.", "2027-01-31"],
  ["Please send it by the end of February 2028.", "2028-02-29"],
  ["Could you answer within two weeks?", inTwoWeeks],
  ["Please answer within the next 7 days.", inWeek],
  ["Please answer within a month from today.", "2026-12-18"],
  ["Bitte schicken Sie es bis Ende der Woche.", friday],
  ["Bitte schicken Sie es bis zum Ende des Monats.", monthEnd],
  ["Bitte schicken Sie es bis Ende nächster Woche.", nextFriday],
  ["Bitte schicken Sie es spätestens Ende Dezember.", nextMonthEnd],
  ["Bitte antworten Sie innerhalb von zwei Wochen.", inTwoWeeks],
  ["Bitte antworten Sie binnen einer Woche ab heute.", inWeek],
  ["Merci de nous l'envoyer avant la fin de la semaine.", friday],
  ["Merci de nous l'envoyer d'ici la fin du mois.", monthEnd],
  ["Merci de nous l'envoyer avant la fin de la semaine prochaine.", nextFriday],
  ["Merci de nous l'envoyer avant fin décembre.", nextMonthEnd],
  ["Merci de nous répondre sous deux semaines.", inTwoWeeks],
  ["Merci de nous répondre d'ici une semaine.", inWeek],
  ["Por favor, envíenos los datos antes del final de la semana.", friday],
  ["Por favor, envíenos los datos antes de fin de mes.", monthEnd],
  ["Por favor, envíenos los datos antes del final de la próxima semana.", nextFriday],
  ["Por favor, respóndanos en el plazo de dos semanas.", inTwoWeeks],
  ["Per favore, mandaci i dati entro la fine della settimana.", friday],
  ["Per favore, mandaci i dati entro fine mese.", monthEnd],
  ["Per favore, mandaci i dati entro la fine della prossima settimana.", nextFriday],
  ["Per favore, rispondi entro due settimane.", inTwoWeeks],
  // In the course of a week to come: by its Friday. By that week: before it is over, and as it begins.
  ["Could you send it next week?", nextFriday],
  ["Please send it in the coming week.", nextFriday],
  ["Please send it by next week.", nextMonday],
  ["Bitte schicken Sie es nächste Woche.", nextFriday],
  ["Bitte schicken Sie es in der kommenden Woche.", nextFriday],
  ["Bitte schicken Sie es bis nächste Woche.", nextMonday],
  ["Merci de nous l'envoyer la semaine prochaine.", nextFriday],
  ["Merci de nous l'envoyer d'ici la semaine prochaine.", nextMonday],
  ["Por favor, envíenos los datos la próxima semana.", nextFriday],
  ["Por favor, envíenos los datos la semana que viene.", nextFriday],
  ["Per favore, mandaci i dati la prossima settimana.", nextFriday],
  ["Per favore, mandaci i dati entro la settimana prossima.", nextMonday],
  ["Please send it before next week.", null],
  ["Please send it early next week.", null],
  ["Please send what next week's meeting needs.", null],
  ["Please send it on Tuesday next week.", nextTuesday],
  ["Please send it on Friday, the fair is next week.", friday],
  // What begins at something else than the letter, is vague, or is somebody's own promise.
  ["Please answer within two weeks of arrival.", null],
  ["Please answer within 14 days after you have received the goods.", null],
  ["Please answer within five working days.", null],
  ["Please be patient, we will answer within two weeks.", null],
  ["Please send it towards the end of the month.", null],
  ["Bitte haben Sie Geduld, wir antworten innerhalb von zwei Wochen.", null],
  ["Bitte zahlen Sie innerhalb von 14 Tagen nach Erhalt der Ware.", null],
  ["Merci de nous répondre sous 14 jours après réception.", null],
  ["Merci de patienter, nous vous répondrons sous deux semaines.", null],
  ["Por favor, responda en el plazo de 14 días desde la entrega.", null],
  ["Per favore, rispondi entro 14 giorni dalla consegna.", null],
  // A day that is over is none to do something by.
  ["Please send the report we discussed last Friday.", null],
  ["Please send the report of Friday last week at 5 pm again.", null],
  ["Please send what we spoke of on Monday of last week.", null],
  ["Bitte schicken Sie den Bericht, den wir letzten Freitag besprochen haben.", null],
  ["Bitte schicken Sie den Bericht vom vergangenen Montag.", null],
  ["Bitte schicken Sie den Bericht von letzter Woche Freitag.", null],
  ["Bitte schicken Sie den Bericht vom Freitag letzte Woche.", null],
  ["Please answer by Friday, last week was too short for me.", friday],
  ["Merci de nous envoyer le rapport de vendredi dernier.", null],
  ["Por favor, envíenos el informe del viernes pasado.", null],
  ["Por favor, envíenos el informe del pasado viernes.", null],
  ["Per favore, mandaci la relazione di venerdì scorso.", null],
];

/** Nobody asks for anything. */
const prose = [
  "Within two weeks of arrival we will send it to you.",
  "We will send it within two weeks.",
  "The shop is closed until the end of the month.",
  "Der Laden ist bis Ende des Monats geschlossen.",
  "They found it at the end of the week.",
  "Le magasin est fermé jusqu'à la fin du mois.",
];

const saturday = Date.parse("2026-11-21T10:00:00Z");

export const spanCases: readonly CategorizeCase[] = [
  ...rows.map(
    ([text, day]): CategorizeCase => ({
      name: `spans: ${text}`,
      item: item({ text, subject: "Hello" }),
      known: known(),
      category: "task",
      priority: day !== null && day <= inWeek ? "soon" : "later",
      entity: { title: "Hello", ...(day === null ? { quotes: [text] } : due(day, text)) },
    }),
  ),
  ...prose.map(
    (text): CategorizeCase => ({
      name: `spans: ${text}`,
      item: item({ text, subject: "Hello" }),
      known: known(),
      category: "information",
      priority: "later",
      entity: { title: "Hello" },
    }),
  ),
  {
    name: "spans: the end of which week, a weekend does not say",
    item: item({
      text: "Please send it by the end of the week.",
      triagedAt: saturday,
      metadata: { ...ada, sentAt: saturday },
    }),
    known: { ...known(), nowMs: saturday },
    category: "task",
    priority: "later",
    entity: { title: "Hello", quotes: ["Please send it by the end of the week."] },
  },
];
