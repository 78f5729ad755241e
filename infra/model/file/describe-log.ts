import type { ExcerptParts } from "./excerpt-parts.ts";
import { frequentWords } from "./frequent-words.ts";

const maxWords = 12;
const time =
  /\d{4}[-/.]\d\d[-/.]\d\d[T ]\d\d:\d\d(?::\d\d)?|\d\d[-/.]\d\d(?:[-/.]\d\d)? \d\d:\d\d:\d\d|(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\d{1,2} \d\d:\d\d:\d\d(?: \d{4})?/;
const level = /\b(FATAL|CRITICAL|ERROR|WARN(?:ING)?|INFO|NOTICE|DEBUG|TRACE)\b/i;
/** Fewer lines with a time are a coincidence. */
const minTimedShare = 0.6;

/** Whether most lines of a text carry a time near their beginning. */
export function isLog(lines: readonly string[]): boolean {
  const said = lines.filter((line) => line.trim() !== "").slice(0, 50);
  return said.length >= 3 && said.filter((line) => time.test(line.slice(0, 60))).length >= minTimedShare * said.length;
}

/** From when to when a log reaches, which levels it has, and what it speaks of most. */
export function describeLog({ head, tail, isCut }: ExcerptParts): string {
  const lines = `${head}\n${tail}`.split(/\r?\n/).filter((line) => line.trim() !== "");
  const times = lines.flatMap((line) => time.exec(line)?.[0] ?? []);
  const levels = [...new Set(lines.flatMap((line) => level.exec(line)?.[1]?.toUpperCase() ?? []))];
  const [first, last] = [times[0], times.at(-1)];
  const span = first === undefined ? "" : ` from ${first} to ${last}`;
  const words = frequentWords(lines.join("\n"), maxWords, levels.join(" "));
  return [
    `Log of ${isCut ? "more than " : ""}${lines.length} lines${span}.`,
    levels.length === 0 ? "" : `Levels: ${levels.join(", ")}.`,
    words.length === 0 ? "" : `Often: ${words.join(", ")}.`,
  ].join(" ");
}
