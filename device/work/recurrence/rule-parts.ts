/** By weekday; Sunday is 0. */
export const weekdayNames = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
const frequencies = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"] as const;

/** What a rule says. */
export interface RuleParts {
  readonly frequency: (typeof frequencies)[number];
  readonly interval: number;
  /** Sunday is 0. */
  readonly weekStart: number;
  readonly months: ReadonlySet<number> | undefined;
  /** From the end of the month where they are negative. */
  readonly monthDays: ReadonlySet<number> | undefined;
  /** By weekday, which ones of its month or year: the second (2), the last (-1), each (0). */
  readonly weekdays: ReadonlyMap<number, ReadonlySet<number>> | undefined;
  readonly positions: ReadonlySet<number> | undefined;
  readonly count: number | undefined;
  /** As it is written. */
  readonly until: string | undefined;
}

const weekday = `(?:${weekdayNames.join("|")})`;
const listOf = (each: string) => new RegExp(`^${each}(?:,${each})*$`);
const numbers = listOf("[+-]?\\d{1,3}");

/** The parts that are known, and what they look like. */
const forms: ReadonlyMap<string, RegExp> = new Map([
  ["FREQ", new RegExp(`^(?:${frequencies.join("|")})$`)],
  ["INTERVAL", /^\d{1,9}$/],
  ["COUNT", /^0*[1-9]\d{0,9}$/],
  ["UNTIL", /./],
  ["WKST", new RegExp(`^${weekday}$`)],
  ["BYMONTH", numbers],
  ["BYMONTHDAY", numbers],
  ["BYDAY", listOf(`(?:[+-]?\\d{1,2})?${weekday}`)],
  ["BYSETPOS", numbers],
]);

/** Reads `RRULE:FREQ=WEEKLY;BYDAY=TU`. @returns undefined where it says what is not known, or what no rule may say */
export function readParts(line: string): RuleParts | undefined {
  const given = new Map(
    line
      .slice(line.indexOf(":") + 1)
      .trim()
      .toUpperCase()
      .split(";")
      .filter((part) => part !== "")
      .map((part): [string, string] => {
        const [name = "", value = ""] = part.split("=");
        return [name, value];
      }),
  );
  if ([...given].some(([name, value]) => forms.get(name)?.test(value) !== true)) return undefined;
  const frequency = frequencies.find((name) => name === given.get("FREQ"));
  // Of a day BYSETPOS chooses among the hours.
  if (frequency === undefined || (frequency === "DAILY" && given.has("BYSETPOS"))) return undefined;
  const count = given.get("COUNT");
  return {
    frequency,
    interval: Math.max(1, Number(given.get("INTERVAL") ?? 1)),
    weekStart: weekdayNames.indexOf(given.get("WKST") ?? "MO"),
    months: numbersIn(given.get("BYMONTH")),
    monthDays: numbersIn(given.get("BYMONTHDAY")),
    weekdays: weekdaysIn(given.get("BYDAY")),
    positions: numbersIn(given.get("BYSETPOS")),
    count: count === undefined ? undefined : Number(count),
    until: given.get("UNTIL"),
  };
}

const numbersIn = (value: string | undefined): ReadonlySet<number> | undefined =>
  value === undefined ? undefined : new Set(value.split(",").map(Number));

function weekdaysIn(value: string | undefined): RuleParts["weekdays"] {
  if (value === undefined) return undefined;
  const named = new Map<number, Set<number>>();
  for (const text of value.split(",")) {
    const day = weekdayNames.indexOf(text.slice(-2));
    named.set(day, (named.get(day) ?? new Set()).add(Number(text.slice(0, -2))));
  }
  return named;
}
