import { isScoutsError } from "../../../events/errors.ts";
import type { EmbeddingModel } from "../../../shared/llm/embedding-model.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import { quoted } from "../../errors/quoted.ts";
import { isDeviceError } from "../../errors.ts";
import type { DeviceStore } from "../../store/open.ts";
import { type EmbeddingSetting, modelNameOf, readEmbeddingSetting } from "../embedding/embedding-setting.ts";
import { openEmbeddingModel } from "../embedding/open-model.ts";
import { type SearchNote, searchNote } from "../search/search-notes.ts";
import { vectorBytes } from "./vector-bytes.ts";
import { findVectorExtension } from "./vector-extension.ts";

/** Somebody waits: a model that does not answer in this time is done without. */
const timeoutMs = 5_000;
/** After a failure the model is left alone for so long: a search as one types would wait for each letter. */
const restMs = 30_000;
/** What was asked just now is not asked again, as while one types back and forth. */
const rememberedMs = 300_000;
const mostRemembered = 100;

/** A question as a vector, and what it can be compared with. */
export interface Meaning {
  /** See `modelNameOf`. */
  readonly model: string;
  readonly vector: Uint8Array;
  /** Where SQLite's extension is. */
  readonly extension: string;
}

/** What a program remembers of the model it asks. */
interface Asked {
  readonly setting: string;
  readonly model: EmbeddingModel;
  readonly known: Map<string, { readonly vector: Uint8Array; readonly untilMs: number }>;
  restsUntilMs: number;
}

const askedOf = new WeakMap<DeviceStore, Asked>();

/**
 * What a question means, when an embedding model is set on this device.
 *
 * @returns without `meaning` when none is set; with a note when it cannot be had: then words alone are looked for
 */
export async function meaningOf(
  store: DeviceStore,
  question: string,
  now: () => number,
): Promise<{ readonly meaning?: Meaning; readonly note?: SearchNote }> {
  try {
    const setting = readEmbeddingSetting(store.dataFolder);
    if (setting === undefined || question.trim() === "") return {};
    const extension = await findVectorExtension();
    if ("missing" in extension) return { note: searchNote("words_no_extension") };
    const asked = await askedWith(store, setting);
    if (now() < asked.restsUntilMs) return { note: searchNote("words_model_rests") };
    try {
      const vector = await vectorOf(asked, setting.questionPrefix + question, now());
      return { meaning: { model: modelNameOf(setting), vector, extension: extension.path } };
    } catch (error) {
      asked.restsUntilMs = now() + restMs;
      throw error;
    }
  } catch (error) {
    if (!isScoutsError(error) && !isDeviceError(error)) throw error;
    return { note: searchNote("words_model_failed", { reason: error.code }, quoted(error)) };
  }
}

async function askedWith(store: DeviceStore, setting: EmbeddingSetting): Promise<Asked> {
  const text = JSON.stringify(setting);
  const before = askedOf.get(store);
  if (before?.setting === text) return before;
  const asked = { setting: text, model: await openEmbeddingModel(setting), known: new Map(), restsUntilMs: 0 };
  askedOf.set(store, asked);
  return asked;
}

async function vectorOf({ model, known }: Asked, text: string, nowMs: number): Promise<Uint8Array> {
  const before = known.get(text);
  if (before !== undefined && nowMs < before.untilMs) return before.vector;
  const { vectors } = await model.embed({ texts: new Transient([text]), timeoutMs });
  const vector = vectorBytes(vectors[0] ?? new Float32Array(0));
  const [oldest] = known.keys();
  if (known.size >= mostRemembered && oldest !== undefined) known.delete(oldest);
  known.set(text, { vector, untilMs: nowMs + rememberedMs });
  return vector;
}
