/** A value as it stands in the text. UTF-16 offsets, half open, without quotes. */
export interface Value {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  /** What stands right behind an unquoted one. */
  readonly next: string;
}

/** No credential in a text is longer, but for keys in blocks of their own. */
const maxValueChars = 8_192;
const prefix = /(?:[bBrRuUfF]{1,2}|@|\$|L)(?=["'])/y;
const opening = /(?:\\{0,3}["'`]|&(?:quot|#34|#39|apos);|[“„«‘])/y;
const closers: Readonly<Record<string, string>> = { "“": "”", "„": "“”", "«": "»", "‘": "’" };
const unquoted = /[^\s"'`<>;,&()[\]{}\\|]{1,8192}/y;
/** In a settings file a value goes to the end of its line. */
const restOfLine = /[^\r\n]{1,512}/y;
const call = /[\w.$]{1,60}\((?=\\?["'`])/y;

const at = (pattern: RegExp, text: string, place: number): RegExpExecArray | null => {
  pattern.lastIndex = place;
  return pattern.exec(text);
};

/** The quoted value that begins at a place, on one line. */
export function quotedAt(text: string, place: number): Value | undefined {
  const from = place + (at(prefix, text, place)?.[0].length ?? 0);
  const open = at(opening, text, from)?.[0];
  if (open === undefined) return undefined;
  const start = from + open.length;
  const end = closeOf(text, start, open);
  if (end === undefined) return undefined;
  return end > start ? { start, end, isQuoted: true, next: text.charAt(end + open.length) } : undefined;
}

function closeOf(text: string, start: number, open: string): number | undefined {
  const limit = Math.min(text.length, start + maxValueChars);
  if (open.length > 1) {
    const end = text.slice(start, limit).search(/\r|\n/);
    const line = text.slice(start, end === -1 ? limit : start + end);
    const found = line.indexOf(open);
    return found === -1 ? undefined : start + found;
  }
  const close = closers[open] ?? open;
  for (let place = start; place < limit; place++) {
    const unit = text.charAt(place);
    if (unit === "\n" || unit === "\r") return undefined;
    if (unit === "\\") place++;
    else if (close.includes(unit)) return place;
  }
  return undefined;
}

/** A run without blanks and brackets, without punctuation at its end. */
export function bareAt(text: string, place: number): Value | undefined {
  const match = at(unquoted, text, place);
  if (match === null) return undefined;
  const value = match[0].replace(/[.,:;!?*]{1,4}$/, "");
  const end = place + value.length;
  return value === "" ? undefined : { start: place, end, isQuoted: false, next: text.charAt(end) };
}

/** The rest of a line without a comment and the blanks before it. */
export function lineValueAt(text: string, place: number): Value | undefined {
  const line = at(restOfLine, text, place)?.[0] ?? "";
  const comment = /\s[#;]\s|\s\/\/\s/.exec(line);
  const value = (comment === null ? line : line.slice(0, comment.index)).trimEnd();
  return value === "" ? undefined : { start: place, end: place + value.length, isQuoted: false, next: "\n" };
}

/** The first argument of a call that wraps a value: `Buffer.from("…")`. */
export function wrappedAt(text: string, place: number): Value | undefined {
  const match = at(call, text, place);
  return match === null ? undefined : quotedAt(text, place + match[0].length);
}

const listItem = /[\s,]{0,200}(?:-[ \t]{1,4})?(?=\\?["'`])/y;
const maxItems = 200;

/** The quoted values of a list in brackets. */
export function listAt(text: string, place: number): Value[] {
  const values: Value[] = [];
  if (text.charAt(place) !== "[") return values;
  let next = place + 1;
  while (values.length < maxItems) {
    const gap = at(listItem, text, next);
    if (gap === null) break;
    const value = quotedAt(text, next + gap[0].length);
    if (value === undefined) break;
    values.push(value);
    next = value.end + 1;
  }
  return values;
}

const drawnWords =
  /\s{0,4}((?:\d{1,2}[.):]?[ \t]{0,4})?[a-z]{3,8}(?:[\s,]{1,6}(?:[-*•][ \t]{1,4})?(?:\d{1,2}[.):]?[ \t]{0,4})?[a-z]{3,8}){11,23})(?![a-z])/y;

/** Twelve to twenty-four words, numbered or not, on one line or on many: what a wallet has its owner write down. */
export function wordsAt(text: string, place: number): Value | undefined {
  const match = at(drawnWords, text, place);
  const words = match?.[1] ?? "";
  if (match === null) return undefined;
  const end = place + match[0].length;
  return { start: end - words.length, end, isQuoted: false, next: text.charAt(end) };
}

const nextLine = /[ \t]{0,8}(?:[|>][-+]?\d?)?[ \t]{0,8}(?:#[^\n]{0,200})?\r?\n/y;
const block = /([ \t]{0,40})(?:(?:[-*•]|\d{1,2}[.):])[ \t]{0,8})?([^\s][^\r\n]{0,512})/y;

/** The lines under a name that ends its line: a YAML block, a list with dashes or numbers, or bare lines. */
export function blockAt(text: string, place: number, maxLines: number): Value[] {
  const values: Value[] = [];
  const first = at(nextLine, text, place);
  if (first === null) return values;
  let next = place + first[0].length;
  const blank = at(/[ \t]{0,8}\r?\n/y, text, next);
  if (blank !== null) next += blank[0].length;
  while (values.length < maxLines) {
    const match = at(block, text, next);
    if (match === null) break;
    const body = match[2] ?? "";
    const start = match.index + match[0].length - body.length;
    const trimmed = body.trimEnd().replace(/^(["'`])(.*)\1,?$/, "$2");
    const offset = Math.max(0, body.indexOf(trimmed));
    values.push({ start: start + offset, end: start + offset + trimmed.length, isQuoted: false, next: "\n" });
    next = match.index + match[0].length;
    const end = at(/[ \t]{0,40}\r?\n/y, text, next);
    if (end === null) break;
    next += end[0].length;
  }
  return values;
}
