import type { FileToolInput } from "../../../events/tools.ts";
import type { GrepMatch } from "../../../device/files/grep/grep-types.ts";
import { InMemoryProjectFiles } from "../../../device/files/backends/in-memory-project-files.ts";
import type { ToolCall } from "../../../device/access/tools/tool-call.ts";

export interface GrepFilesResult {
  readonly matches: readonly GrepMatch[];
  readonly filesMatched: number;
  readonly tokens: number;
  readonly notes: readonly string[];
}

/** Files whose text is redacted as a whole before its matching lines are shown; above this, line by line. */
const maxRedactedFiles = 200;

export async function grepFiles(call: ToolCall, input: FileToolInput<"grep_files">): Promise<GrepFilesResult> {
  const { kit, profile, gate } = call;
  const stream = kit.files.grep(input.pattern, {
    syntax: input.regex ? "regex" : "literal",
    ignoreCase: input.ignoreCase,
    contextLines: input.contextLines ?? profile.contextLines,
    maxMatches: input.maxMatches,
    ...(input.paths && { paths: await Promise.all(input.paths.map((path) => call.canonical(path))) }),
    ...(input.globs && { globs: input.globs }),
  });
  const shown = new RedactedLines(call);
  const matches: GrepMatch[] = [];
  // Counted without looking at the pattern: whether it matches in such a file must not be told.
  const hidden = kit.registry.list().filter(({ path }) => !gate.mayShow(path)).length;
  const files = new Set<string>();
  let chars = 0;
  let isCut = false;
  for await (const match of stream) {
    if (!gate.mayShow(match.path)) continue;
    const text = await shown.line(match);
    // Whether a pattern matches within a credential must not be told: asked often enough, it would spell it out.
    if (match.kind === "match" && text !== match.text && !(await stillMatches(text, input))) continue;
    chars += text.length + match.path.length;
    if (chars > profile.maxResultChars) {
      isCut = true;
      break;
    }
    files.add(match.path);
    matches.push({ ...match, text });
  }
  const { summary } = stream;
  return {
    matches,
    filesMatched: files.size,
    tokens: await call.charge(matches.map(({ path, text }) => `${path}: ${text}`).join("\n")),
    notes: [
      ...(isCut ? [`Cut at ${profile.maxResultChars} characters; name paths or globs to see the rest.`] : []),
      ...(summary.capped ? [`Only the first ${input.maxMatches} matches.`] : []),
      ...(hidden > 0
        ? [`${hidden} files of the project are not searched: the policy asks for or denies reading them.`]
        : []),
      ...(summary.binaryFiles > 0 ? [`${summary.binaryFiles} binary files were not searched.`] : []),
      ...(summary.tooLargeFiles > 0 ? [`${summary.tooLargeFiles} files were too large to search.`] : []),
    ],
  };
}

async function stillMatches(
  line: string,
  { pattern, regex, ignoreCase }: FileToolInput<"grep_files">,
): Promise<boolean> {
  const files = new InMemoryProjectFiles({ line });
  for await (const _ of files.grep(pattern, { syntax: regex ? "regex" : "literal", ignoreCase })) return true;
  return false;
}

/** Lines without credentials. A private key is one only as a whole, so the file is looked at, not just the line. */
class RedactedLines {
  readonly #call: ToolCall;
  readonly #files = new Map<string, readonly string[] | undefined>();

  constructor(call: ToolCall) {
    this.#call = call;
  }

  async line({ path, line, text, cut }: GrepMatch): Promise<string> {
    if (!this.#files.has(path) && this.#files.size < maxRedactedFiles) this.#files.set(path, await this.#read(path));
    const whole = this.#files.get(path)?.[line - 1]?.replace(/[\r\n]+$/, "");
    if (whole === undefined || !/\u27e6redacted:/.test(whole)) return this.#call.redacted(text);
    // The cut may have gone through a credential, which would then not be recognised.
    return cut ? whole.slice(0, text.length) : whole;
  }

  async #read(path: string): Promise<readonly string[] | undefined> {
    const found = await this.#call.find(path);
    if (found === null) return undefined;
    const file = this.#call.shown(path, found);
    return file.redactions === 0 ? undefined : file.shownLines;
  }
}
