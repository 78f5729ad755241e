import { endOfClass, endOfGroup } from "./required-literal.ts";

/** The longest run that is looked for: each place of a text is compared with so many characters at most. */
const maxCharacters = 16;
const printable = 95;
const classes: Readonly<Record<string, string>> = { d: "0-9", w: "0-9A-Za-z_", s: "\\t\\n\\f\\r " };

/**
 * A run of single ASCII characters and classes of them that every match of an RE2 pattern must contain, or undefined when
 * none is certain: of `[A-Z][a-z]+\d` it is `[A-Z][a-z]`. It is a JavaScript pattern because that engine is compiled, and
 * has neither repetitions nor alternatives, so there is nothing to backtrack into. Made for text decoded as Latin-1, where
 * an ASCII byte is itself whatever the file's encoding is.
 */
export function requiredShape(pattern: string): RegExp | undefined {
  const runs = runsOf(pattern);
  let best: readonly string[] = [];
  for (const run of runs ?? []) if (rarity(run) > rarity(best)) best = run;
  return best.length === 0 ? undefined : new RegExp(best.map((members) => `[${members}]`).join(""));
}

/** Runs of classes at the pattern's top level; undefined when something in it is not understood. */
function runsOf(pattern: string): string[][] | undefined {
  const runs: string[][] = [];
  let run: string[] = [];
  const endRun = () => {
    runs.push(run.slice(0, maxCharacters));
    run = [];
  };
  let at = 0;
  while (at < pattern.length) {
    const item = itemAt(pattern, at);
    if (item === undefined) return undefined;
    const repeat = /^(?:[*+?]|\{(\d+)(,\d*)?\})/.exec(pattern.slice(item.end));
    const least = repeat === null ? 1 : leastOf(repeat);
    // What follows a repetition follows its last turn, which is another place than after its first.
    const isExact = repeat === null || (repeat[1] !== undefined && repeat[2] === undefined);
    if (item.members === undefined) endRun();
    else {
      for (let turn = 0; turn < Math.min(least, maxCharacters); turn++) run.push(item.members);
      if (!isExact || least === 0 || least > maxCharacters) endRun();
    }
    at = item.end + (repeat?.[0].length ?? 0);
    if (repeat === null) continue;
    if (pattern[at] === "?") at++;
    // A repetition of a repetition; engines differ about what that is.
    if (/[*+?{]/.test(pattern[at] ?? "")) return undefined;
  }
  endRun();
  return runs;
}

function leastOf(repeat: RegExpExecArray): number {
  if (repeat[1] !== undefined) return Number(repeat[1]);
  return repeat[0] === "+" ? 1 : 0;
}

interface Item {
  /** Index behind it. */
  readonly end: number;
  /** Inside of a JavaScript class; absent for what ends a run: groups, anchors, what is not only ASCII. */
  readonly members?: string;
}

function itemAt(pattern: string, at: number): Item | undefined {
  const char = pattern[at] ?? "";
  if (char === "\\") {
    const escaped = pattern[at + 1] ?? "";
    const end = at + 2;
    if (/[DWSbBAz]/.test(escaped)) return { end };
    const members = membersOfEscape(escaped);
    return members === undefined ? undefined : { end, members };
  }
  if (char === "[") {
    const close = endOfClass(pattern, at);
    if (close === undefined) return undefined;
    const members = membersOfClass(pattern.slice(at + 1, close));
    return members === undefined ? { end: close + 1 } : { end: close + 1, members };
  }
  if (char === "(") {
    const close = endOfGroup(pattern, at);
    return close === undefined ? undefined : { end: close + 1 };
  }
  if (/[|*+?{]/.test(char)) return undefined;
  if (/[ -~]/.test(char) && !/[.^$)]/.test(char)) return { end: at + 1, members: quoted(char) };
  return { end: at + 1 };
}

function membersOfEscape(escaped: string): string | undefined {
  return classes[escaped] ?? (/[!-/:-@[-`{-~]/.test(escaped) ? quoted(escaped) : undefined);
}

/** Only what means the same everywhere: letters, digits, ranges of them, and escapes. */
function membersOfClass(inside: string): string | undefined {
  let members = "";
  for (let rest = inside; rest !== ""; ) {
    const part = /^(?:\\(?<escaped>.)|[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9]|[A-Za-z0-9_ ](?!-))/.exec(rest);
    if (part === null) return undefined;
    const escaped = part.groups?.escaped;
    const given = escaped === undefined ? part[0] : membersOfEscape(escaped);
    rest = rest.slice(part[0].length);
    // `\.-z` would be a range from an escaped character.
    if (given === undefined || (escaped !== undefined && rest.startsWith("-"))) return undefined;
    members += given;
  }
  return members === "" ? undefined : members;
}

function quoted(char: string): string {
  return /[A-Za-z0-9 ]/.test(char) ? char : `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

/** How seldom a run would be met by chance, roughly, in bits. */
function rarity(run: readonly string[]): number {
  return run.reduce((bits, members) => bits + Math.log2(printable / sizeOf(members)), 0);
}

function sizeOf(members: string): number {
  const matcher = new RegExp(`[${members}]`);
  let size = 0;
  for (let code = 0; code < 128; code++) if (matcher.test(String.fromCharCode(code))) size++;
  return Math.max(1, size);
}
