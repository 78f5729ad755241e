import { describe, expect, onTestFinished, test } from "vitest";
import { snoozeMoment } from "../../../device/proposals/snooze-times.ts";
import { dateLanguages } from "../../../device/work/dates/day-words.ts";
import { dateIn, dueOf, readDate } from "../../../device/work/dates/read-date.ts";
import { dayAfter, localTimeAt, momentOf } from "../../../device/work/dates/zone.ts";
import { eventDraft, taskDraft } from "../../../device/work/said-drafts.ts";
import { setVariables } from "../../environment.ts";

/** A Sunday evening: in Berlin half past eleven, in Kiritimati the Monday already, in Honolulu noon. */
const nowMs = Date.parse("2026-11-22T22:30:00Z");
const berlin = { nowMs, zone: "Europe/Berlin" };
const read = async (text: string, here = berlin) => {
  const { day, time } = await readDate(text, here);
  return time === null ? day : `${day} ${time.slice(0, 5)}`;
};

const cases: readonly (readonly [text: string, read: string])[] = [
  ["2026-11-27", "2026-11-27"],
  ["2024-02-29", "2024-02-29"],
  ["2026-11-27T17:00", "2026-11-27 17:00"],
  ["2026-11-27 17:00:30", "2026-11-27 17:00"],
  ["2026-11-27T16:00Z", "2026-11-27 17:00"],
  ["2026-11-27T16:00-05:00", "2026-11-27 22:00"],
  ["today", "2026-11-22"],
  ["tomorrow", "2026-11-23"],
  ["Tomorrow at 5pm", "2026-11-23 17:00"],
  ["the day after tomorrow", "2026-11-24"],
  ["day after tomorrow at 9:30", "2026-11-24 09:30"],
  ["friday", "2026-11-27"],
  ["next Friday", "2026-11-27"],
  ["on Friday", "2026-11-27"],
  ["in 3 days", "2026-11-25"],
  ["in two weeks", "2026-12-06"],
  ["December 5", "2026-12-05"],
  ["22 November", "2026-11-22"],
  ["22. November", "2026-11-22"],
  ["22 novembre", "2026-11-22"],
  ["22 de noviembre", "2026-11-22"],
  ["21 November", "2027-11-21"],
  ["5 December 2027", "2027-12-05"],
  ["heute", "2026-11-22"],
  ["morgen", "2026-11-23"],
  ["übermorgen", "2026-11-24"],
  ["uebermorgen um 17 uhr", "2026-11-24 17:00"],
  ["nächsten Freitag", "2026-11-27"],
  ["am Freitag", "2026-11-27"],
  ["in drei Tagen", "2026-11-25"],
  ["27.11.2026", "2026-11-27"],
  ["30.11.", "2026-11-30"],
  ["30.11. um 17 Uhr", "2026-11-30 17:00"],
  ["Freitag, den 27. November, 12 Uhr", "2026-11-27 12:00"],
  ["25/12/2026", "2026-12-25"],
  ["12/25/2026", "2026-12-25"],
  ["5/5/2027", "2027-05-05"],
  ["5. Dezember", "2026-12-05"],
  ["aujourd'hui", "2026-11-22"],
  ["demain", "2026-11-23"],
  ["après-demain", "2026-11-24"],
  ["apres demain", "2026-11-24"],
  ["après-demain à 14h", "2026-11-24 14:00"],
  ["vendredi prochain", "2026-11-27"],
  ["dans 3 jours", "2026-11-25"],
  ["dans deux semaines", "2026-12-06"],
  ["le 5 décembre", "2026-12-05"],
  ["hoy", "2026-11-22"],
  ["mañana", "2026-11-23"],
  ["pasado mañana", "2026-11-24"],
  ["pasado mañana a las 9", "2026-11-24 09:00"],
  ["próximo viernes", "2026-11-27"],
  ["el próximo viernes", "2026-11-27"],
  ["en 3 días", "2026-11-25"],
  ["5 de diciembre", "2026-12-05"],
  ["oggi", "2026-11-22"],
  ["domani", "2026-11-23"],
  ["dopodomani", "2026-11-24"],
  ["dopodomani alle 9", "2026-11-24 09:00"],
  ["venerdì", "2026-11-27"],
  ["venerdì prossimo", "2026-11-27"],
  ["tra 3 giorni", "2026-11-25"],
  ["fra due settimane", "2026-12-06"],
  ["5 dicembre", "2026-12-05"],
];

test.each(cases)("%s is %s", async (text, expected) => {
  expect(await read(text)).toBe(expected);
});

/** The afternoon of Wednesday, 18 November. */
const wednesday = { nowMs: Date.parse("2026-11-18T15:00:00Z"), zone: "Europe/Berlin" };

describe("what a mail is understood by, a person who types it is as well", () => {
  test.each([
    ["by the end of the week", "2026-11-20"],
    ["end of next week", "2026-11-27"],
    ["before the end of the month", "2026-11-30"],
    ["by the end of next month", "2026-12-31"],
    ["end of February 2028", "2028-02-29"],
    ["Within two weeks", "2026-12-02"],
    ["within the next 7 days", "2026-11-25"],
    ["bis Ende der Woche", "2026-11-20"],
    ["bis zum Ende des Monats", "2026-11-30"],
    ["spätestens Ende Dezember", "2026-12-31"],
    ["innerhalb von zwei Wochen", "2026-12-02"],
    ["avant la fin de la semaine", "2026-11-20"],
    ["d'ici la fin du mois", "2026-11-30"],
    ["fin décembre", "2026-12-31"],
    ["sous deux semaines", "2026-12-02"],
    ["antes del final de la semana", "2026-11-20"],
    ["antes de fin de mes", "2026-11-30"],
    ["en el plazo de dos semanas", "2026-12-02"],
    ["entro la fine della settimana", "2026-11-20"],
    ["fine mese", "2026-11-30"],
    ["entro due settimane", "2026-12-02"],
  ])("%s is %s", async (text, day) => {
    expect(await read(text, wednesday)).toBe(day);
  });

  test.each([
    ["questo venerdì", "2026-11-20"],
    ["Questa domenica alle 18", "2026-11-22 18:00"],
    ["venerdi", "2026-11-20"],
    ["entro lunedi", "2026-11-23"],
    ["per venerdì", "2026-11-20"],
    ["domani alle ore 17", "2026-11-19 17:00"],
    ["1° dicembre", "2026-12-01"],
    ["il 1º dicembre 2026", "2026-12-01"],
    ["tra una settimana", "2026-11-25"],
    ["fra un giorno", "2026-11-19"],
    ["aujourd’hui", "2026-11-18"],
    ["pour vendredi", "2026-11-20"],
    ["d’ici vendredi", "2026-11-20"],
    ["d'ici à demain", "2026-11-19"],
    ["au plus tard le 27 novembre", "2026-11-27"],
    ["para el viernes", "2026-11-20"],
    ["hasta mañana", "2026-11-19"],
    ["a más tardar el 27 de noviembre", "2026-11-27"],
    ["kommenden Freitag", "2026-11-20"],
    ["am kommenden Mittwoch", "2026-11-25"],
    ["dieser Freitag", "2026-11-20"],
    ["spätestens Freitag", "2026-11-20"],
    ["spätestens am 27.11.", "2026-11-27"],
    ["Freitagabend", "2026-11-20"],
    ["Sonnabend", "2026-11-21"],
    ["no later than Friday", "2026-11-20"],
    ["before 5 December", "2026-12-05"],
    ["this coming Friday", "2026-11-20"],
    ["coming Wednesday", "2026-11-25"],
    ["viernes que viene", "2026-11-20"],
    ["el miércoles que viene", "2026-11-25"],
    ["vendredi qui vient", "2026-11-20"],
    ["on the 25th", "2026-11-25"],
    ["25th", "2026-11-25"],
    ["by the 1st", "2026-12-01"],
    ["the 18th", "2026-11-18"],
    ["on the 31st", "2026-12-31"],
    ["on the 25th at 5pm", "2026-11-25 17:00"],
    ["am 25.", "2026-11-25"],
    ["am 25", "2026-11-25"],
    ["bis zum 3.", "2026-12-03"],
    ["am 25. um 17 Uhr", "2026-11-25 17:00"],
    ["le 25", "2026-11-25"],
    ["avant le 1er", "2026-12-01"],
    ["le 25 à 14h", "2026-11-25 14:00"],
    ["el 25", "2026-11-25"],
    ["antes del día 3", "2026-12-03"],
    ["il 25", "2026-11-25"],
    ["entro l'8", "2026-12-08"],
  ])("as people write it: %s is %s", async (text, day) => {
    expect(await read(text, wednesday)).toBe(day);
  });

  test("which week ends is not known of a weekend", async () => {
    await expect(readDate("end of the week", berlin)).rejects.toThrow(/more than one date/);
  });
});

describe("nothing silent: another day than was said is not taken", () => {
  test.each(["this afternoon", "this morning", "cet après-midi", "ce matin", "esta tarde", "esta mañana"])(
    "%s is of today, also when it is over",
    async (text) => {
      expect(await read(text, { ...wednesday, nowMs: Date.parse("2026-11-18T20:00:00Z") })).toBe("2026-11-18");
    },
  );

  test.each([
    ["this week"],
    ["this month"],
    ["this year"],
    ["questa settimana"],
    ["last Friday"],
    ["Friday last week"],
    ["last Fri"],
    ["last week on Friday"],
    ["letzten Freitag"],
    ["Freitag letzte Woche"],
    ["letzte Woche Freitag"],
    ["vendredi dernier"],
    ["Monday in two weeks"],
    ["Montag in zwei Wochen"],
    ["lundi dans deux semaines"],
    ["Thursday, 20 November"],
    ["Sun 22"],
    ["on Friday 21"],
    ["Freitag 21"],
    ["Montag, 20. November 2026"],
  ])("%s is refused", async (text) => {
    await expect(readDate(text, wednesday)).rejects.toMatchObject({ code: "date_invalid" });
  });

  test("what names a weekday and another day is told as that", async () => {
    await expect(readDate("Thursday, 20 November", wednesday)).rejects.toThrow(/more than one date; write it as/);
  });

  test.each(["Friday, 20 November", "Freitag, 20. November", "vendredi 20 novembre"])(
    "%s is read on that day, also in its afternoon",
    async (text) => {
      for (const nowMs of [Date.parse("2026-11-20T06:00:00Z"), Date.parse("2026-11-20T16:00:00Z")]) {
        expect(await read(text, { ...wednesday, nowMs })).toBe("2026-11-20");
      }
    },
  );

  /** A Friday in Berlin: seven in the morning, five in the afternoon. */
  const fridays = ["2026-11-20T06:00:00Z", "2026-11-20T16:00:00Z"].map((at) => ({
    ...wednesday,
    nowMs: Date.parse(at),
  }));

  test.each(["Friday", "by Friday", "this Friday", "am Freitag", "ce vendredi", "viernes", "venerdì"])(
    "%s is today on a Friday, also in its afternoon",
    async (text) => {
      for (const here of fridays) expect(await read(text, here)).toBe("2026-11-20");
    },
  );

  test.each(["next Friday", "nächsten Freitag", "vendredi prochain", "próximo viernes", "prossimo venerdì"])(
    "%s is no Friday that it is already",
    async (text) => {
      for (const here of fridays) expect(await read(text, here)).toBe("2026-11-27");
    },
  );

  test.each(["this Friday", "diesen Freitag", "ce vendredi", "este viernes"])(
    "%s, in a letter of a Friday's afternoon, is that day",
    async (text) => {
      for (const here of fridays) expect(await dateIn(text, here, dateLanguages)).toMatchObject({ day: "2026-11-20" });
    },
  );

  test("a time of today's weekday that is over is one of the next", async () => {
    const [, afternoon] = fridays;
    expect(await read("Friday at 8am", afternoon)).toBe("2026-11-27 08:00");
    expect(await read("Friday at 7pm", afternoon)).toBe("2026-11-20 19:00");
  });

  test("a weekday beside its own date is read", async () => {
    expect(await read("Friday, 20 November", wednesday)).toBe("2026-11-20");
    expect(await read("two days ago", wednesday)).toBe("2026-11-16");
  });

  test("a proposal can be put off until tonight, and until today, when the morning is over", async () => {
    for (const text of ["tonight", "this evening", "heute Abend", "ce soir", "esta noche", "stasera", "today"]) {
      expect(new Date(await snoozeMoment(text, wednesday)).toISOString(), text).toBe("2026-11-18T17:00:00.000Z");
    }
    const late = { ...wednesday, nowMs: Date.parse("2026-11-18T18:30:00Z") };
    expect(new Date(await snoozeMoment("tonight", late)).toISOString()).toBe("2026-11-18T21:00:00.000Z");
    const early = { ...wednesday, nowMs: Date.parse("2026-11-18T05:00:00Z") };
    expect(new Date(await snoozeMoment("today", early)).toISOString()).toBe("2026-11-18T07:00:00.000Z");
    expect(new Date(await snoozeMoment("tonight", early)).toISOString()).toBe("2026-11-18T17:00:00.000Z");
    expect(new Date(await snoozeMoment("tomorrow evening", early)).toISOString()).toBe("2026-11-19T17:00:00.000Z");
  });
});

test.each([
  ["2026-02-30"],
  ["2025-02-29"],
  ["2026-13-01"],
  ["2026-11-27T25:00"],
  ["2026-11-27T17:60"],
  ["2026-02-30T10:00Z"],
  ["30 February"],
  ["February 30"],
  ["30. Februar"],
  ["30 février"],
  ["30 de febrero"],
  ["30 febbraio"],
  ["31 April 2026"],
  ["29 February 2027"],
  ["03/04/2026"],
  ["03/04/2026 at 10:00"],
  ["tomorrow from 10:00 to 11:00"],
  ["13/02/26"],
  ["32/13/2026"],
  [""],
  ["   "],
  ["soon"],
  ["tomorrow or the day after"],
  ["call Ada tomorrow"],
  ["from Monday to Friday"],
  ["in two hours"],
  ["5pm EST"],
  ["x".repeat(101)],
])("%s is refused: all of it is understood, in one way, or nothing", async (text) => {
  await expect(readDate(text, berlin)).rejects.toMatchObject({ code: "date_invalid" });
});

test.each([
  ["32/13/2026", /^32\/13\/2026 is not a day of the calendar; .* such as 2026-11-27/],
  ["30/02/2026", /not a day of the calendar/],
  ["0000-01-01", /^0000-01-01 is in the year 0; give a year from 1000 on, such as 2026/],
  ["0026-11-27T10:00", /^0026-11-27T10:00 is in the year 26; give/],
  ["0999-12-31T10:00Z", /is in the year 999; give/],
  ["03/04/2026", /more than one date; write it as 2026-11-27/],
])("of %s it is said what is wrong with it, and how to write it", async (text, said) => {
  await expect(readDate(text, berlin)).rejects.toThrow(said);
});

describe("a time that clocks are set forward over is refused, and not kept as another one", () => {
  const skipped = { code: "date_invalid", message: expect.stringMatching(/set forward, and no clock shows .*2:30/) };

  test.each(["2027-03-28T02:30", "28 March 2027 at 2:30"])("a task is not due at %s", async (due) => {
    await expect(taskDraft({ due }, berlin)).rejects.toMatchObject({ ...skipped, data: { field: "due" } });
  });

  test.each([
    ["start", { start: "2027-03-28T02:30" }],
    ["end", { start: "2027-03-28T01:30", end: "2027-03-28T02:30" }],
    ["end", { start: "2027-03-28T01:30", end: "2:30" }],
    ["start", { start: "2027-03-14T02:30", zone: "America/New_York" }],
  ])("an event does not have it as its %s: %o", async (field, said) => {
    await expect(eventDraft(said, berlin)).rejects.toMatchObject({ ...skipped, data: { field } });
  });

  test("nothing is put off until then", async () => {
    await expect(snoozeMoment("2027-03-28T02:30", berlin)).rejects.toMatchObject(skipped);
  });

  test("a time wherever one is, and of a zone whose clocks are not set then, is kept", async () => {
    const floating = await eventDraft({ start: "2027-03-28T02:30", zone: "floating" }, berlin);
    const kolkata = await eventDraft({ start: "2027-03-28T02:30", zone: "Asia/Kolkata" }, berlin);
    expect([floating.start, kolkata.start]).toEqual(["2027-03-28T02:30:00", "2027-03-28T02:30:00"]);
  });

  test.each([
    ["2027-03-28T01:59", "Europe/Berlin", "2027-03-28T00:59:00Z"],
    ["2027-03-28T03:00", "Europe/Berlin", "2027-03-28T01:00:00Z"],
    ["2027-10-31T02:30", "Europe/Berlin", "2027-10-31T00:30:00Z"],
    ["2027-03-28T02:30", "Asia/Kolkata", "2027-03-27T21:00:00Z"],
    ["2027-03-28T00:30Z", "Europe/Berlin", "2027-03-28T00:30:00Z"],
  ])("%s in %s is shown, and due", async (due, zone, kept) => {
    expect(await taskDraft({ due }, { nowMs, zone })).toEqual({ due: kept });
  });
});

test.each([
  "next week",
  "nächste Woche",
  "la semaine prochaine",
  "la próxima semana",
  "la settimana prossima",
  "by next week",
])("%s begins with its Monday, and of which week a Sunday does not say", async (text) => {
  for (const [day, monday] of [
    ["2026-11-16", "2026-11-23"],
    ["2026-11-20", "2026-11-23"],
    ["2026-11-21", "2026-11-23"],
  ] as const) {
    const here = { nowMs: Date.parse(`${day}T12:00:00Z`), zone: "Europe/Berlin" };
    expect(await read(text, here), day).toBe(monday);
    expect(localTimeAt(await snoozeMoment(text, here), "Europe/Berlin"), day).toBe(`${monday}T08:00:00`);
  }
  await expect(read(text)).rejects.toMatchObject({ code: "date_invalid" });
});

describe("the zone is the one that is given, whatever the process's is", () => {
  const zones = ["Pacific/Kiritimati", "Europe/Berlin", "America/Los_Angeles", "Pacific/Honolulu", "Asia/Kolkata"];

  test.each([
    // Monday there: this week's is "Friday", the next week's is "next Friday". A week begins on Sunday.
    ["Pacific/Kiritimati", "2026-11-24", "2026-12-04"],
    ["Europe/Berlin", "2026-11-23", "2026-11-27"],
    ["Pacific/Honolulu", "2026-11-23", "2026-11-27"],
  ])("in %s tomorrow is %s", async (zone, tomorrow, friday) => {
    const here = { nowMs, zone };
    const texts = ["tomorrow", "morgen", "demain", "mañana", "domani"];
    for (const text of texts) expect(await read(text, here), text).toBe(tomorrow);
    for (const text of ["the day after tomorrow", "après-demain"]) {
      expect(await read(text, here), text).toBe(dayAfter(tomorrow, 1));
    }
    expect(await read("next friday", here)).toBe(friday);
  });

  test("a second before midnight and one after it are two days", async () => {
    const midnight = Date.parse("2026-11-22T23:00:00Z");
    const at = (ms: number) => read("next friday", { nowMs: ms, zone: "Europe/Berlin" });
    expect([await at(midnight - 1), await at(midnight)]).toEqual(["2026-11-27", "2026-12-04"]);
  });

  test("every process zone reads the same", async () => {
    const answers = new Map<string, string[]>();
    for (const zone of zones) {
      const putBack = setVariables({ TZ: zone });
      onTestFinished(putBack);
      for (const [text] of cases) answers.set(text, [...(answers.get(text) ?? []), await read(text)]);
      putBack();
    }
    expect([...answers].filter(([, all]) => new Set(all).size !== 1)).toEqual([]);
  });
});

describe("what is counted in months or years ends with the last day of a month that has no such day", () => {
  const on = (day: string) => ({ nowMs: Date.parse(`${day}T12:00:00Z`), zone: "Europe/Berlin" });
  const inAMonth = [
    "in a month",
    "next month",
    "in einem Monat",
    "nächsten Monat",
    "dans un mois",
    "en un mes",
    "tra un mese",
  ];

  test.each(inAMonth)("%s", async (text) => {
    expect(await read(text, on("2028-01-31"))).toBe("2028-02-29");
    expect(await read(text, on("2027-01-31"))).toBe("2027-02-28");
    expect(await read(text, on("2027-03-31"))).toBe("2027-04-30");
    expect(await read(text, on("2027-01-28"))).toBe("2027-02-28");
    expect(await read(text, on("2027-12-31"))).toBe("2028-01-31");
  });

  test.each(["in a year", "in einem Jahr"])("%s", async (text) => {
    expect(await read(text, on("2028-02-29"))).toBe("2029-02-28");
    expect(await read(text, on("2028-02-28"))).toBe("2029-02-28");
  });
});

test("a moment and what clocks show: where they are set back the first, where they are set forward as if not yet", () => {
  const berlinAt = (local: string) => new Date(momentOf(local, "Europe/Berlin")).toISOString();
  expect(berlinAt("2026-07-01T12:00:00")).toBe("2026-07-01T10:00:00.000Z");
  expect(berlinAt("2026-10-25T02:30:00")).toBe("2026-10-25T00:30:00.000Z");
  expect(berlinAt("2026-03-29T02:30:00")).toBe("2026-03-29T01:30:00.000Z");
  expect(localTimeAt(momentOf("2026-03-29T02:30:00", "Europe/Berlin"), "Europe/Berlin")).toBe("2026-03-29T03:30:00");
  expect(dueOf({ day: "2026-11-27", time: "17:00:00" }, "Asia/Kolkata")).toBe("2026-11-27T11:30:00Z");
  expect(dueOf({ day: "2026-11-27", time: null }, "Asia/Kolkata")).toBe("2026-11-27");
});

test("an event that would go on beyond the calendar is refused at the field that is mended, before anything is kept", async () => {
  const refused = (said: Parameters<typeof eventDraft>[0]) =>
    expect(eventDraft({ title: "Dinner", ...said }, berlin)).rejects;
  for (const start of ["9999-12-31", "9999-12-31 23:30"])
    await refused({ start }).toMatchObject({
      code: "date_invalid",
      exact: { about: "beyond" },
      data: { field: "start" },
    });
  await refused({ start: "9999-12-30", end: "9999-12-31" }).toMatchObject({
    ...{ code: "date_invalid", exact: { about: "beyond" }, data: { field: "end" } },
  });
  expect(await eventDraft({ title: "Dinner", start: "9999-12-30" }, berlin)).toMatchObject({ end: "9999-12-31" });
  expect(await eventDraft({ title: "Dinner", start: "9999-12-31 22:00" }, berlin)).toMatchObject({
    end: "9999-12-31T23:00:00",
  });
});

test.each(["2026-11-30", "2026-11-01"])(
  "nothing silent: an event that lasts all day and whose last day is %s, before its first, is refused",
  async (end) => {
    await expect(eventDraft({ title: "Trip", start: "2026-12-01", end }, berlin)).rejects.toMatchObject({
      code: "value_invalid",
      exact: { about: "end" },
      data: { field: "end" },
    });
  },
);
