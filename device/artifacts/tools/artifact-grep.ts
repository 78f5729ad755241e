import type { ArtifactToolInput } from "../../../events/agent-tools/artifact-tools.ts";
import { compileQuery, grepQuery } from "../../files/grep/grep-query.ts";
import type { GrepMatch } from "../../files/grep/grep-types.ts";
import { searchBytes } from "../../files/grep/line-search.ts";
import { pathFilter } from "../../files/paths/path-filter.ts";
import { nameOf } from "../../files/paths/project-path.ts";
import { ArtifactError, isArtifactError } from "../errors.ts";
import type { FileMetadata } from "../metadata.ts";
import type { ArtifactStore } from "../store/artifact-store.ts";
import { attempt } from "../store/verified-files.ts";
import type { ArtifactSession, ArtifactToolAnswer } from "./artifact-session.ts";
import { usable } from "./usable.ts";

/** A large artifact is searched window by window; context does not reach over their edges. */
const windowBytes = 16 * 1024 * 1024;
const maxTextChars = 40_000;
const maxLineChars = 500;
const newline = 0x0a;

/**
 * Lines of text artifacts that match a pattern (RE2 syntax, or literal text), with lines around them; a line begins
 * with the artifact's id and its number. Artifacts that are not text are left out. Up to 40,000 characters are given:
 * `isCut` says that there are more. An artifact that cannot be read is told in `notes`, and the search goes on.
 *
 * @throws ArtifactError `pattern_refused`, `cancelled`, `not_found` (an id that was named), `corrupt`,
 * `store_unavailable`
 */
export async function artifactGrep(
  session: ArtifactSession,
  input: ArtifactToolInput<"artifact_grep">,
): Promise<ArtifactToolAnswer> {
  const { artifacts, signal } = session;
  const { pattern, regex, ignoreCase, contextLines, maxMatches } = input;
  const compiled = await attempt(async () =>
    compileQuery(
      grepQuery(pattern, {
        syntax: regex ? "regex" : "literal",
        ignoreCase,
        contextLines,
        maxMatchesPerFile: maxMatches,
        maxLineChars,
      }),
    ),
  );
  artifacts.usage.add("searches");
  const lines: string[] = [];
  const notes: string[] = [];
  let [matches, chars, searched, matched] = [0, 0, 0, 0];
  let isCut = false;
  for await (const { store, metadata } of chosen(session, input)) {
    if (metadata.encoding === undefined) continue;
    const before = matches;
    searched++;
    try {
      await artifacts.explaining(metadata, async () => {
        for await (const window of windowsOf(store, metadata)) {
          if (signal?.aborted) throw new ArtifactError("cancelled");
          for (const match of searchBytes(metadata.id, window.bytes, compiled).lines) {
            const line = lineOf(match, window.firstLine);
            chars += line.length;
            if (match.kind === "match") matches++;
            isCut ||= matches > maxMatches || chars > maxTextChars;
            if (isCut) return;
            lines.push(line);
          }
        }
      });
    } catch (error) {
      if (!isArtifactError(error, "corrupt", "not_found", "too_large")) throw error;
      notes.push(`${error.message} ${error.recovery ?? ""}`.trim());
    }
    if (matches > before) matched++;
    if (isCut) break;
  }
  return {
    facts: {
      matches: Math.min(matches, maxMatches),
      artifactsSearched: searched,
      artifactsMatched: matched,
      isCut,
      ...(notes.length > 0 && { notes }),
    },
    text: lines.join("\n"),
  };
}

async function* chosen(
  session: ArtifactSession,
  { ids, globs }: ArtifactToolInput<"artifact_grep">,
): AsyncGenerator<{ store: ArtifactStore; metadata: FileMetadata }> {
  const wanted = await attempt(async () => pathFilter(globs ? { globs } : {}, false));
  if (ids !== undefined) {
    for (const id of ids) {
      const found = await usable(session, id);
      if (wanted === undefined || wanted(id, nameOf(id))) yield found;
    }
    return;
  }
  for await (const metadata of session.artifacts.list()) {
    if (!session.mayUse(metadata) || (wanted !== undefined && !wanted(metadata.id, nameOf(metadata.id)))) continue;
    yield session.artifacts.find(metadata.id);
  }
}

const lineOf = ({ path, line, kind, text, cut }: GrepMatch, firstLine: number) =>
  `${path}:${line + firstLine}${kind === "match" ? ":" : "-"} ${text}${cut ? "…" : ""}`;

/** Whole lines, so many bytes at a time, as UTF-8; a line that is longer is searched in pieces. */
async function* windowsOf(
  store: ArtifactStore,
  metadata: FileMetadata,
): AsyncGenerator<{ bytes: Buffer; firstLine: number }> {
  const decoder = metadata.encoding === "utf-8" ? undefined : new TextDecoder(metadata.encoding);
  let [firstLine, rest] = [0, Buffer.alloc(0)];
  for (let start = 0; start < metadata.sizeBytes; ) {
    const read = await store.read(metadata, start, start + windowBytes - Math.min(rest.length, windowBytes >> 1));
    if (read.length === 0) return;
    start += read.length;
    const isLast = start >= metadata.sizeBytes;
    const bytes = Buffer.concat([rest, decoder ? Buffer.from(decoder.decode(read, { stream: !isLast })) : read]);
    const lastBreak = isLast ? -1 : bytes.lastIndexOf(newline);
    const whole = lastBreak === -1 ? bytes : bytes.subarray(0, lastBreak + 1);
    rest = bytes.subarray(whole.length);
    yield { bytes: whole, firstLine };
    for (let at = whole.indexOf(newline); at !== -1; at = whole.indexOf(newline, at + 1)) firstLine++;
  }
}
