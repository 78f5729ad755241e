import type { TFunction } from "i18next";
import type { ShownRepeats } from "../../../work/shown-repeats.ts";
import { line } from "../../app/shown-text.ts";
import { dayText, shortText } from "../times.ts";

type Rule = ShownRepeats["rules"][number];
type Shape = NonNullable<Rule["shape"]>;
type ShapeDay = Shape["days"][number];

/** January is 1. */
const monthName = (month: number, language: string) =>
  new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" }).format(Date.UTC(2023, month - 1));
/** Sunday is 0, as the first day of 2023 was. */
const weekdayName = (weekday: number, language: string) =>
  new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" }).format(Date.UTC(2023, 0, 1 + weekday));
const listed = (words: readonly string[], language: string) => new Intl.ListFormat(language).format(words);

/** How often an event takes place, in the words of a language: each rule, and what is said of all of them, is a line; what is said twice is there once. */
export function repeatLines(repeats: ShownRepeats, t: TFunction, language: string): string[] {
  const { rules, moreRules, added, leftOut, daysOf } = repeats;
  const days = ({ days, more }: ShownRepeats["added"]) =>
    [
      ...days.map((each) => shortText(each, language)),
      ...(more > 0 ? [t("work.repeat.moreDays", { count: more })] : []),
    ].join(" · ");
  const lines = [
    ...rules.map((rule) => ruleText(rule, t, language)),
    ...(moreRules > 0 ? [t("work.repeat.moreRules", { count: moreRules })] : []),
    ...(added.days.length > 0 ? [t("work.repeat.also", { days: days(added) })] : []),
    ...(leftOut.days.length > 0 ? [t("work.repeat.butNot", { days: days(leftOut) })] : []),
    ...(daysOf === null ? [] : [t("work.repeat.daysOf", { zone: line(daysOf) })]),
  ];
  return [...new Set(lines)];
}

function ruleText({ shape, count, until, written }: Rule, t: TFunction, language: string): string {
  if (shape === null) return t("work.repeat.written", { rule: line(written) });
  const said = shapeText(shape, t, language);
  const ended = until === null ? said : t("work.repeat.until", { said, day: dayText(until, language) });
  return count === null ? ended : t("work.repeat.times", { said: ended, count });
}

function shapeText({ unit, interval, days, months }: Shape, t: TFunction, language: string): string {
  const every = unit === "workdays" ? t("work.repeat.workdays") : t(`work.repeat.every.${unit}`, { count: interval });
  const onDays = listed(
    days.map((day) => onDay(day, t, language)),
    language,
  );
  const said = days.length === 0 ? every : t("work.repeat.on", { every, days: onDays });
  if (months.length === 0) return said;
  const names = months.map((month) => monthName(month, language));
  return t(unit === "year" ? "work.repeat.ofMonths" : "work.repeat.onlyIn", { said, months: listed(names, language) });
}

function onDay(day: ShapeDay, t: TFunction, language: string): string {
  // Languages put other words before or behind some numbers: the 2nd, le 1er, l’8.
  const form = (date: number) => new Intl.PluralRules(language, { type: "ordinal" }).select(date);
  switch (day.on) {
    case "weekday":
      return t("work.repeat.weekday", { day: weekdayName(day.weekday, language) });
    case "nth":
      if (day.weekday === "workday") return t(`work.repeat.nth.${day.nth}`, { day: t("work.repeat.workday") });
      // In some languages Sunday is a word of another kind than the other days.
      return day.weekday === 0
        ? t(`work.repeat.nthSunday.${day.nth}`, { day: weekdayName(0, language) })
        : t(`work.repeat.nth.${day.nth}`, { day: weekdayName(day.weekday, language) });
    case "date":
      return t(`work.repeat.date.${form(day.date)}`, { number: day.date });
    case "yearDay":
      return t(`work.repeat.yearDay.${form(day.date)}`, { number: day.date, month: monthName(day.month, language) });
    default:
      return t(day.on === "lastDay" ? "work.repeat.lastDay" : "work.repeat.lastButOne");
  }
}
