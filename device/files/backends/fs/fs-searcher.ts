import { availableParallelism } from "node:os";
import { ProjectFilesError, throwIfCancelled } from "../../errors.ts";
import { type BatchFindings, type BatchSearcher, emptyBatch } from "../../grep/grep.ts";
import type { CompiledQuery } from "../../grep/grep-query.ts";
import { filesHolding, hasRipgrep, maxArgumentBytes } from "../../grep/ripgrep.ts";
import { SearchThreads } from "../../grep/search-threads.ts";
import { parentOf } from "../../paths/project-path.ts";
import type { FsRoot } from "./fs-root.ts";
import { FsSearch } from "./fs-search.ts";

/** Below this a thread or a process would take longer to start than the search. */
const inlineFiles = 1_024;
const threadBatchFiles = 256;
/** What a search for bytes takes a fifth of a second for: a thread takes a tenth of a second to load and to warm to it. */
const filesPerThread = 16_384;
const maxThreads = 4;
const processBatchFiles = 8_192;
/** Longest stretch of work without letting other events in. */
const sliceMs = 8;

export interface SearcherOptions {
  /** ripgrep's name or path, or false never to use it. */
  ripgrep: string | false;
  /** Every file of a directory is wanted, so that ripgrep can be given directories. */
  wholeDirectories: boolean;
  signal: AbortSignal | undefined;
}

/** Searches files on disk: the first thousand here, the rest with ripgrep's help or in threads. */
export class FsSearcher implements BatchSearcher {
  readonly batchesInFlight: number;
  readonly #root: FsRoot;
  readonly #compiled: CompiledQuery;
  readonly #options: SearcherOptions;
  readonly #inline: FsSearch;
  readonly #threads: SearchThreads;
  readonly #stop = new AbortController();
  readonly #onAbort = () => void this.#end("Cancelled");
  #ripgrep: boolean | undefined;
  #taken = 0;
  #sliceStartMs = performance.now();
  /** What this thread has been given to search, one batch after the other: two at once would make a turn twice as long. */
  #ahead: Promise<unknown> = Promise.resolve();

  constructor(root: FsRoot, compiled: CompiledQuery, options: SearcherOptions) {
    const threads = threadsFor(compiled, availableParallelism());
    this.batchesInFlight = Math.max(1, threads * 4);
    this.#root = root;
    this.#compiled = compiled;
    this.#options = options;
    this.#inline = new FsSearch(root, compiled);
    this.#threads = new SearchThreads(root, compiled.query, threads);
    options.signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  get filesPerBatch(): number {
    return this.#taken > inlineFiles && this.#ripgrep === true ? processBatchFiles : threadBatchFiles;
  }

  async search(paths: readonly string[]): Promise<BatchFindings> {
    this.#taken += paths.length;
    if (this.#taken <= inlineFiles) return this.#searchHere(paths);
    this.#ripgrep ??= await this.#canNarrow();
    if (this.#ripgrep) return this.#searchHere(await this.#narrowed(paths));
    this.#threads.warmUp(this.#isLiteral ? Math.floor(this.#taken / filesPerThread) : undefined);
    // A search that begins with bytes takes a few milliseconds a batch, so this thread does its part; another might take longer.
    if (this.#compiled.needle !== undefined && !this.#threads.isFree) return this.#searchHere(paths);
    return this.#threads.search(paths);
  }

  #searchHere(paths: readonly string[]): Promise<BatchFindings> {
    const findings = this.#ahead.then(() => this.#searchInSlices(paths));
    this.#ahead = findings.catch(() => undefined);
    return findings;
  }

  async #searchInSlices(paths: readonly string[]): Promise<BatchFindings> {
    const batch = emptyBatch();
    throwIfCancelled(this.#stop.signal);
    for (const _ of this.#inline.each(paths, batch)) {
      if (performance.now() - this.#sliceStartMs <= sliceMs) continue;
      await new Promise<void>((resolve) => setImmediate(resolve));
      this.#sliceStartMs = performance.now();
      throwIfCancelled(this.#stop.signal);
    }
    return batch;
  }

  get #isLiteral(): boolean {
    return this.#compiled.line === undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    await this.#end("Cancelled");
    await this.#ahead;
  }

  async #end(code: "Cancelled"): Promise<void> {
    this.#stop.abort();
    await this.#threads.close(new ProjectFilesError(code));
  }

  /** ripgrep is asked for a literal in ASCII only: bytes that mean the same in every encoding searched here. */
  async #canNarrow(): Promise<boolean> {
    const { ripgrep } = this.#options;
    const { needle } = this.#compiled;
    if (ripgrep === false || needle === undefined || needle.bytes.some((byte) => byte > 0x7f)) return false;
    return hasRipgrep(ripgrep);
  }

  async #narrowed(paths: readonly string[]): Promise<readonly string[]> {
    const { ripgrep, wholeDirectories } = this.#options;
    const literal = this.#compiled.needle?.bytes.toString("utf8");
    if (ripgrep === false || literal === undefined) return paths;
    const hunt = { program: ripgrep, root: this.#root.path, literal, signal: this.#stop.signal };
    const groups = groupBySize(paths, maxArgumentBytes);
    const found = await Promise.all(
      groups.map((group) => {
        const directories = wholeDirectories ? [...new Set(group.map(parentOf))] : undefined;
        return filesHolding(hunt, group, directories);
      }),
    );
    return groups.flatMap((group, index) => found[index] ?? group);
  }
}

/**
 * How many threads may be started. A search that begins with bytes keeps this one busy too; with one core beside it, another costs more
 * of the processor than it saves of the time, unless there is a regex to be tried.
 */
export function threadsFor({ needle, line }: Pick<CompiledQuery, "needle" | "line">, cores: number): number {
  if (needle === undefined) return Math.min(maxThreads, cores);
  return line === undefined && cores <= 2 ? 0 : Math.max(1, Math.min(maxThreads, cores - 1));
}

/** Parts that each fit on a command line. */
function groupBySize(paths: readonly string[], maxBytes: number): string[][] {
  const groups: string[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const path of paths) {
    // "./", three bytes a unit at most, the NUL, and the pointer to it.
    const bytes = path.length * 3 + 11;
    size += bytes;
    if (size > maxBytes) {
      groups.push([]);
      size = bytes;
    }
    groups.at(-1)?.push(path);
  }
  return groups;
}
