import { type Category, categories } from "../../../events/proposals/categorize.ts";
import type { Interval } from "../intervals.ts";
import { wilson } from "../intervals.ts";
import { percent, table } from "../table.ts";

/** What a case is, and what it was taken for. */
export interface Told {
  readonly is: Category;
  readonly said: Category;
}

const share = (hits: number, tries: number): string => {
  const interval: Interval | null = wilson(hits, tries);
  if (interval === null) return "–";
  return `${percent(hits / tries)} [${percent(interval[0])}–${percent(interval[1])}]`;
};

/** Precision and recall by category of several ways to tell, each of the same cases in the same order. */
export function categoryTable(ways: ReadonlyMap<string, readonly Told[]>): string {
  const names = [...ways.keys()];
  const head = ["category", "cases", ...names.flatMap((name) => [`${name}: precision`, "recall"])];
  const [first = []] = ways.values();
  const rows = categories.map((category) => {
    const cases = first.filter(({ is }) => is === category).length;
    const cells = [...ways.values()].flatMap((told) => {
      const right = told.filter(({ is, said }) => is === category && said === category).length;
      return [share(right, told.filter(({ said }) => said === category).length), share(right, cases)];
    });
    return [category, String(cases), ...cells];
  });
  const all = [...ways.values()].flatMap((told) => {
    const right = told.filter(({ is, said }) => is === said).length;
    return ["", share(right, told.length)];
  });
  return table([head, ...rows, ["all: right", String(first.length), ...all]]);
}

/** The commonest category for everything. */
export function majority(cases: readonly Category[]): Category {
  const counts = Map.groupBy(cases, (each) => each);
  const [most] = [...counts].toSorted(([, one], [, other]) => other.length - one.length);
  return most?.[0] ?? "information";
}
