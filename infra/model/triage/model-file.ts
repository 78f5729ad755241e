import { inflateRawSync } from "node:zlib";
import * as z from "zod";
import { type KindWeights, mailKinds } from "./kinds.ts";
import type { Calibration, LinearModel } from "./linear-model.ts";

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
  format: z.literal(3),
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
  vocabulary: z.object({
    /** What the words say of a mail that has none of them. */
    intercept: z.number(),
    count: z.int(),
    /** A weight is its stored step, -127 to 127, times this. */
    scale: z.number(),
    /** Raw deflate of the hashes, ascending, as LEB128 differences, then the steps as signed bytes; in base64. */
    data: z.base64(),
  }),
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
  const bytes = inflateRawSync(Buffer.from(file.vocabulary.data, "base64"));
  const firstStep = bytes.length - file.vocabulary.count;
  const vocabulary = new Map<number, number>();
  let offset = 0;
  let key = 0;
  for (let index = 0; index < file.vocabulary.count; index += 1) {
    let factor = 1;
    let byte = 128;
    while (byte >= 128) {
      byte = bytes.readUInt8(offset);
      offset += 1;
      key += (byte % 128) * factor;
      factor *= 128;
    }
    vocabulary.set(key, bytes.readInt8(firstStep + index) * file.vocabulary.scale);
  }
  return {
    model: {
      intercept: file.intercept,
      signals: new Map(Object.entries(file.signals)),
      vocabularyIntercept: file.vocabulary.intercept,
      vocabulary,
    },
    calibration: file.calibration,
    kinds: Object.fromEntries(
      mailKinds.map((kind) => [kind, new Map(Object.entries(file.kinds[kind] ?? {}))] as const),
    ),
    name: file.name,
  };
}
