import type { ProjectFiles } from "../files/project-files.ts";
import type { TimeAndIds } from "../time-and-ids.ts";
import type { ArtifactTemplates } from "./description/context.ts";
import { ArtifactError, isArtifactError } from "./errors.ts";
import type { ArtifactOrigin, FileMetadata, ToolResponseContent } from "./metadata.ts";
import { type KeepOptions, ResultKeeper } from "./result-keeper.ts";
import { addedTool, runAgainOf } from "./run-again.ts";
import { type ArtifactState, ArtifactStore } from "./store/artifact-store.ts";
import { MemoryCache } from "./store/memory-cache.ts";
import type { ArtifactLayout } from "./store/naming.ts";
import type { ArtifactFiles } from "./store/packed-files.ts";
import { Pins } from "./store/pins.ts";
import { defaultRetention, type PruneReport, prune, type RetentionPolicy } from "./store/retention.ts";
import { Usage } from "./store/usage.ts";
import { defaultWindowTokens, type ThresholdPolicy } from "./thresholds.ts";

export interface ArtifactsOptions extends TimeAndIds {
  /** The data folder's files. */
  readonly files: ProjectFiles;
  /** Those that artifacts themselves are in; the same when left out. */
  readonly content?: ArtifactFiles;
  readonly layout?: ArtifactLayout;
  readonly thresholds?: ThresholdPolicy;
  readonly retention?: RetentionPolicy;
  /** Of the person's own, in place of the built-in ones. */
  readonly templates?: ArtifactTemplates;
  /** Tokens that the model of an agent can take. */
  readonly windowTokens?: number | undefined;
  /** What may be held in memory while the store is not there, in all. */
  readonly memoryBytes?: number;
  /** Shown of a result that can be stored nowhere. */
  readonly inlineBytes?: number;
  readonly previewTokens?: number;
}

/** What a call gave when it was run again. */
export interface Rerun {
  readonly result: unknown;
  /** Paths of all files it is of, where the origin names them: they may be others now. */
  readonly files?: readonly string[];
  /** Of the file it is the content of: tells its type. */
  readonly name?: string;
}

/** Results of tools: shown when they are small, stored when they are not, and found again. The device's side of an agent. */
export class Artifacts {
  readonly store: ArtifactStore;
  readonly pins: Pins;
  readonly usage: Usage;
  readonly templates: ArtifactTemplates;
  readonly retention: RetentionPolicy;
  readonly windowTokens: number;
  readonly #memory: MemoryCache;
  readonly #keeper: ResultKeeper;
  readonly #now: () => number;

  constructor(options: ArtifactsOptions) {
    const { files, content = files, now, newId, memoryBytes = 16 * 1024 * 1024, inlineBytes = 8 * 1024 } = options;
    const naming = {
      now,
      newId,
      ...(options.layout && { layout: options.layout }),
      ...(options.previewTokens !== undefined && { previewTokens: options.previewTokens }),
    };
    this.store = new ArtifactStore({ files: content, ...naming });
    this.pins = new Pins(files, now);
    this.usage = new Usage(files);
    this.#memory = new MemoryCache(memoryBytes, naming);
    this.#keeper = new ResultKeeper({
      store: this.store,
      memory: this.#memory,
      pins: this.pins,
      usage: this.usage,
      thresholds: options.thresholds ?? {},
      inlineBytes,
    });
    this.templates = options.templates ?? {};
    this.windowTokens = options.windowTokens ?? defaultWindowTokens;
    this.retention = options.retention ?? defaultRetention;
    this.#now = now;
  }

  /**
   * A tool's result as the conversation should hold it: itself when it is small, otherwise a reference to where it is
   * stored. A result may be any JSON value, text, bytes, or pieces of either; pieces are not gathered in memory. It never
   * fails for want of a place: then less is shown, and said to be.
   * @throws what the pieces throw; ArtifactError `template_invalid`
   */
  keepOrInline(result: unknown, origin: ArtifactOrigin, options: KeepOptions = {}): Promise<ToolResponseContent> {
    return this.#keeper.keepOrInline(result, origin, options);
  }

  /** Stores a result whatever its size. @throws as `keepOrInline` */
  keep(result: unknown, origin: ArtifactOrigin, hint: KeepOptions["hint"] = {}): Promise<ToolResponseContent> {
    return this.#keeper.keep(result, origin, hint);
  }

  /** An artifact and the store that has it. @throws ArtifactError `not_found`, `corrupt`, `store_unavailable` */
  async find(id: string): Promise<{ store: ArtifactStore; metadata: FileMetadata }> {
    const store = this.#memory.has(id) ? this.#memory.store : this.store;
    try {
      return { store, metadata: await store.get(id) };
    } catch (error) {
      throw this.#explained(error, id);
    }
  }

  /** Bytes of an artifact, held to its checksum. @throws ArtifactError as `find`, with how to get the artifact again */
  async read(id: string, startByte?: number, endByte?: number): Promise<Buffer> {
    const { store, metadata } = await this.find(id);
    return this.explaining(metadata, () => store.read(metadata, startByte, endByte));
  }

  /** Runs something on an artifact's content; a failure says how to get the artifact again. */
  async explaining<T>(metadata: FileMetadata, action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      throw this.#explained(error, metadata.id, metadata.origin);
    }
  }

  /** @throws ArtifactError `store_unavailable` */
  async stateOf(metadata: FileMetadata): Promise<ArtifactState> {
    return (this.#memory.has(metadata.id) ? this.#memory.store : this.store).stateOf(metadata);
  }

  /** Everything that is stored, in memory too; `onBroken` hears of descriptions that cannot be read. */
  async *list(onBroken?: (path: string) => void): AsyncGenerator<FileMetadata> {
    yield* this.#memory.store.list();
    yield* this.store.list(onBroken ? { onBroken } : {});
  }

  /**
   * Runs the call an artifact came from again, when that changes nothing, and stores what it gives.
   * @throws ArtifactError `not_regenerable` (it changes things, or nobody can run it from here), `not_found`; what `rerun` throws
   */
  async regenerate(id: string, rerun: (origin: ArtifactOrigin) => Promise<Rerun>): Promise<ToolResponseContent> {
    const { metadata } = await this.find(id);
    const { origin } = metadata;
    if (runAgainOf(origin) === undefined)
      throw new ArtifactError("not_regenerable", { detail: recoveryOf(id, origin) });
    const { result, files, name } = await rerun(origin);
    this.usage.add("regenerated");
    const hint = name === undefined ? {} : { name };
    return this.#keeper.keep(result, { ...origin, ...(files !== undefined && { files: [...files] }) }, hint);
  }

  /** The conversation is over: nothing is held for it any more. */
  async endThread(threadId: string): Promise<void> {
    await this.#memory.forget(threadId);
    await this.pins.release(threadId);
  }

  /** Cleans up by the retention policy, around what live threads refer to. @throws ArtifactError `store_unavailable` */
  async prune(policy: RetentionPolicy = this.retention, dryRun = false): Promise<PruneReport> {
    const report = await prune(this.store, policy, await this.pins.held(), { nowMs: this.#now(), dryRun });
    if (!dryRun) {
      this.usage.add("cleanups");
      this.usage.add("cleanedArtifacts", report.removed.length);
      this.usage.add("cleanedBytes", report.freedBytes);
      this.usage.add("cleanupFailures", report.warnings.length);
    }
    return report;
  }

  /** Adds what was counted to the data folder; false when that could not be done now. */
  async flush(): Promise<boolean> {
    const { verified } = this.store;
    this.usage.add("cacheHits", verified.cacheHits);
    this.usage.add("cacheMisses", verified.cacheMisses);
    [verified.cacheHits, verified.cacheMisses] = [0, 0];
    return this.usage.flush();
  }

  #explained(error: unknown, id: string, origin?: ArtifactOrigin): unknown {
    if (!isArtifactError(error, "not_found", "corrupt")) return error;
    this.usage.add(error.code === "corrupt" ? "corrupt" : "missing");
    const recovery = origin && recoveryOf(id, origin);
    return new ArtifactError(error.code, {
      ...{ detail: JSON.stringify(id), cause: error },
      ...(recovery !== undefined && { recovery }),
    });
  }
}

/** How an artifact can be had again, in words for a person as for a model. */
function recoveryOf(id: string, origin: ArtifactOrigin): string {
  if (!origin.readOnly) return `It came from ${origin.tool}, which changes things, so it is not run again by itself.`;
  if (runAgainOf(origin) === undefined) {
    return `It came from ${origin.tool}, which cannot be run again from here; it can only be had by asking the same again.`;
  }
  if (origin.tool === addedTool)
    return `It is a file that was added; what has it again is: scouts artifacts regenerate ${id}`;
  return `Another call of ${origin.tool} with the same arguments gives it again, and so does: scouts artifacts regenerate ${id}`;
}
