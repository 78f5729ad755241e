import { isProjectFilesError, throwIfCancelled } from "../errors.ts";
import { pathFilter } from "../paths/path-filter.ts";
import { nameOf } from "../paths/project-path.ts";
import type { ProjectFiles } from "../project-files.ts";
import type { FileEntry, FileWalk, WalkOptions } from "../walk/walk-types.ts";
import { type CompiledQuery, compileQuery, type GrepQuery, grepQuery } from "./grep-query.ts";
import type { GrepMatch, GrepOptions, GrepStream, GrepSummary } from "./grep-types.ts";
import { searchBytes } from "./line-search.ts";

/** What searching some files gave: lines in the order of the files, and counts. */
export interface BatchFindings extends Omit<GrepSummary, "capped" | "unreadableFolders" | "unaddressableNames"> {
  lines: GrepMatch[];
}

const noFile = {
  filesSearched: 0,
  filesMatched: 0,
  matches: 0,
  binaryFiles: 0,
  tooLargeFiles: 0,
  vanishedFiles: 0,
  unreadableFiles: 0,
  cappedFiles: 0,
} as const;

/** The counts of a search that has not begun. */
export const emptyGrepSummary = (): GrepSummary => ({
  ...noFile,
  unreadableFolders: 0,
  unaddressableNames: 0,
  capped: false,
});

/** The findings of a batch of files of which none has been searched yet. */
export const emptyBatch = (): BatchFindings => ({ lines: [], ...noFile });

/** Searches batches of files; several batches may be asked for before the first is answered. */
export interface BatchSearcher extends AsyncDisposable {
  readonly filesPerBatch: number;
  readonly batchesInFlight: number;
  search(paths: readonly string[]): Promise<BatchFindings>;
}

/**
 * The grep of every backend: chooses files by walking, hands them out in batches, gives the lines in walk order.
 * `searcher` is made once the pattern has been accepted.
 */
export function grepTree(
  files: ProjectFiles,
  pattern: string,
  options: GrepOptions,
  searcher: (compiled: CompiledQuery, query: GrepQuery) => BatchSearcher,
): GrepStream {
  const summary = emptyGrepSummary();
  const query = grepQuery(pattern, options);
  const stream = () => search(files, query, options, summary, searcher);
  return { summary, [Symbol.asyncIterator]: stream };
}

async function* search(
  files: ProjectFiles,
  query: GrepQuery,
  options: GrepOptions,
  summary: GrepSummary,
  makeSearcher: (compiled: CompiledQuery, query: GrepQuery) => BatchSearcher,
): AsyncGenerator<GrepMatch> {
  throwIfCancelled(options.signal);
  await using searcher = makeSearcher(compileQuery(query), query);
  const maxMatches = options.maxMatches ?? 10_000;
  const pending: Promise<BatchFindings>[] = [];
  let batch: string[] = [];
  const start = () => {
    const findings = searcher.search(batch);
    // It is awaited in its turn; until then a failure must not count as unhandled.
    findings.catch(() => undefined);
    pending.push(findings);
    batch = [];
  };
  const walks: FileWalk[] = [];
  for await (const { path } of chosenFiles(files, options, walks)) {
    if (options.mayOpen !== undefined && !(await options.mayOpen(path))) continue;
    batch.push(path);
    if (batch.length < searcher.filesPerBatch) continue;
    start();
    while (pending.length >= searcher.batchesInFlight) {
      yield* give(await pending.shift(), summary, maxMatches);
      throwIfCancelled(options.signal);
      if (summary.capped) return;
    }
  }
  summary.unreadableFolders = walks.reduce((sum, { omitted }) => sum + omitted.unreadable, 0);
  summary.unaddressableNames = walks.reduce((sum, { omitted }) => sum + omitted.unaddressable, 0);
  if (batch.length > 0) start();
  while (pending.length > 0) {
    yield* give(await pending.shift(), summary, maxMatches);
    throwIfCancelled(options.signal);
    if (summary.capped) return;
  }
}

function* give(findings: BatchFindings | undefined, summary: GrepSummary, maxMatches: number): Generator<GrepMatch> {
  if (findings === undefined) return;
  summary.filesSearched += findings.filesSearched;
  summary.filesMatched += findings.filesMatched;
  summary.binaryFiles += findings.binaryFiles;
  summary.tooLargeFiles += findings.tooLargeFiles;
  summary.vanishedFiles += findings.vanishedFiles;
  summary.unreadableFiles += findings.unreadableFiles;
  summary.cappedFiles += findings.cappedFiles;
  for (const line of findings.lines) {
    if (line.kind === "match") {
      if (summary.matches >= maxMatches) {
        summary.capped = true;
        return;
      }
      summary.matches++;
    }
    yield line;
  }
}

/** Each file once: those named in `paths`, and the walked ones under them or under the root. @param walks are added to */
function chosenFiles(files: ProjectFiles, options: GrepOptions, walks: FileWalk[]): AsyncIterable<FileEntry> {
  const walkOptions = {
    ...(options.extensions && { extensions: options.extensions }),
    ...(options.globs && { globs: options.globs }),
    ...(options.signal && { signal: options.signal }),
    ignoreRules: options.ignoreRules ?? true,
  };
  const walk = (more: WalkOptions) => {
    const begun = files.walk(more);
    walks.push(begun);
    return begun;
  };
  // As it comes: passing each file on would take as long as finding it.
  if (options.paths === undefined) return walk(walkOptions);
  return namedFiles(files, options.paths, options, (under) => walk({ ...walkOptions, under }));
}

async function* namedFiles(
  files: ProjectFiles,
  paths: readonly string[],
  options: GrepOptions,
  walk: (under: string) => FileWalk,
): AsyncGenerator<FileEntry> {
  const wanted = pathFilter(options, files.folding.foldsCase);
  const seen = new Set<string>();
  for (const named of paths) {
    const path = await files.canonical(named);
    const { kind } = await files.metadata(path);
    if (kind === "directory") {
      for await (const entry of walk(path)) {
        if (!seen.has(entry.path)) yield entry;
        seen.add(entry.path);
      }
    } else if (!seen.has(path) && (wanted === undefined || wanted(path, nameOf(path)))) {
      seen.add(path);
      yield { path };
    }
  }
}

/** Adds what one file gave. */
export function addFindings(batch: BatchFindings, path: string, bytes: Buffer, compiled: CompiledQuery): void {
  const findings = searchBytes(path, bytes, compiled);
  batch.filesSearched++;
  if (findings.binary) batch.binaryFiles++;
  if (findings.capped) batch.cappedFiles++;
  if (findings.matches === 0) return;
  batch.filesMatched++;
  batch.matches += findings.matches;
  for (const line of findings.lines) batch.lines.push(line);
}

/** Counts a file that could not be searched; an error that is not about the one file is thrown on. */
export function addFailure(batch: BatchFindings, error: unknown): void {
  if (isProjectFilesError(error, "NotFound", "NotADirectory", "NotAFile", "OutsideRoot")) batch.vanishedFiles++;
  else if (isProjectFilesError(error, "AccessDenied")) batch.unreadableFiles++;
  else if (isProjectFilesError(error, "TooLarge")) batch.tooLargeFiles++;
  else throw error;
}

/** The plain searcher: reads each file through the interface. For backends whose files are not on this disk. */
export function readingSearcher(files: ProjectFiles, compiled: CompiledQuery, filesInFlight: number): BatchSearcher {
  return {
    filesPerBatch: 1,
    batchesInFlight: filesInFlight,
    async search(paths) {
      const batch = emptyBatch();
      for (const path of paths) {
        try {
          const bytes = await files.read(path, { maxBytes: compiled.query.maxFileBytes });
          addFindings(batch, path, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), compiled);
        } catch (error) {
          addFailure(batch, error);
        }
      }
      return batch;
    },
    async [Symbol.asyncDispose]() {},
  };
}
