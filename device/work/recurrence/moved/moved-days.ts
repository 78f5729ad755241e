import { dateOf, dayNumber, monthLength, weekdayOf } from "../days.ts";
import { ruleOf, type SeriesStart } from "../rule.ts";
import { type RuleParts, readParts, weekdayNames } from "../rule-parts.ts";
import { Steps } from "../steps.ts";

/**
 * A rule of a series that is moved to another day, with that day in place of the one it had: what names its weekday or date itself
 * would else take place once on the new day and from then on as before. As it is where the new day is one of its own, and where it says
 * more than one place for a day.
 */
export function ruleOnNewDay(line: string, before: SeriesStart, after: SeriesStart): string {
  const parts = readParts(line);
  if (parts === undefined || parts.positions !== undefined) return line;
  if (!begins(line, before) || begins(line, after)) return line;
  const replaced = replacements(parts, dayNumber(before.start), dayNumber(after.start));
  return Object.entries(replaced).reduce(
    (moved, [name, value]) => moved.replace(new RegExp(`(?<=[:;]${name}=)[^;]+`, "i"), value),
    line,
  );
}

const begins = (line: string, series: SeriesStart): boolean =>
  ruleOf(line, series, new Steps())?.has(dayNumber(series.start)) === true;

/** What its parts say of the new day. */
function replacements(parts: RuleParts, from: number, to: number): Readonly<Record<string, string>> {
  const { frequency, weekdays, monthDays, months } = parts;
  const [old, fresh] = [dateOf(from), dateOf(to)];
  const month = frequency === "YEARLY" && months?.size === 1 ? { BYMONTH: String(fresh.month) } : {};
  if (weekdays === undefined) {
    if (monthDays === undefined) return month;
    const isOne = monthDays.size === 1 && frequency !== "DAILY" && frequency !== "WEEKLY";
    return isOne ? { ...month, BYMONTHDAY: String(fresh.date) } : {};
  }
  if (monthDays !== undefined) return {};
  const [was, is] = [weekdayOf(from), weekdayOf(to)];
  if (frequency === "WEEKLY") {
    const named = [...weekdays.keys()].map((each) => weekdayNames[each === was ? is : each]);
    return { BYDAY: [...new Set(named)].join(",") };
  }
  const [nth, another] = weekdays.size === 1 ? (weekdays.get(was) ?? []) : [];
  const isOfMonth = frequency === "MONTHLY" || (frequency === "YEARLY" && months?.size === 1);
  if (nth === undefined || another !== undefined || nth === 0 || !isOfMonth) return {};
  return { ...month, BYDAY: `${nthOf(fresh, nth < 0 || old.date > 28)}${weekdayNames[is]}` };
}

/** Which of its weekdays a day is in its month: no month but for some has a fifth, so that is the last. */
function nthOf(day: ReturnType<typeof dateOf>, isFromEnd: boolean): number {
  const isLast = day.date > monthLength(day) - 7;
  return isLast && (isFromEnd || day.date > 28) ? -1 : Math.ceil(day.date / 7);
}
