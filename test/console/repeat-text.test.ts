import { readFileSync } from "node:fs";
import i18next from "i18next";
import { describe, expect, it } from "vitest";
import { repeatLines } from "../../device/console/page/work/entity/repeat-text.ts";
import { shownRepeats } from "../../device/console/work/shown-repeats.ts";
import { languages } from "./languages.ts";

const here = { nowMs: Date.parse("2026-11-22T12:00:00Z"), zone: "Europe/Berlin" };
const friday = { start: "2026-11-27T17:00:00", zone: "Europe/Berlin", isAllDay: false };

async function said(language: string, recurrence: readonly string[], times: Partial<typeof friday> = {}) {
  const file = new URL(`../../device/console/page/texts/work/${language}.json`, import.meta.url);
  const words = i18next.createInstance();
  const resources = { [language]: { translation: { work: JSON.parse(readFileSync(file, "utf8")) } } };
  await words.init({ lng: language, resources, interpolation: { escapeValue: false } });
  const repeats = shownRepeats({ ...friday, ...times, recurrence: [...recurrence] }, here);
  return repeats === null ? [] : repeatLines(repeats, words.t, language);
}

/** In English, German, French, Spanish and Italian. */
const rules: Readonly<Record<string, readonly string[]>> = {
  "FREQ=DAILY;INTERVAL=2;COUNT=10": [
    ...["every 2 days, 10 times", "alle 2 Tage, 10-mal", "tous les 2 jours, 10 fois"],
    ...["cada 2 días, 10 veces", "ogni 2 giorni, 10 volte"],
  ],
  "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;UNTIL=20270303": [
    "every 2 weeks on Friday until Wednesday, March 3, 2027",
    "alle 2 Wochen am Freitag, bis Mittwoch, 3. März 2027",
    "toutes les 2 semaines, le vendredi, jusqu’au mercredi 3 mars 2027",
    "cada 2 semanas, el viernes, hasta el miércoles, 3 de marzo de 2027",
    "ogni 2 settimane, di venerdì, fino a mercoledì 3 marzo 2027",
  ],
  "FREQ=WEEKLY;BYDAY=FR,MO": [
    ...["every week on Monday and Friday", "jede Woche am Montag und am Freitag"],
    ...["chaque semaine, le lundi et le vendredi", "cada semana, el lunes y el viernes"],
    "ogni settimana, di lunedì e di venerdì",
  ],
  "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR": [
    ...["every day from Monday to Friday", "jeden Tag von Montag bis Freitag", "chaque jour du lundi au vendredi"],
    ...["cada día de lunes a viernes", "ogni giorno da lunedì a venerdì"],
  ],
  "FREQ=MONTHLY;BYMONTHDAY=1,8,-1": [
    "every month on the 1st, the 8th, and the last day",
    "jeden Monat am 1., am 8. und am letzten Tag",
    "chaque mois, le 1er, le 8 et le dernier jour",
    "cada mes, el 1, el 8 y el último día",
    "ogni mese, il 1, l’8 e l’ultimo giorno",
  ],
  "FREQ=MONTHLY;BYDAY=2TU,1SU": [
    "every month on the second Tuesday and the first Sunday",
    "jeden Monat am zweiten Dienstag und am ersten Sonntag",
    "chaque mois, le deuxième mardi et le premier dimanche",
    "cada mes, el segundo martes y el primer domingo",
    "ogni mese, il secondo martedì e la prima domenica",
  ],
  "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1": [
    "every month on the last workday (Monday to Friday)",
    "jeden Monat am letzten Arbeitstag (Montag bis Freitag)",
    "chaque mois, le dernier jour ouvré (du lundi au vendredi)",
    "cada mes, el último día laborable (de lunes a viernes)",
    "ogni mese, l’ultimo giorno feriale (da lunedì a venerdì)",
  ],
  "FREQ=MONTHLY;BYMONTH=6,10": [
    ...["every month on the 27th, only in June and October", "jeden Monat am 27., nur im Juni und Oktober"],
    ...["chaque mois, le 27, seulement en juin et octobre", "cada mes, el 27, solo en junio y octubre"],
    "ogni mese, il 27, solo in giugno e ottobre",
  ],
  "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1": [
    ...["every year on January 1", "jedes Jahr am 1. Januar", "chaque année, le 1er janvier"],
    ...["cada año, el 1 de enero", "ogni anno, il 1 gennaio"],
  ],
  "FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU": [
    "every year on the last Sunday of March and October",
    "jedes Jahr am letzten Sonntag im März und Oktober",
    "chaque année, le dernier dimanche du mois, en mars et octobre",
    "cada año, el último domingo de marzo y octubre",
    "ogni anno, l’ultima domenica di marzo e ottobre",
  ],
};
const inOrder = ["en", "de", "fr", "es", "it"];

describe("the page says how often something takes place in the words of its language", () => {
  it.each(Object.entries(rules))("%s", async (rule, expected) => {
    const all = await Promise.all(inOrder.map((language) => said(language, [`RRULE:${rule}`])));
    expect(all).toEqual(expected.map((words) => [words]));
  });

  it.each([
    // As calendars of offices write a day of the month.
    ["FREQ=MONTHLY;BYDAY=SU,MO,TU,WE,TH,FR,SA;BYSETPOS=-1", "every month on the last day"],
    ["FREQ=MONTHLY;BYDAY=SU,MO,TU,WE,TH,FR,SA;BYSETPOS=2", "every month on the 2nd"],
    ["FREQ=YEARLY;BYMONTH=3;BYDAY=SU,MO,TU,WE,TH,FR,SA;BYSETPOS=-1", "every year on the last day of March"],
    ["FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1", "every month on the last day"],
  ])("a day that is chosen of all days is that day: %s", async (rule, words) => {
    expect(await said("en", [`RRULE:${rule}`])).toEqual([words]);
  });

  it.each([
    ...["FREQ=MONTHLY;BYDAY=SU,MO,TU,WE,TH,FR,SA;BYSETPOS=0", "FREQ=MONTHLY;BYDAY=SU,MO,TU,WE,TH,FR,SA;BYSETPOS=-5"],
    ...["FREQ=MONTHLY;BYMONTHDAY=29,30,31;BYSETPOS=-1", "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=1"],
    "FREQ=YEARLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1",
  ])("one that may be another is not said to be one: %s", async (rule) => {
    expect(await said("en", [`RRULE:${rule}`])).toEqual([`By this rule: ${rule}`]);
  });

  it.each(languages)(
    "in %s what there are no short words for is one sentence with the rule as it is written",
    async (language) => {
      const rare = ["FREQ=YEARLY;BYWEEKNO=41", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "FREQ=YEARLY;BYDAY=20MO"];
      const nowhere = ["FREQ=MONTHLY;BYMONTHDAY=0", "FREQ=YEARLY;BYMONTH=13", "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0"];
      for (const rule of [...rare, ...nowhere]) {
        const [sentence = "", ...more] = await said(language, [`RRULE:${rule}`]);
        expect(sentence).toMatch(new RegExp(`^\\p{L}.*: ${rule}$`, "u"));
        expect(more).toEqual([]);
      }
      const [long = ""] = await said(language, [`RRULE:FREQ=YEARLY;BYWEEKNO=41${",41".repeat(1_000)}`]);
      expect(long.length).toBeLessThan(150);
    },
  );

  it("says more rules, what is added and left out, and whose days these are", async () => {
    const recurrence = [
      ...["RRULE:FREQ=WEEKLY", ...Array.from({ length: 4 }, () => "RRULE:FREQ=DAILY")],
      "EXDATE:20261210T193000",
      "RDATE:20261201T190000,20261202T193000,20261221,20261222,20261223",
    ];
    const times = { start: "2026-12-03T19:30:00", zone: "America/New_York" };
    expect(await said("en", recurrence, times)).toEqual([
      "every week on Thursday",
      "every day",
      "And by 2 more rules",
      expect.stringMatching(/^Also on: Dec 1, 2026, 7:00\sPM · Dec 2, 2026 · Dec 21, 2026 · 2 more days$/),
      "Not on: Dec 10, 2026",
      "The days are those of America/New_York.",
    ]);
    expect(await said("en", [])).toEqual([]);
  });
});
