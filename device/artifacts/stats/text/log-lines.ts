import type { TextStructure } from "../stats.ts";

type Log = Extract<TextStructure, { kind: "log" }>;

/** Times as logs write them: ISO 8601, `17/06/09 20:10:40`, syslog's `Jun 14 15:16:01`, `03-17 16:13:38.811`, Apache's. */
const times: readonly RegExp[] = [
  /^[[(<]?(\d{4}[-/]\d\d[-/]\d\d[T ,]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?)/,
  /^[[(<]?(\d\d[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)/,
  /^[[(<]?((?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} [ \d]?\d \d\d:\d\d:\d\d(?:\.\d{1,9})?(?: \d{4})?)/,
  /^[[(<]?(\d\d[-.]\d\d \d\d:\d\d:\d\d(?:[.,]\d{1,9})?)/,
  /^[^[]{0,80}\[(\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d(?: [+-]\d{4})?)\]/,
  /^[[(<]?(\d{10}(?:\.\d{1,9}|\d{3})?)\b/,
  /^[[(<]?(\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)/,
];
/** Words for levels, upper case or in brackets, or as `level=…`; Android writes one letter between two numbers and a tag. */
const level =
  /\b(TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERR(?:OR)?|SEVERE|FATAL|CRIT(?:ICAL)?|ALERT|EMERG(?:ENCY)?|PANIC)\b|[[(<"=:](trace|debug|info|notice|warn(?:ing)?|err(?:or)?|fatal|crit(?:ical)?|alert|emerg|panic)[\])>",: ]|^\S+ \S+ +\d+ +\d+ ([VDIWEF]) |, (Info|Warning|Error) /;

type Level = keyof Log["levels"];
const meanings: readonly [RegExp, Level][] = [
  [/^(?:v|trace)/i, "trace"],
  [/^d/i, "debug"],
  [/^(?:i|n)/i, "info"],
  [/^w/i, "warn"],
  [/^(?:f|crit|alert|emerg|panic)/i, "fatal"],
  [/^(?:e|severe)/i, "error"],
];
/** What a line says about itself stands at its beginning. */
const probedChars = 240;

/** The time a line begins with, as it is written. */
export function timeOf(line: string): string | undefined {
  for (const pattern of times) {
    const found = pattern.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** How serious a line of a log says it is; undefined when it does not say. */
export function levelOf(line: string): Level | undefined {
  const match = level.exec(line);
  if (match === null) return undefined;
  const word = match[1] ?? match[2] ?? match[3] ?? match[4] ?? "";
  return meanings.find(([pattern]) => pattern.test(word))?.[1];
}

/** Levels and the span of time of a log, line by line. */
export class LogLines {
  readonly #levels: Log["levels"] = { trace: 0, debug: 0, info: 0, warn: 0, error: 0, fatal: 0 };
  #firstTime: string | undefined;
  /** The last lines' beginnings: the last time is looked for at the end only. */
  readonly #recent: string[] = [];

  add(bytes: Buffer): void {
    const line = bytes.toString("latin1", 0, probedChars);
    const found = levelOf(line);
    if (found !== undefined) this.#levels[found]++;
    this.#firstTime ??= timeOf(line);
    this.#recent.push(line);
    if (this.#recent.length > 256) this.#recent.splice(0, 192);
  }

  end(): Log {
    const lastTime = this.#recent.map(timeOf).findLast((time) => time !== undefined);
    return {
      kind: "log",
      levels: this.#levels,
      ...(this.#firstTime !== undefined && { firstTime: this.#firstTime }),
      ...(lastTime !== undefined && { lastTime }),
    };
  }
}
