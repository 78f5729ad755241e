import { inflateRawSync } from "node:zlib";
import * as z from "zod";
import type { KindWeights } from "./kinds/kind-of.ts";
import type { KindWords } from "./kinds/kind-words.ts";
import { mailKinds } from "./kinds/mail-kinds.ts";
import type { Calibration, LinearModel } from "./linear-model.ts";

/** What words say by kind, as {@link KindWords}. */
const wordsSchema = z.object({
  /** What is said of a mail that has none of them, by kind. */
  intercepts: z.record(z.enum(mailKinds), z.number()),
  count: z.int(),
  /** A weight is its stored step, -127 to 127, times this. */
  scale: z.number(),
  /**
   * Raw deflate of the hashes, ascending, as LEB128 differences, then the steps as signed bytes, of the first kind all words, of
   * the second all words and so on; in base64.
   */
  data: z.base64(),
});

const figuresSchema = z.record(
  z.string(),
  z.object({
    mails: z.number(),
    falsePositives: z.number(),
    precision: z.number().nullable(),
    recall: z.number().nullable(),
    f1: z.number().nullable(),
  }),
);

/** The committed weights: a model, how it was made and what it was measured at. */
export const modelFileSchema = z.object({
  format: z.literal(5),
  name: z.string(),
  /** The training script's arguments. */
  arguments: z.string(),
  /** Mails trained on, by source. */
  trainedOn: z.record(z.string(), z.number()),
  /** At the operating point 0.8, on mail the measured model had not seen. */
  figures: figuresSchema,
  calibration: z.object({ slope: z.number(), offset: z.number() }),
  intercept: z.number(),
  signals: z.record(z.string(), z.number()),
  /** By kind of mail: the weights of signals, `""` the intercept. */
  kinds: z.partialRecord(z.enum(mailKinds), z.record(z.string(), z.number())),
  words: wordsSchema,
  ratings: wordsSchema,
});
/** @internal for who trains the model: test/training */
export type ModelFile = z.infer<typeof modelFileSchema>;

/** Reads a model back from its file's JSON. Throws on anything that is no such file. */
export function decodeModel(json: unknown): {
  model: LinearModel;
  calibration: Calibration;
  kinds: KindWeights;
  name: string;
} {
  const file = modelFileSchema.parse(json);
  return {
    model: {
      intercept: file.intercept,
      signals: new Map(Object.entries(file.signals)),
      words: decodeWords(file.words),
      ratings: decodeWords(file.ratings),
    },
    calibration: file.calibration,
    kinds: Object.fromEntries(
      mailKinds.map((kind) => [kind, new Map(Object.entries(file.kinds[kind] ?? {}))] as const),
    ),
    name: file.name,
  };
}

function decodeWords({ intercepts, count, scale, data }: z.infer<typeof wordsSchema>): KindWords {
  const bytes = inflateRawSync(Buffer.from(data, "base64"));
  const kinds = mailKinds.length;
  const firstStep = bytes.length - count * kinds;
  const rows = new Map<number, number>();
  const weights = new Float32Array(count * kinds);
  let offset = 0;
  let key = 0;
  for (let word = 0; word < count; word += 1) {
    let factor = 1;
    let byte = 128;
    while (byte >= 128) {
      byte = bytes.readUInt8(offset);
      offset += 1;
      key += (byte % 128) * factor;
      factor *= 128;
    }
    rows.set(key, word * kinds);
    for (let kind = 0; kind < kinds; kind += 1) {
      weights[word * kinds + kind] = bytes.readInt8(firstStep + kind * count + word) * scale;
    }
  }
  return { intercepts: Float32Array.from(mailKinds, (kind) => intercepts[kind]), rows, weights };
}
