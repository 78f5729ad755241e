import { isScoutsError, ScoutsError } from "../../../events/errors.ts";
import type { ProjectId } from "../../../events/ids.ts";
import type { EmbeddingModel } from "../../../shared/llm/embedding-model.ts";
import { modelFailureClass } from "../../../shared/llm/model-failure-class.ts";
import { personalRules } from "../../config/personal-config.ts";
import type { Clock } from "../../connection/clock.ts";
import { type DeviceError, isDeviceError } from "../../errors.ts";
import { openFolder } from "../../files/place/folder-place.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import type { DeviceStore } from "../../store/open.ts";
import { indexPath, openIndexToRead, removeIndexFile } from "../index/index-file.ts";
import { IndexThread } from "../index/index-thread.ts";
import { ShownPaths } from "../search/shown-paths.ts";
import { embeddedSoFar, monthOf } from "../vectors/index-vectors.ts";
import { vectorBytes } from "../vectors/vector-bytes.ts";
import { TextEmbedder } from "./embed-texts.ts";
import { type EmbeddingSetting, modelNameOf } from "./embedding-setting.ts";
import { type PassageToEmbed, textsToEmbed, unembeddedAfter } from "./unembedded.ts";

/** Passages in one request: of 4,096 numbers each, as text, an answer is 1.4 MB (at most 2 are read). */
const batchTexts = 16;
const probeText = "ok";
/** A busy server is waited for so often within a pass, and so long at most. */
const mostWaits = 4;
const firstWaitMs = 2_000;
const longestWaitMs = 60_000;

export interface EmbedOptions {
  readonly store: DeviceStore;
  readonly projectId: ProjectId;
  readonly setting: EmbeddingSetting;
  readonly model: EmbeddingModel;
  readonly clock: Clock;
  /** False when another model is set by now, or none. */
  readonly holds: () => boolean;
  /** Where nothing is missing the model is asked all the same, whether it is the one it was. */
  readonly probes: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
}

/** How a pass ended; the next one goes on from there. */
export interface EmbedUpdate {
  /** Passages that have a vector now and had none. */
  readonly embedded: number;
  /** Passages of files that changed or cannot be read, and those the model gave no usable answer to. */
  readonly left: number;
  readonly tokens: number;
  /** Why it is not complete. */
  readonly problem?: DeviceError | ScoutsError;
}

/**
 * Gives every passage of a project's index a vector that has none: of exactly the text the index has, if rules show its file
 * at this moment. Each batch is kept as it comes, so whatever ends this loses a batch at most.
 */
export async function embedProject(options: EmbedOptions): Promise<EmbedUpdate> {
  const { store, projectId } = options;
  const path = indexPath(store.dataFolder, projectId);
  const pass = new EmbeddingPass(options, path);
  try {
    return await pass.run();
  } finally {
    // Unlinked meanwhile: whoever did it has removed the file, which this may have made again.
    if (store.projects.find(projectId)?.folderPath == null) removeIndexFile(path);
  }
}

class EmbeddingPass {
  readonly #options: EmbedOptions;
  readonly #path: string;
  readonly #thread: IndexThread;
  readonly #embedder: TextEmbedder;
  readonly #name: string;
  #root = "";
  #dimension: number | null = null;
  #isBegunAgain = false;
  #hasAsked = false;
  #batch: PassageToEmbed[] = [];
  #embedded = 0;
  #left = 0;
  #tokens = 0;
  #done = 0;
  #total = 0;

  constructor(options: EmbedOptions, path: string) {
    this.#options = options;
    this.#path = path;
    this.#thread = new IndexThread(path);
    this.#embedder = new TextEmbedder(options.model, options.signal);
    this.#name = modelNameOf(options.setting);
  }

  async run(): Promise<EmbedUpdate> {
    try {
      await this.#pass();
      return this.#told();
    } catch (error) {
      if (!isDeviceError(error) && !isScoutsError(error)) throw error;
      return { ...this.#told(), problem: error };
    } finally {
      await this.#thread.end();
    }
  }

  async #pass(): Promise<void> {
    const root = this.#options.store.projects.find(this.#options.projectId)?.folderPath;
    if (root == null || !this.#looked()) return;
    this.#root = root;
    await this.#thread.ask({ do: "embedWith", model: this.#name, dimension: null });
    this.#looked();
    const files = openFolder(root);
    // Looking for what is missing walks all passages; two counts say that nothing is.
    if (this.#done < this.#total) await this.#embedMissing(files);
    const isOther = this.#isBegunAgain || (await this.#isOtherModel());
    // What came before the model was another.
    if (isOther) await this.#embedMissing(files);
    await this.#thread.close();
  }

  async #embedMissing(files: ProjectFiles): Promise<void> {
    for (let after = 0; ; ) {
      const documents = unembeddedAfter(this.#path, after);
      const last = documents.at(-1);
      if (last === undefined) break;
      after = last.document.first;
      const { dataFolder } = this.#options.store;
      const shown = await ShownPaths.of(files, personalRules(dataFolder, files.displayRoot), dataFolder);
      for (const each of documents) {
        if (!this.#goesOn()) return;
        const { path } = each.document;
        const isListed = this.#options.store.folderFiles.find(this.#options.projectId, path) !== undefined;
        // What is withheld is taken out by the look at the rules; nothing of it is read, or sent.
        if (!isListed || (await shown?.shows(path)) !== true) continue;
        const texts = await textsToEmbed(this.#path, files, each);
        if (texts === undefined) this.#left += each.ids.length;
        for (const text of texts ?? []) {
          this.#batch.push(text);
          if (this.#batch.length >= batchTexts) await this.#flush();
        }
      }
    }
    if (this.#goesOn()) await this.#flush();
  }

  /** Whether another model answers behind the same name by now: then nothing here can be compared with its vectors. */
  async #isOtherModel(): Promise<boolean> {
    if (!this.#options.probes || this.#hasAsked || this.#dimension === null || !this.#goesOn()) return false;
    const [vector] = await this.#patiently(() => this.#embedder.embed([probeText]));
    if (vector == null || vector.length === this.#dimension || !this.#goesOn()) return false;
    await this.#startAgain(vector.length);
    return true;
  }

  /** Not when it was stopped, another model is set, or the folder is another's or nobody's any more. */
  #goesOn(): boolean {
    const { signal, holds, store, projectId } = this.#options;
    return signal?.aborted !== true && holds() && store.projects.find(projectId)?.folderPath === this.#root;
  }

  /** Whether there is an index; notes how far it is. */
  #looked(): boolean {
    const connection = openIndexToRead(this.#path);
    if (connection === undefined) return false;
    try {
      const { passages, embedded, madeWith } = embeddedSoFar(connection, monthOf(this.#options.clock.now()));
      this.#total = passages;
      this.#done = embedded;
      this.#dimension = madeWith?.model === this.#name ? madeWith.dimension : null;
      return true;
    } finally {
      connection.close();
    }
  }

  async #flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    if (batch.length === 0) return;
    this.#hasAsked = true;
    const { passagePrefix } = this.#options.setting;
    const vectors = await this.#patiently(() => this.#embedder.embed(batch.map(({ text }) => passagePrefix + text)));
    if (!this.#goesOn()) return;
    const lengths = new Set(vectors.flatMap((vector) => vector?.length ?? []));
    const [length = this.#dimension, ...others] = lengths;
    if (others.length > 0) throw new ScoutsError("model_answer_invalid");
    if (this.#dimension !== null && length !== this.#dimension) await this.#startAgain(length);
    this.#dimension = length;
    for (const document of new Set(batch.map((each) => each.document))) await this.#put(document, batch, vectors);
    this.#options.onProgress?.({ done: this.#done, total: this.#total });
  }

  /** The model has another length of vectors by now: all that was made before is of no use beside them. */
  async #startAgain(dimension: number | null): Promise<void> {
    // Once may be another model behind the same name; more often is no model.
    if (this.#isBegunAgain) throw new ScoutsError("model_answer_invalid");
    this.#isBegunAgain = true;
    await this.#thread.ask({ do: "embedWith", model: this.#name, dimension });
    this.#dimension = dimension;
    this.#done = 0;
  }

  async #put(
    document: PassageToEmbed["document"],
    batch: readonly PassageToEmbed[],
    vectors: readonly (Float32Array | null | undefined)[],
  ): Promise<void> {
    const made = batch.flatMap(({ document: of, id }, at) => {
      const vector = vectors[at];
      if (of !== document || vector === undefined) return [];
      return [{ id, bytes: vector === null ? null : vectorBytes(vector) }];
    });
    this.#left += batch.filter((each, at) => each.document === document && vectors[at] === undefined).length;
    const tokens = this.#embedder.takeTokens();
    this.#tokens += tokens;
    const outcome = await this.#thread.ask({
      do: "putVectors",
      model: this.#name,
      dimension: this.#dimension,
      path: document.path,
      hash: document.hash,
      first: document.first,
      vectors: made,
      tokens,
      month: monthOf(this.#options.clock.now()),
    });
    if (outcome !== "stored") {
      this.#left += made.length;
      return;
    }
    this.#embedded += made.length;
    this.#done += made.length;
  }

  /** Waits for a server that is busy, as long as it says. */
  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    for (let waits = 0; ; waits++) {
      try {
        return await work();
      } catch (error) {
        const isBusy = isScoutsError(error) && modelFailureClass(error.code) === "busy";
        const asked = isBusy ? error.data["retryAfterMs"] : undefined;
        const waitMs = typeof asked === "number" ? asked : firstWaitMs * 2 ** waits;
        if (!isBusy || waits >= mostWaits || waitMs > longestWaitMs || !this.#goesOn()) throw error;
        await this.#wait(waitMs);
      }
    }
  }

  #wait(ms: number): Promise<void> {
    const { clock, signal } = this.#options;
    return new Promise((resolve) => {
      const waited = () => {
        cancel();
        signal?.removeEventListener("abort", waited);
        resolve();
      };
      const cancel = clock.after(ms, waited);
      signal?.addEventListener("abort", waited, { once: true });
    });
  }

  #told() {
    return { embedded: this.#embedded, left: this.#left, tokens: this.#tokens };
  }
}
