import { readFileSync } from "node:fs";
import type { Figures } from "./figures.ts";

export const documentFile = new URL("../../docs/scale.md", import.meta.url);

/** The figures of the last run that somebody kept: `npm run cost -- --json > test/cost/measured.json`. */
export function measured(): Figures {
  return JSON.parse(readFileSync(new URL("measured.json", import.meta.url), "utf8"));
}

/** The document with every table between `generated` marks made anew. */
export function regenerated(document: string, tables: Readonly<Record<string, string>>): string {
  return document.replace(
    /(<!-- generated: (\w+) -->\n)[\s\S]*?(<!-- \/generated: \2 -->)/g,
    (whole, start: string, name: string, end: string) => {
      const table = tables[name];
      return table === undefined ? whole : `${start}${table}\n${end}`;
    },
  );
}
