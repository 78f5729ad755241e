import type { AddCredential } from "../credential.ts";
import { type NameStrength, strengthOf, wordsOfName } from "./credential-names.ts";
import { type Evidence, isDrawnWords, kindOfNamed } from "./judge.ts";
import { type Separator, separatorsAt } from "./separators.ts";
import { beginsLine, hasAccountBeside, shapeAt } from "./surroundings.ts";
import { bareAt, blockAt, lineValueAt, listAt, quotedAt, type Value, wordsAt, wrappedAt } from "./values.ts";

const maxNameChars = 80;
const maxWorkPerChar = 16;
const minWorkChars = 4_000;

interface Name {
  readonly start: number;
  readonly end: number;
  readonly strength: NameStrength;
  /** Two words at least, or the parameter of an address. */
  readonly isOwned: boolean;
}

const isLatin = (code: number) =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  (code >= 0xc0 && code < 0x530);
const isNameUnit = (code: number) => isLatin(code) || code === 95 || code === 45 || code === 36;
const isLower = (code: number) => (code >= 97 && code <= 122) || (code >= 0xdf && code <= 0xff);
const isUpper = (code: number) => code >= 65 && code <= 90;

/** Finds the values of names that say "credential". */
export class NamedValues {
  readonly #text: string;
  readonly #add: AddCredential;
  #lastNameEnd = -1;
  #blockEnd = 0;
  /** The last value that was looked at, and how much was looked at inside it. */
  #value = { start: 0, end: 0, work: 0 };

  constructor(text: string, add: AddCredential) {
    this.#text = text;
    this.#add = add;
  }

  /** A word that names a credential ends here, perhaps as a part of another word. */
  onWord(start: number, end: number): void {
    if (end <= this.#lastNameEnd || !isWordEnd(this.#text, end) || this.#isSpent(start)) return;
    const name = this.#nameAround(start, end);
    this.#lastNameEnd = Math.max(end, name?.end ?? 0);
    if (name === undefined) return;
    for (const separator of separatorsAt(this.#text, name.start, name.end)) {
      if (this.#values(name, separator)) return;
    }
  }

  /** Names stand in values (`token="password=x"`), and values in those: looked into a bounded number of times. */
  #isSpent(place: number): boolean {
    const { start, end, work } = this.#value;
    return place < end && work > maxWorkPerChar * (end - start) + minWorkChars;
  }

  #spend(start: number, end: number): void {
    if (start >= this.#value.end) this.#value = { start, end, work: 0 };
    else this.#value.work += end - start;
  }

  #nameAround(start: number, end: number): Name | undefined {
    const text = this.#text;
    let [from, to] = [start, end];
    while (start - from < maxNameChars && isNameUnit(text.charCodeAt(from - 1))) from--;
    while (to - end < maxNameChars && isNameUnit(text.charCodeAt(to))) to++;
    // A longer run is no name but a value itself.
    if (start - from >= maxNameChars || to - end >= maxNameChars) return undefined;
    while (to > end && text.charCodeAt(to - 1) === 45) to--;
    const words = wordsOfName(text.slice(from, to));
    const strength = strengthOf(words) ?? undefined;
    const isKeyLike = /^(?:keys?|codes?|phrase|words|passe|pin|secret)$/.test(words.at(-1) ?? "");
    if (isKeyLike && words.length === 1 && text.charCodeAt(from - 1) === 32) {
      // `Secret access key:`, `api key`, `recovery codes`: the words before it belong to it.
      const lead =
        /(?:^|[^\p{L}\d_])((?:[\p{L}\d_-]{1,20} ){1,3})$/u.exec(text.slice(Math.max(0, from - 66), from))?.[1] ?? "";
      const whole = strengthOf([...wordsOfName(lead), ...words]);
      return whole === undefined
        ? undefined
        : { start: from - lead.length, end: to, strength: whole, isOwned: lead !== "" };
    }
    const isOwned = words.length > 1 || /[?&]/.test(text.charAt(from - 1));
    return strength === undefined ? undefined : { start: from, end: to, strength, isOwned };
  }

  /** @returns whether something was found, or what follows is settled */
  #values(name: Name, separator: Separator): boolean {
    const { kind, end } = separator;
    if (kind === "space" && !this.#isArgument(name)) return false;
    if (kind === "call" && name.strength === "maybe") return true;
    if (kind === "comma" && !separator.isQuoted) return true;
    if (kind === "is" && name.strength === "maybe") return true;
    if (this.#text.charCodeAt(end) === 0x27e6) return true;
    const quoted = quotedAt(this.#text, end);
    if (quoted !== undefined) return this.#judge(name, separator, quoted) || this.#judgeParts(name, separator, quoted);
    if (kind === "comma" || kind === "call") return true;
    if (name.strength === "code" && this.#drawnWords(end)) return true;
    if (kind === "assign") {
      const items = [...listAt(this.#text, end), ...this.#block(name, end)];
      let isFound = false;
      for (const item of items) isFound = this.#judge(name, separator, item) || isFound;
      if (items.length > 0) return isFound;
    }
    if (kind === "tag") return this.#tagged(name, separator);
    const braced = /^\{(?=[A-Za-z0-9+/=]{16})/.test(this.#text.slice(end, end + 20)) ? end + 1 : end;
    const wrapped = wrappedAt(this.#text, end);
    if (wrapped !== undefined) return this.#judge(name, { ...separator, kind: "comma" }, wrapped);
    const bare = bareAt(this.#text, braced);
    if (kind === "assign" && bare !== undefined) {
      const line = lineValueAt(this.#text, end);
      if (line !== undefined && line.end > bare.end && this.#isSetting(name, line)) {
        if (this.#judge(name, separator, line)) return true;
      }
    }
    return bare !== undefined && this.#judge(name, separator, bare);
  }

  /** `--password x`, `login me password x`, `storePassword "x"`: what else stands behind a name is a sentence. */
  #isArgument({ start, end, strength }: Name): boolean {
    const text = this.#text;
    if (text.startsWith("--", start) || /[\s"'][-/]$/.test(text.slice(Math.max(0, start - 2), start))) return true;
    if (strength === "maybe" || strength === "code" || strength === "pin") return false;
    const before = text.slice(Math.max(0, start - 200), start);
    if (/(?:^|\n)\s{0,8}(?:machine|default)\s[\s\S]{0,160}$/.test(before)) return true;
    if (beginsLine(text, start) && /(?:^|\n)[ \t]*(?:ENV|ARG|set|env|setx)[ \t]+\S{0,40}$/.test(before)) return true;
    if (beginsLine(text, start) && /^[ \t]+["'][^"'\n]+["'][ \t]*(?:\n|$)/.test(text.slice(end, end + 200)))
      return true;
    return /(?:^|\n)[ \t]{0,8}$/.test(before) && /^[ \t]+\S{4,200}[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + 220));
  }

  /** A YAML block or the lines under a heading such as "Recovery codes:". */
  #block(name: Name, end: number): Value[] {
    if (name.strength === "maybe" || name.strength === "pin" || end < this.#blockEnd) return [];
    const follows = /^[ \t]*(?:[|>][-+]?\d?[ \t]*)?(?:#[^\n]{0,200})?\r?\n/.test(this.#text.slice(end, end + 240));
    if (!follows) return [];
    const isYaml = /^[ \t]*[|>]/.test(this.#text.slice(end, end + 40));
    const isList = name.strength === "code" || /^[ \t]*\r?\n[ \t]*-[ \t]/.test(this.#text.slice(end, end + 240));
    if (!isYaml && !isList) return [];
    const values = blockAt(this.#text, end, isYaml ? 1 : 24);
    this.#blockEnd = values.at(-1)?.end ?? end;
    return values.filter(({ start, end: to }) => !/^[\w-]+:\s/.test(this.#text.slice(start, to)));
  }

  #drawnWords(place: number): boolean {
    const words = wordsAt(this.#text, place);
    if (words === undefined) return false;
    this.#spend(words.start, words.end);
    if (!isDrawnWords(this.#text.slice(words.start, words.end))) return false;
    this.#add(words.start, words.end, "recovery-code");
    return true;
  }

  #tagged(name: Name, separator: Separator): boolean {
    const rest = this.#text.slice(separator.end, separator.end + 2_000);
    const close = rest.indexOf("<");
    if (close < 1) return true;
    const inner = rest
      .slice(0, close)
      .trimEnd()
      .replace(/^(?:<!\[CDATA\[)/, "");
    const braced = /^\{(?:AQAAAB[^{}]{1,20})?([A-Za-z0-9+/=_-]{16,})\}?$/.exec(inner);
    const value =
      inner === ""
        ? undefined
        : { start: separator.end, end: separator.end + inner.length, isQuoted: false, next: "<" };
    if (value === undefined) return true;
    if (braced !== null)
      return this.#judge(name, separator, {
        ...value,
        start: value.start + 1,
        end: value.end - (inner.endsWith("}") ? 1 : 0),
      });
    return this.#judge(name, separator, value) || this.#judgeParts(name, separator, value);
  }

  /** Whether a line is a setting whose value may have blanks and brackets in it. */
  #isSetting(name: Name, line: Value): boolean {
    if (name.strength !== "password" && name.strength !== "secret") return false;
    if (!beginsLine(this.#text, name.start)) return false;
    const value = this.#text.slice(line.start, line.end);
    if (/[;{}]$|^[[({<"'`$]|\w\(|[,;]$/.test(value)) return false;
    if (/\s/.test(value)) return shapeAt(this.#text, name.start) === "settings";
    return shapeAt(this.#text, name.start) !== "code";
  }

  /** `' x '`, `"{id x}"`: a token with blanks or marks around it. */
  #judgeParts(name: Name, separator: Separator, whole: Value): boolean {
    if (name.strength === "password" || name.strength === "pin") return false;
    const inner = this.#text.slice(whole.start, whole.end);
    if (!/[\s|{}]/.test(inner) || inner.length > 1_000) return false;
    let isFound = false;
    for (const part of inner.matchAll(/[^\s|{},;]{16,}/g)) {
      const start = whole.start + part.index;
      isFound = this.#judge(name, separator, { ...whole, start, end: start + part[0].length }) || isFound;
    }
    return isFound;
  }

  #judge(name: Name, separator: Separator, value: Value): boolean {
    const text = this.#text;
    const own = text.slice(value.start, value.end);
    this.#spend(value.start, value.end);
    // Cut off by who wrote it: `eyJhbGci...`.
    if (/^(?:\.{3}|…)/.test(text.slice(value.end, value.end + 3)) && own.length < 100) return false;
    const evidence: Evidence = {
      value: own,
      strength: name.strength,
      separator: separator.kind,
      isOwned: name.isOwned,
      isEnvironment: /^[A-Z][A-Z0-9_]*$/.test(text.slice(name.start, name.end)) && text.charAt(name.end) === "=",
      isQuoted: value.isQuoted,
      next: value.next,
      shape: () => shapeAt(text, name.start),
      hasAccount: () => hasAccountBeside(text, name.start, value.end),
    };
    const kind = kindOfNamed(evidence);
    if (kind === undefined) return false;
    this.#add(value.start, value.end, kind);
    return true;
  }
}

/** `keyboard`, `author`, `PATH`: the word goes on. A plural does not. */
function isWordEnd(text: string, end: number): boolean {
  const next = text.charCodeAt(end);
  if (isLower(next)) return next === 115 && !isLower(text.charCodeAt(end + 1));
  return !(isUpper(next) && isUpper(text.charCodeAt(end - 1)));
}
