import type { FileToolInput } from "../../../../events/agent-tools/file-tools.ts";
import type { GrepMatch, GrepStream } from "../../../files/grep/grep-types.ts";
import { nameOf } from "../../../files/paths/project-path.ts";
import { kindOfName } from "../../../folders/scanner/kinds.ts";
import type { ToolCall } from "../tool-call.ts";
import { filesAre, unseenNotes } from "./files-are.ts";
import { maxWholeBytes, RedactedSearch } from "./redacted-search.ts";

export interface GrepFilesResult {
  readonly matches: readonly GrepMatch[];
  readonly filesMatched: number;
  readonly tokens: number;
  readonly notes: readonly string[];
}

const ofProject = " of the project";
/**
 * What is found is more than what is shown: lines that match within a credential only must not use up what was asked for. Of each file
 * it is one more than can be asked for, so that it is seen, and said, when there are more.
 */
const maxFound = { maxMatches: 100_000, maxMatchesPerFile: 2_001 } as const;

/**
 * Lines that match a pattern (RE2 syntax, or literal text), with lines around them. Only files that may be shown are
 * opened. A credential is never matched, so nobody can guess one by searching. What is cut, or left out, stands in
 * `notes`.
 *
 * @throws ProjectFilesError `PatternRefused`, `OutsideRoot`, `InvalidPath`
 * @throws AccessError `budget_exceeded`
 */
export async function grepFiles(call: ToolCall, input: FileToolInput<"grep_files">): Promise<GrepFilesResult> {
  const { kit, profile, gate } = call;
  const contextLines = input.contextLines ?? profile.contextLines;
  const stream = kit.files.grep(input.pattern, {
    syntax: input.regex ? "regex" : "literal",
    ignoreCase: input.ignoreCase,
    contextLines,
    ...maxFound,
    // A larger one cannot be looked at as a whole for credentials.
    maxFileBytes: kit.maxTextBytes,
    // Before it is opened: counts of the search would tell of what it found there.
    mayOpen: async (path) => !gate.isIgnored(path) && (await gate.mayShow(path)),
    ...(input.paths && { paths: await Promise.all(input.paths.map((path) => call.canonical(path))) }),
    ...(input.globs && { globs: input.globs }),
    ...(gate.signal && { signal: gate.signal }),
  });
  call.asksForContent = false;
  const search = new RedactedSearch(call, input, contextLines);
  const answer = new Answer(call, input.maxMatches);
  for await (const [path, found] of byFile(stream)) {
    const whole = await search.lines(path, found);
    // Not counted: that it matches in such a file must not be told.
    if (whole !== undefined && !answer.add(path, whole)) break;
  }
  // Counted without looking at the pattern (a search opens only files that may hold it): whether it matches in such a file
  // must not be told.
  const known = kit.registry.list();
  const shown = await gate.shownAmong(known.map(({ path }) => path));
  const visible = known.filter(({ path }) => shown.has(path));
  const hidden = known.length - visible.length;
  const ignored = visible.filter(({ path }) => gate.isIgnored(path)).length;
  const documents = visible.filter(({ path }) => isDocument(path)).length;
  const tooLarge = visible.filter(({ sizeBytes }) => sizeBytes > kit.maxTextBytes).length;
  const { unreadableFiles: unreadable, unreadableFolders, unaddressableNames } = stream.summary;
  const { matches } = answer;
  const tokens = await call.charge(matches.map(({ path, text }) => `${path}: ${text}`).join("\n"));
  answer.noteShown();
  return {
    matches,
    filesMatched: new Set(matches.map(({ path }) => path)).size,
    tokens,
    notes: [
      ...answer.notes(),
      ...(search.isSpent
        ? [
            `Only the first ${maxWholeBytes} bytes of files that match were looked at; name paths or globs to see the rest.`,
          ]
        : []),
      ...(hidden > 0
        ? [`${filesAre(hidden, ofProject)} not searched: the policy asks before reading, or denies it.`]
        : []),
      ...(ignored > 0
        ? [
            `${filesAre(ignored, ofProject)} not searched: the configuration ignores such files. They can be read by name.`,
          ]
        : []),
      ...(documents > 0
        ? [`${filesAre(documents, ofProject)} not searched: PDF and Word documents. read_file gives their text.`]
        : []),
      ...(unreadable > 0
        ? [
            `${filesAre(unreadable, ofProject)} not searched: their permissions, or those of their folders, do not let Scouts read.`,
          ]
        : []),
      ...(tooLarge > 0
        ? [
            `${filesAre(tooLarge, ofProject)} not searched: more than ${kit.maxTextBytes} bytes. Read lines of it with read_lines.`,
          ]
        : []),
      ...unseenNotes(unreadableFolders, unaddressableNames),
    ],
  };
}

/** Whether a file has text that is in no line of it. */
function isDocument(path: string): boolean {
  const kind = kindOfName(nameOf(path));
  return kind === "pdf" || kind === "docx";
}

/** What was found, file by file. */
async function* byFile(stream: GrepStream): AsyncGenerator<readonly [string, readonly GrepMatch[]]> {
  let found: GrepMatch[] = [];
  for await (const match of stream) {
    const [first] = found;
    if (first !== undefined && first.path !== match.path) {
      yield [first.path, found];
      found = [];
    }
    found.push(match);
  }
  const [first] = found;
  if (first !== undefined) yield [first.path, found];
}

/** Lines of an answer, within the matches asked for, the characters of a result and what the session is given of each file. */
class Answer {
  readonly matches: GrepMatch[] = [];
  readonly #call: ToolCall;
  readonly #maxMatches: number;
  readonly #spent = new Set<string>();
  /** Of the files with lines in it. */
  readonly #hashes = new Map<string, string>();
  #count = 0;
  #chars = 0;
  #isCapped = false;
  #isCut = false;

  constructor(call: ToolCall, maxMatches: number) {
    this.#call = call;
    this.#maxMatches = maxMatches;
  }

  /** False: it is full. */
  add(path: string, { hash, lines }: { readonly hash: string; readonly lines: readonly GrepMatch[] }): boolean {
    for (const match of lines) {
      if (match.kind === "match" && this.#count >= this.#maxMatches) this.#isCapped = true;
      const chars = match.text.length + path.length;
      if (this.#chars + chars > this.#call.profile.maxResultChars) this.#isCut = true;
      if (this.#isCapped || this.#isCut) return false;
      if (!this.#call.mayGive(path, [{ hash, line: match.line, text: match.text }])) {
        this.#spent.add(path);
        continue;
      }
      this.#chars += chars;
      if (match.kind === "match") this.#count++;
      this.matches.push(match);
      this.#hashes.set(path, hash);
    }
    return true;
  }

  /** For the audit trail, file by file: its lines, one below the other. */
  noteShown(): void {
    const texts = Map.groupBy(this.matches, ({ path }) => path);
    for (const [path, hash] of this.#hashes) {
      const lines = texts.get(path) ?? [];
      this.#call.noteShown(path, hash, lines.map(({ text }) => text).join("\n"));
    }
  }

  notes(): string[] {
    const { maxResultChars, linesWithoutApproval } = this.#call.profile;
    return [
      ...(this.#isCut ? [`Cut at ${maxResultChars} characters; name paths or globs to see the rest.`] : []),
      ...(this.#isCapped ? [`Only the first ${this.#maxMatches} matches.`] : []),
      ...(this.#spent.size > 0
        ? [
            `Lines of ${this.#spent.size === 1 ? "1 file" : `${this.#spent.size} files`} are left out: this session has been given the ${linesWithoutApproval} lines of each that a ${this.#call.session.backend} model is given. Reading them by name asks for more.`,
          ]
        : []),
    ];
  }
}
