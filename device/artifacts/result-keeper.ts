import { isUtf8 } from "node:buffer";
import { countTokens } from "../access/reading/token-count.ts";
import { extractContext } from "./description/context.ts";
import { isArtifactError } from "./errors.ts";
import { exactJson } from "./exact-json.ts";
import { HeadAndTail } from "./head-and-tail.ts";
import type { ArtifactOrigin, FileMetadata, ToolResponseContent } from "./metadata.ts";
import type { ContentHint } from "./sniff/content-kind.ts";
import type { ArtifactStore } from "./store/artifact-store.ts";
import { bytesOf, type Content, chunksOf, isAsyncIterable } from "./store/content.ts";
import type { MemoryCache } from "./store/memory-cache.ts";
import type { Pins } from "./store/pins.ts";
import type { Usage } from "./store/usage.ts";
import { type ThresholdPolicy, thresholdBytes } from "./thresholds.ts";

export interface ResultKeeperOptions {
  readonly store: ArtifactStore;
  readonly memory: MemoryCache;
  readonly pins: Pins;
  readonly usage: Usage;
  readonly thresholds: ThresholdPolicy;
  readonly inlineBytes: number;
}

export interface KeepOptions {
  readonly agent?: string;
  /** Tokens the model can still take. */
  readonly windowTokensLeft?: number;
  /** What can be shown at all, in bytes. */
  readonly mostBytes?: number;
  readonly hint?: ContentHint;
}

interface Keeping {
  readonly content: Content;
  readonly origin: ArtifactOrigin;
  readonly hint: ContentHint;
}

/** Tokens are counted in so much of a result, and estimated for the rest. */
const countedBytes = 64 * 1024;
/** Of prose and tables alike, about (o200k). */
const bytesPerToken = 4;

/** Decides what of a tool's result stands in a conversation, and puts the rest somewhere. */
export class ResultKeeper {
  readonly #options: ResultKeeperOptions;

  constructor(options: ResultKeeperOptions) {
    this.#options = options;
  }

  async keepOrInline(result: unknown, origin: ArtifactOrigin, options: KeepOptions = {}): Promise<ToolResponseContent> {
    const { hint = {}, ...situation } = options;
    const threshold = thresholdBytes(this.#options.thresholds, { ...situation, tool: origin.tool });
    if (isAsyncIterable(result)) return this.#pieces(bytesOf(result), threshold, origin, hint);
    if (result instanceof Uint8Array) {
      if (result.length <= threshold && isText(result)) return this.#direct(Buffer.from(result).toString("utf8"));
      return this.#keep({ content: { chunks: chunksOf(result), given: "bytes" }, origin, hint });
    }
    if (typeof result === "string") {
      const bytes = Buffer.from(result);
      if (bytes.length <= threshold) return this.#direct(result);
      return this.#keep({ content: { chunks: chunksOf(bytes), given: "text" }, origin, hint });
    }
    const json = exactJson(result);
    if (Buffer.byteLength(json) <= threshold) return this.#direct(result, json);
    return this.keep(result, origin, hint);
  }

  /** Stores a result whatever its size. */
  async keep(result: unknown, origin: ArtifactOrigin, hint: ContentHint = {}): Promise<ToolResponseContent> {
    if (isAsyncIterable(result)) {
      return this.#keep({ content: { chunks: bytesOf(result), given: "bytes" }, origin, hint });
    }
    if (result instanceof Uint8Array) {
      return this.#keep({ content: { chunks: chunksOf(result), given: "bytes" }, origin, hint });
    }
    const isString = typeof result === "string";
    // On lines, so that it can be searched and read by them.
    const text = isString ? result : exactJson(result, 1);
    const chunks = chunksOf(Buffer.from(text));
    return isString
      ? this.#keep({ content: { chunks, given: "text" }, origin, hint })
      : this.#keep({ content: { chunks, given: "json" }, origin, hint: { name: ".json" } });
  }

  /** Gathers no more than the threshold before it knows where the pieces go. */
  async #pieces(
    pieces: AsyncIterable<Uint8Array>,
    threshold: number,
    origin: ArtifactOrigin,
    hint: ContentHint,
  ): Promise<ToolResponseContent> {
    const iterator = pieces[Symbol.asyncIterator]();
    const first: Uint8Array[] = [];
    let bytes = 0;
    for (let step = await iterator.next(); ; step = await iterator.next()) {
      if (step.done) {
        const whole = Buffer.concat(first);
        if (isText(whole)) return this.#direct(whole.toString("utf8"));
        return this.#keep({ content: { chunks: chunksOf(whole), given: "bytes" }, origin, hint });
      }
      first.push(step.value.slice());
      bytes += step.value.length;
      if (bytes > threshold) break;
    }
    async function* all(): AsyncGenerator<Uint8Array> {
      yield* first;
      yield* { [Symbol.asyncIterator]: () => iterator };
    }
    return this.#keep({ content: { chunks: all(), given: "bytes" }, origin, hint });
  }

  #direct(result: unknown, shown: string = String(result)): ToolResponseContent {
    const { usage } = this.#options;
    usage.add("direct");
    // Both sides are the same, so that an estimate does; a tokenizer takes longer to load than most results to make.
    const tokens = Math.round(Buffer.byteLength(shown) / bytesPerToken);
    usage.add("contextTokensBefore", tokens);
    usage.add("contextTokensAfter", tokens);
    return { kind: "direct", result };
  }

  async #keep({ content, origin, hint }: Keeping): Promise<ToolResponseContent> {
    const { store, memory, usage } = this.#options;
    const source = new WatchedSource(content.chunks, this.#options.inlineBytes, memory.freeBytes);
    let failure: string;
    try {
      const metadata = await store.put({ chunks: source, given: content.given }, origin, hint);
      usage.add("kept");
      usage.add("keptBytes", metadata.sizeBytes);
      return await this.#referred(metadata, source, await this.#pin(metadata));
    } catch (error) {
      if (source.failed || !isArtifactError(error, "store_unavailable", "too_large")) throw error;
      failure = error.message;
    }
    await source.drain();
    const { spooled } = source;
    if (spooled !== undefined) {
      const metadata = await memory.store.put({ chunks: spooled, given: content.given }, origin, hint);
      memory.note(metadata);
      usage.add("keptInMemory");
      return this.#referred(metadata, source, [
        `${failure} This result is kept in memory until the conversation ends.`,
      ]);
    }
    usage.add("cutInline");
    const shown = source.seen.text;
    usage.add("contextTokensBefore", await estimatedTokens(source.seen.head, source.seen.totalBytes));
    usage.add("contextTokensAfter", await countTokens(shown));
    const notice = `${failure} It is too large to be kept in memory: only the beginning and the end of its ${source.seen.totalBytes} bytes are shown, the rest is lost. Ask for less at once.`;
    return { kind: "direct", result: shown, notices: [notice] };
  }

  /** A live conversation refers to it from now on. Not being able to say so is no reason to lose the result. */
  async #pin({ id, origin }: FileMetadata): Promise<string[]> {
    try {
      await this.#options.pins.hold(origin.threadId, [id]);
      return [];
    } catch (error) {
      if (!isArtifactError(error)) throw error;
      return ["It could not be marked as in use: a clean-up may remove it."];
    }
  }

  async #referred(metadata: FileMetadata, source: WatchedSource, notices: string[]): Promise<ToolResponseContent> {
    const { usage } = this.#options;
    if (metadata.stats.kind !== "binary") {
      usage.add("contextTokensBefore", await estimatedTokens(source.seen.head, metadata.sizeBytes));
      usage.add("contextTokensAfter", await countTokens(`${extractContext(metadata)}\n${metadata.preview}`));
    }
    return { kind: "file", metadata, preview: metadata.preview, ...(notices.length > 0 && { notices }) };
  }
}

/**
 * Pieces on their way to a store that may fail: their beginning and end are kept, all of them while they are few, and the
 * source is not closed by whoever stops reading, so that the rest can still be had.
 */
class WatchedSource implements AsyncIterable<Uint8Array> {
  readonly seen: HeadAndTail;
  failed = false;
  readonly #iterator: AsyncIterator<Uint8Array> | Iterator<Uint8Array>;
  readonly #maxSpooledBytes: number;
  #spool: Uint8Array[] | undefined = [];

  constructor(chunks: Content["chunks"], inlineBytes: number, maxSpooledBytes: number) {
    this.seen = new HeadAndTail(inlineBytes);
    this.#maxSpooledBytes = maxSpooledBytes;
    this.#iterator = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return { next: () => this.#next() };
  }

  /** Everything, when it was little enough to be kept. */
  get spooled(): readonly Uint8Array[] | undefined {
    return this.#spool;
  }

  async drain(): Promise<void> {
    while (!(await this.#next()).done);
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    let step: IteratorResult<Uint8Array>;
    try {
      step = await this.#iterator.next();
    } catch (error) {
      this.failed = true;
      throw error;
    }
    if (!step.done) {
      this.seen.add(step.value);
      if (this.seen.totalBytes <= this.#maxSpooledBytes) this.#spool?.push(step.value.slice());
      else this.#spool = undefined;
    }
    return step;
  }
}

function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

async function estimatedTokens(head: Buffer, totalBytes: number): Promise<number> {
  if (totalBytes === 0 || head.length === 0) return 0;
  const counted = head.subarray(0, countedBytes);
  return Math.round(((await countTokens(counted.toString("utf8"))) * totalBytes) / counted.length);
}
