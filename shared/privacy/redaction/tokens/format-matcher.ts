import { isPlaceholder } from "../randomness/placeholders.ts";
import { entropyOf, randomBits } from "../randomness/randomness.ts";
import { markedFormats, tokenFormats } from "./token-formats.ts";

const classes: Readonly<Record<string, string>> = {
  d: "0-9",
  h: "0-9a-f",
  H: "0-9a-fA-F",
  l: "0-9a-z",
  u: "0-9A-Z",
  a: "0-9A-Za-z",
  w: "0-9A-Za-z_-",
  b: "0-9A-Za-z+/=",
  t: "0-9A-Za-z_.=~-",
  p: "0-9A-Za-z/-",
  c: "0-9A-Za-z./",
};
const tables = new Map(Object.entries(classes).map(([name, set]) => [name, tableOf(set)]));

function tableOf(set: string): Uint8Array {
  const pattern = new RegExp(`[${set}]`);
  return Uint8Array.from({ length: 128 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0));
}

type Step = { readonly literal: string } | { readonly table: Uint8Array; readonly min: number; readonly max: number };

/** @throws TypeError for a step that has no such form */
function stepsOf(source: string): Step[] {
  return source
    .split(" ")
    .filter((each) => each !== "")
    .map((each) => {
      if (each.startsWith("'")) return { literal: each.slice(1, -1) };
      const [, name = "", min = "", max = min] = /^([a-zA-Z])(\d+)(?:-(\d+))?$/.exec(each) ?? [];
      const table = tables.get(name);
      if (table === undefined) throw new TypeError(`no such step in a token format: ${each}`);
      return { table, min: Number(min), max: Number(max) };
    });
}

interface Start {
  readonly kind: string;
  readonly literal: string;
  readonly before: Step | undefined;
  readonly steps: readonly Step[];
}

const starts: readonly Start[] = [
  ...tokenFormats.flatMap(([kind, literals, steps]) =>
    literals.split(" ").map((literal) => ({ kind, literal, before: undefined, steps: stepsOf(steps) })),
  ),
  ...markedFormats.map(([kind, literal, before, steps]) => ({
    kind,
    literal,
    before: stepsOf(before)[0],
    steps: stepsOf(steps),
  })),
];

/** What a scan has to look for, lower case, in the order of {@link tokenAt}'s numbers. */
export const formatKeywords: readonly string[] = starts.map(({ literal }) => literal.toLowerCase());

const isIn = (table: Uint8Array, code: number) => code < 128 && table[code] === 1;

interface Run {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds tokens of known form in one text. Linear whatever the text: a run of a class's characters is walked once, also
 * when thousands of beginnings stand inside it.
 */
export class FormatMatcher {
  readonly #text: string;
  readonly #runs = new Map<Uint8Array, Run[]>();
  /** Where the last refused walk of each format ended: what begins later and ends there is no better. */
  readonly #refused = new Map<number, number>();

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * The token of one format whose beginning (or mark) ends at a place; undefined when it is none, or only stands for one.
   *
   * @param keyword index in {@link formatKeywords}
   */
  tokenAt(keyword: number, end: number): { start: number; end: number; kind: string } | undefined {
    const format = starts[keyword];
    const text = this.#text;
    if (format === undefined || !text.startsWith(format.literal, end - format.literal.length)) return undefined;
    const start = beginOf(text, format, end - format.literal.length);
    if (start === undefined || !isBoundary(text, start)) return undefined;
    const at = this.#walk(format.steps, end);
    // What goes on is another word.
    if (at === undefined || /[A-Za-z0-9]/.test(text.charAt(at)) || this.#refused.get(keyword) === at) return undefined;
    const whole = text.slice(start, at);
    const token = whole.endsWith("=") ? whole : whole.replace(/[.~-]{1,3}$/, "");
    if (isToken(token, format.before === undefined ? token.slice(format.literal.length) : token)) {
      return { start, end: start + token.length, kind: format.kind };
    }
    this.#refused.set(keyword, at);
    return undefined;
  }

  #walk(steps: readonly Step[], from: number): number | undefined {
    let at = from;
    for (const step of steps) {
      if ("literal" in step) {
        if (!this.#text.startsWith(step.literal, at)) return undefined;
        at += step.literal.length;
        continue;
      }
      const length = Math.min(step.max, this.#runEnd(step.table, at) - at);
      if (length < step.min) return undefined;
      at += length;
    }
    return at;
  }

  /** Where the run of a class that a place stands in ends. The last few runs are remembered: a format has few steps. */
  #runEnd(table: Uint8Array, at: number): number {
    const runs = this.#runs.get(table) ?? [];
    const known = runs.find(({ start, end }) => at >= start && at < end);
    if (known !== undefined) return known.end;
    let end = at;
    while (isIn(table, this.#text.charCodeAt(end))) end++;
    this.#runs.set(table, [{ start: at, end }, ...runs.slice(0, 4)]);
    return end;
  }
}

/** A token has digits, or letters whose case jumps about. */
function isToken(token: string, varying: string): boolean {
  if (!/\d/.test(varying) && !/[a-z][A-Z]{1,8}[a-z]{1,8}[A-Z]/.test(varying) && randomBits(varying) < 8) return false;
  return !/EXAMPLE(?:KEY)?$/.test(token) && !isPlaceholder(varying) && entropyOf(varying.slice(0, 400)) >= 2.5;
}

function beginOf(text: string, { before }: Start, mark: number): number | undefined {
  if (before === undefined || "literal" in before) return mark;
  let at = mark;
  while (mark - at < before.max && isIn(before.table, text.charCodeAt(at - 1))) at--;
  return mark - at < before.min ? undefined : at;
}

/** Not inside a longer word; the letter of `\n` and the digits of `%3D` belong to no word. */
function isBoundary(text: string, start: number): boolean {
  if (start === 0 || !/[A-Za-z0-9]/.test(text.charAt(start - 1))) return true;
  return /(?:\\[nrtvfb]|%[0-9A-Fa-f]{2}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2})$/.test(
    text.slice(Math.max(0, start - 6), start),
  );
}
