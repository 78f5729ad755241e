import { compileGlob, type Glob, matchesGlob, toByteString } from "../paths/wildmatch.ts";

/**
 * One ignore file, compiled. Semantics are git's (gitignore(5), dir.c): the last matching line decides; `!` re-includes;
 * a `/` at the start or inside anchors to the file's directory; a trailing `/` means directories only.
 *
 * Most lines of real files are plain names or `*.ext`; those are looked up, only the rest is matched one by one.
 */
interface Rule {
  index: number;
  negated: boolean;
  directoriesOnly: boolean;
}
interface GlobRule extends Rule {
  anchored: boolean;
  /** Text the path must start with; what follows is matched by `glob` (git cuts patterns the same way). */
  prefix: string;
  /** Text it must end with; most names are told by it, which costs a tenth of matching. */
  tail: string;
  glob: Glob | undefined;
}
interface SuffixRule extends Rule {
  suffix: string;
}

const none: readonly GlobRule[] = [];

/** The rules of one ignore file, ready to be asked. @see https://git-scm.com/docs/gitignore */
export class IgnoreRules {
  readonly #foldCase: boolean;
  readonly #names = new Map<string, Rule[]>();
  readonly #paths = new Map<string, Rule[]>();
  readonly #extensions = new Map<string, SuffixRule[]>();
  readonly #suffixes: SuffixRule[] = [];
  /** By the extension they must end with; the last line first, as in all of these. */
  readonly #globs = new Map<string, GlobRule[]>();
  readonly #globsOfAnyEnding: GlobRule[] = [];
  readonly size: number;

  constructor(lines: readonly string[], foldCase: boolean) {
    this.#foldCase = foldCase;
    let index = 0;
    for (const line of lines) this.#add(line, index++);
    this.size = index;
    for (const globs of this.#globs.values()) globs.reverse();
    this.#globsOfAnyEnding.reverse();
    this.#suffixes.reverse();
  }

  /** Reads an ignore file of git's, which knows UTF-8 alone. */
  static parse(bytes: Uint8Array, foldCase: boolean): IgnoreRules {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
    return IgnoreRules.ofText(text, foldCase);
  }

  /** The text of an ignore file: optional BOM, LF or CRLF, trailing spaces dropped unless escaped. */
  static ofText(text: string, foldCase: boolean): IgnoreRules {
    const lines = text.replace(/^\ufeff/, "").split("\n");
    return new IgnoreRules(
      lines.map((line) => line.replace(/\r$/, "")),
      foldCase,
    );
  }

  /**
   * What this file says about one path: true ignored, false re-included, undefined nothing.
   * @param path relative to the ignore file's directory, without trailing slash; its parents are the caller's affair
   * @param name its last segment
   */
  verdict(path: string, name: string, isDirectory: boolean): boolean | undefined {
    const ownName = this.#foldCase ? asciiLower(name) : name;
    let best = lastOf(this.#names.get(ownName), isDirectory, undefined);
    if (this.#paths.size > 0) {
      best = lastOf(this.#paths.get(this.#foldCase ? asciiLower(path) : path), isDirectory, best);
    }
    if (this.#extensions.size > 0) {
      const dot = ownName.lastIndexOf(".");
      if (dot !== -1) best = lastSuffix(this.#extensions.get(ownName.slice(dot)), ownName, isDirectory, best);
    }
    if (this.#suffixes.length > 0) best = lastSuffix(this.#suffixes, ownName, isDirectory, best);
    if (this.#globs.size > 0 || this.#globsOfAnyEnding.length > 0) best = this.#lastGlob(path, name, isDirectory, best);
    return best === undefined ? undefined : !best.negated;
  }

  #lastGlob(path: string, name: string, isDirectory: boolean, best: Rule | undefined): Rule | undefined {
    const nameBytes = toByteString(name);
    const ending = this.#foldCase ? asciiLower(nameBytes) : nameBytes;
    let pathBytes: string | undefined;
    // Two lists, each with the last line first, as one.
    const alike = this.#globs.get(extensionOf(ending)) ?? none;
    const rest = this.#globsOfAnyEnding;
    for (let inAlike = 0, inRest = 0; ; ) {
      const [first, second] = [alike[inAlike], rest[inRest]];
      const isFirst = first !== undefined && (second === undefined || first.index > second.index);
      const rule = isFirst ? first : second;
      if (rule === undefined || (best !== undefined && rule.index < best.index)) return best;
      if (isFirst) inAlike++;
      else inRest++;
      if ((!isDirectory && rule.directoriesOnly) || !ending.endsWith(rule.tail)) continue;
      if (rule.anchored) pathBytes ??= toByteString(path);
      if (matchesRule(rule, rule.anchored ? (pathBytes ?? path) : nameBytes, this.#foldCase)) return rule;
    }
  }

  #add(line: string, index: number): void {
    if (line.startsWith("#")) return;
    let pattern = withoutTrailingSpaces(line);
    const negated = pattern.startsWith("!");
    if (negated) pattern = pattern.slice(1);
    const directoriesOnly = pattern.endsWith("/");
    if (directoriesOnly) pattern = pattern.slice(0, -1);
    if (pattern === "") return;
    const anchored = pattern.includes("/");
    if (pattern.startsWith("/")) pattern = pattern.slice(1);
    const rule: Rule = { index, negated, directoriesOnly };
    const plain = this.#foldCase ? asciiLower(pattern) : pattern;
    if (!/[*?[\\]/.test(pattern)) addTo(anchored ? this.#paths : this.#names, plain, rule);
    else if (!anchored && /^\*[^*?[\\]+$/.test(pattern)) this.#addSuffix({ ...rule, suffix: plain.slice(1) });
    else {
      const bytes = toByteString(pattern);
      const prefix = anchored ? (/^[^*?[\\]*/.exec(bytes)?.[0] ?? "") : "";
      const tail = /(?<![^*?[\]\\/])[^*?[\]\\/]*$/.exec(bytes)?.[0] ?? "";
      const glob: GlobRule = {
        ...rule,
        anchored,
        tail: this.#foldCase ? asciiLower(tail) : tail,
        prefix: this.#foldCase ? asciiLower(prefix) : prefix,
        glob: compileGlob(bytes.slice(prefix.length), this.#foldCase),
      };
      const extension = extensionOf(glob.tail);
      if (extension === "") this.#globsOfAnyEnding.push(glob);
      else {
        const alike = this.#globs.get(extension);
        if (alike === undefined) this.#globs.set(extension, [glob]);
        else alike.push(glob);
      }
    }
  }

  #addSuffix(rule: SuffixRule): void {
    const extension = rule.suffix.slice(rule.suffix.lastIndexOf("."));
    if (extension.startsWith(".")) addTo(this.#extensions, extension, rule);
    else this.#suffixes.push(rule);
  }
}

/** With its dot; what ends with a text that has one has the same. */
function extensionOf(text: string): string {
  const dot = text.lastIndexOf(".");
  return dot === -1 ? "" : text.slice(dot);
}

function addTo<R extends Rule>(index: Map<string, R[]>, key: string, rule: R): void {
  const rules = index.get(key);
  if (rules === undefined) index.set(key, [rule]);
  else rules.unshift(rule);
}

function lastOf(rules: readonly Rule[] | undefined, isDirectory: boolean, best: Rule | undefined): Rule | undefined {
  const found = rules?.find((rule) => isDirectory || !rule.directoriesOnly);
  return found === undefined || (best !== undefined && best.index > found.index) ? best : found;
}

function lastSuffix(
  rules: readonly SuffixRule[] | undefined,
  name: string,
  isDirectory: boolean,
  best: Rule | undefined,
): Rule | undefined {
  const found = rules?.find((rule) => (isDirectory || !rule.directoriesOnly) && name.endsWith(rule.suffix));
  return found === undefined || (best !== undefined && best.index > found.index) ? best : found;
}

function matchesRule(rule: GlobRule, bytes: string, foldCase: boolean): boolean {
  if (rule.glob === undefined) return false;
  if (rule.prefix === "") return matchesGlob(rule.glob, bytes);
  const start = bytes.slice(0, rule.prefix.length);
  return (foldCase ? asciiLower(start) : start) === rule.prefix && matchesGlob(rule.glob, bytes.slice(start.length));
}

function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** git's trim_trailing_spaces: a backslash protects the character behind it. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  for (let at = 0, from = -1; at < line.length; at++) {
    if (line[at] === " ") {
      if (from === -1) from = at;
      end = from;
    } else {
      from = -1;
      end = line.length;
      if (line[at] === "\\") at++;
    }
  }
  return line.slice(0, end);
}
