import { RE2JS } from "re2js";
import type { FileToolInput } from "../../../../events/agent-tools/file-tools.ts";
import { isProjectFilesError } from "../../../files/errors.ts";
import type { GrepMatch } from "../../../files/grep/grep-types.ts";
import { AccessError } from "../../errors.ts";
import type { ToolCall } from "../tool-call.ts";

const mark = /\u27e6redacted:[^\u27e6\u27e7]*\u27e7/g;
/** Finding where a regex matches takes time by the length of the line times the size of the pattern. */
const maxLocatedChars = 10_000;
const maxLineChars = 2_000;
/** Of files that are looked at as a whole, in one call. */
export const maxWholeBytes = 64 * 1024 * 1024;

type Search = Pick<FileToolInput<"grep_files">, "pattern" | "regex" | "ignoreCase">;

/**
 * Lines that a search found, as they may be shown. What is a credential is told by the whole file (a private key by its
 * first line), so each file is looked at as a whole; one that cannot be is left out.
 */
export class RedactedSearch {
  readonly #call: ToolCall;
  readonly #query: Search;
  readonly #contextLines: number;
  #bytes = 0;

  constructor(call: ToolCall, query: Search, contextLines: number) {
    this.#call = call;
    this.#query = query;
    this.#contextLines = contextLines;
  }

  /**
   * Whether a pattern matches within a credential must not be told: asked often enough, it would spell it out. So in a file
   * with credentials only what stands beside them is searched, and lines around a match are those around such a one.
   *
   * @param found lines of one file, as they were found
   * @returns the lines, and the hash of the file they are in; undefined when it cannot be looked at as a whole
   */
  async lines(
    path: string,
    found: readonly GrepMatch[],
  ): Promise<{ readonly hash: string; readonly lines: readonly GrepMatch[] } | undefined> {
    const file = await this.#whole(path);
    if (file === undefined) return undefined;
    const { hash } = file.found;
    // As the search counts them: to it a lone CR is a character.
    const lines = file.shownLines.join("").split(/\r?\n/);
    if (lines.at(-1) === "") lines.pop();
    if (file.redactions === 0) {
      const read = asRead(found, lines);
      return read && { hash, lines: read };
    }
    const matched = new Set(
      found
        .filter(({ kind, line }) => kind === "match" && matchesBeside(lines[line - 1] ?? "", this.#query))
        .map(({ line }) => line),
    );
    const shown = withContext(matched, this.#contextLines, lines.length).map((line): GrepMatch => {
      const whole = lines[line - 1] ?? "";
      const text = whole.slice(0, maxLineChars).toWellFormed();
      return { path, line, kind: matched.has(line) ? "match" : "context", text, cut: text.length < whole.length };
    });
    return { hash, lines: shown };
  }

  /** Whether what may be looked at in one call is used up, so that matches may be missing. */
  get isSpent(): boolean {
    return this.#bytes > maxWholeBytes;
  }

  async #whole(path: string) {
    if (this.isSpent) return undefined;
    try {
      const found = await this.#call.find(path);
      this.#bytes += found?.bytes.length ?? 0;
      return found === null ? undefined : this.#call.shown(path, found);
    } catch (error) {
      if (!(error instanceof AccessError) && !isProjectFilesError(error)) throw error;
      // Gone, too large, not text, not readable: whatever it is, it was not looked at as a whole.
      return undefined;
    }
  }
}

/** The lines found, if they are what the file says now: otherwise nobody has looked for credentials in them. */
function asRead(found: readonly GrepMatch[], lines: readonly string[]): readonly GrepMatch[] | undefined {
  const shown: GrepMatch[] = [];
  for (const match of found) {
    const whole = lines[match.line - 1];
    if (whole === undefined || (match.cut && !whole.includes(match.text))) return undefined;
    shown.push(match.cut ? match : { ...match, text: whole });
  }
  return shown;
}

function withContext(matched: ReadonlySet<number>, contextLines: number, total: number): number[] {
  const shown = new Set<number>();
  for (const line of matched) {
    for (let at = Math.max(1, line - contextLines); at <= Math.min(total, line + contextLines); at++) shown.add(at);
  }
  return [...shown].sort((a, b) => a - b);
}

/**
 * Whether a line matches where no credential is. A match that touches no mark is one in the true line as well, so that the
 * answer is the same whatever the credential is. An assertion looks one character further.
 */
function matchesBeside(text: string, { pattern, regex, ignoreCase }: Search): boolean {
  const marks = [...text.matchAll(mark)].map((found) => [found.index, found.index + found[0].length] as const);
  if (marks.length > 0 && text.length > maxLocatedChars) return false;
  const margin = regex && /[$]|\\[bBAz]/.test(pattern) ? 1 : 0;
  const isBeside = (start: number, end: number) =>
    marks.every(([from, to]) => end + margin <= from || start - margin >= to);
  const source = regex ? pattern : RE2JS.quote(pattern);
  const matcher = RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0).matcher(text);
  while (matcher.find()) if (isBeside(matcher.start(), matcher.end())) return true;
  return false;
}
