/**
 * git's glob language (wildmatch.c with WM_PATHNAME) on bytes, in time O(pattern × text): a hostile `.gitignore` cannot
 * stall a scan, which a translation to backtracking regular expressions could. `*` never crosses `/`, so only the last
 * star of a segment and the last `**` of a path ever need to be retried.
 */
type Token = { literal: number } | { members: Uint8Array } | "any" | "star";
type Segment = readonly Token[] | { globstar: true; atLeast: 0 | 1 };

const slash = 0x2f;
const backslash = 0x5c;

/** A compiled pattern; `undefined` from `compileGlob` when git would match nothing with it. */
export interface Glob {
  readonly segments: readonly Segment[];
  readonly foldCase: boolean;
}

/** UTF-8 bytes as a string of code units 0–255, which is what the matcher compares (git's `?` is one byte). */
export function toByteString(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the ASCII range is meant
  return /^[\u0000-\u007f]*$/.test(text) ? text : Buffer.from(text).toString("latin1");
}

/** Compiles a byte string. */
export function compileGlob(pattern: string, foldCase: boolean): Glob | undefined {
  const segments: Segment[] = [];
  let current: Token[] = [];
  let at = 0;
  while (at < pattern.length) {
    const code = pattern.charCodeAt(at);
    if (code === slash) {
      segments.push(current);
      current = [];
      at++;
    } else if (code === backslash) {
      if (at + 1 >= pattern.length) return undefined;
      const next = pattern.charCodeAt(at + 1);
      if (next === slash) {
        segments.push(current);
        current = [];
      } else current.push({ literal: fold(next, foldCase) });
      at += 2;
    } else if (pattern[at] === "?") {
      current.push("any");
      at++;
    } else if (pattern[at] === "*") {
      const end = endOfStars(pattern, at);
      const bounded = at === 0 || pattern.charCodeAt(at - 1) === slash;
      const rest = pattern.slice(end, end + 2);
      if (end - at > 1 && bounded && (rest === "" || rest[0] === "/" || rest === "\\/")) {
        // git tries the empty match only before a plain slash, and a final `**` needs something to be there.
        segments.push({ globstar: true, atLeast: rest[0] === "/" ? 0 : 1 });
        at = end + (rest === "\\/" ? 2 : rest === "" ? 0 : 1);
        if (rest === "") return { segments, foldCase };
      } else {
        if (current.at(-1) !== "star") current.push("star");
        at = end;
      }
    } else if (pattern[at] === "[") {
      const parsed = parseClass(pattern, at, foldCase);
      if (parsed === undefined) return undefined;
      current.push({ members: parsed.members });
      at = parsed.end;
    } else {
      current.push({ literal: fold(code, foldCase) });
      at++;
    }
  }
  segments.push(current);
  return { segments, foldCase };
}

function endOfStars(pattern: string, from: number): number {
  let end = from;
  while (pattern[end] === "*") end++;
  return end;
}

function fold(code: number, foldCase: boolean): number {
  return foldCase && code >= 0x41 && code <= 0x5a ? code + 32 : code;
}

/** Whether the byte string `text` (a path or a name) matches. */
export function matchesGlob(glob: Glob, text: string): boolean {
  const { segments } = glob;
  const [only] = segments;
  if (segments.length === 1 && only !== undefined && !("globstar" in only)) {
    return matchesSegment(only, text, glob.foldCase) && !text.includes("/");
  }
  const names = text.split("/");
  let s = 0;
  let n = 0;
  let retrySegment = -1;
  let retryName = 0;
  while (n < names.length || s < segments.length) {
    const segment = segments[s];
    if (segment !== undefined && "globstar" in segment) {
      retryName = n + segment.atLeast;
      if (retryName > names.length) return false;
      retrySegment = ++s;
      n = retryName;
    } else if (segment !== undefined && n < names.length && matchesSegment(segment, names[n] ?? "", glob.foldCase)) {
      s++;
      n++;
    } else if (retrySegment >= 0 && retryName < names.length) {
      n = ++retryName;
      s = retrySegment;
    } else return false;
  }
  return true;
}

function matchesSegment(tokens: readonly Token[], name: string, foldCase: boolean): boolean {
  const last = tokens.at(-1);
  if (last !== undefined && last !== "star" && name !== "") {
    // Most names fail at their end: `*.py[co]`.
    if (!matchesToken(last, name.charCodeAt(name.length - 1), foldCase)) return false;
  }
  let t = 0;
  let c = 0;
  let retryToken = -1;
  let retryChar = 0;
  while (c < name.length || t < tokens.length) {
    const token = tokens[t];
    if (token === "star") {
      retryToken = ++t;
      retryChar = c;
    } else if (token !== undefined && c < name.length && matchesToken(token, name.charCodeAt(c), foldCase)) {
      t++;
      c++;
    } else if (retryToken >= 0 && retryChar < name.length) {
      c = ++retryChar;
      t = retryToken;
    } else return false;
  }
  return true;
}

function matchesToken(token: Exclude<Token, "star">, code: number, foldCase: boolean): boolean {
  if (token === "any") return true;
  return "literal" in token ? token.literal === fold(code, foldCase) : token.members[code] === 1;
}

/** git's ASCII-only classes (sane-ctype.h): `space` has no vertical tab or form feed. */
const posixClasses: Record<string, RegExp> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: [:cntrl:] is made of them
  cntrl: /[\u0000-\u001f\u007f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

type Member = (byte: number) => boolean;

/** The bracket expression at `start`, scanned as wildmatch.c does; undefined when it is not closed or malformed. */
function parseClass(
  pattern: string,
  start: number,
  foldCase: boolean,
): { members: Uint8Array; end: number } | undefined {
  const negated = pattern[start + 1] === "!" || pattern[start + 1] === "^";
  const members: Member[] = [];
  let at = start + (negated ? 2 : 1);
  let rangeFrom: number | undefined;
  do {
    let char = pattern[at];
    if (char === undefined) return undefined;
    const next = pattern[at + 1];
    if (char === "-" && rangeFrom !== undefined && next !== undefined && next !== "]") {
      char = pattern[++at];
      if (char === "\\") char = pattern[++at];
      if (char === undefined) return undefined;
      members.push(inRange(rangeFrom, char.charCodeAt(0), foldCase));
      rangeFrom = undefined;
    } else if (char === "[" && next === ":") {
      const close = pattern.indexOf("]", at + 2);
      if (close === -1) return undefined;
      if (close - 1 > at + 1 && pattern[close - 1] === ":") {
        const named = posixClass(pattern.slice(at + 2, close - 1), foldCase);
        if (named === undefined) return undefined;
        members.push(named);
        rangeFrom = undefined;
        at = close;
      } else {
        members.push((byte) => byte === 0x5b);
        rangeFrom = 0x5b;
      }
    } else {
      if (char === "\\") char = pattern[++at];
      if (char === undefined) return undefined;
      const code = char.charCodeAt(0);
      members.push((byte) => byte === code);
      rangeFrom = code;
    }
    at++;
  } while (pattern[at] !== "]");
  const table = new Uint8Array(256);
  for (let byte = 0; byte < 256; byte++) {
    const folded = fold(byte, foldCase);
    table[byte] = byte !== slash && members.some((member) => member(folded)) !== negated ? 1 : 0;
  }
  return { members: table, end: at + 1 };
}

function inRange(from: number, to: number, foldCase: boolean): Member {
  return (byte) => {
    if (byte >= from && byte <= to) return true;
    const upper = byte - 32;
    return foldCase && byte >= 0x61 && byte <= 0x7a && upper >= from && upper <= to;
  };
}

function posixClass(name: string, foldCase: boolean): Member | undefined {
  const test = Object.hasOwn(posixClasses, name) ? posixClasses[name] : undefined;
  if (test === undefined) return undefined;
  return (byte) => {
    const char = String.fromCharCode(byte);
    // With case folding the text is lower case by now, and git lets [:upper:] match it all the same.
    return byte < 128 && (test.test(char) || (foldCase && name === "upper" && test.test(char.toUpperCase())));
  };
}
