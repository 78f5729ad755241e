import path from "node:path";
import * as z from "zod";
import { DeviceError } from "../../errors.ts";
import { readPrivateFile, removePrivateFile, writePrivateFile } from "../../private-file.ts";

/** The embedding model of this device. Who may read the file may use its key. */
const setting = z.strictObject({
  v: z.literal(1),
  /** Up to and with `/v1`, or whatever stands before `/embeddings` there. */
  baseUrl: z.url({ protocol: /^https?$/ }),
  model: z.string().min(1).max(200),
  /** Null for a server without keys. */
  key: z.string().min(1).nullable(),
  /** What some models want before a question, and before a passage (`query: `, `passage: `). */
  questionPrefix: z.string().max(1_000),
  passagePrefix: z.string().max(1_000),
});
export type EmbeddingSetting = z.infer<typeof setting>;

const fileIn = (dataFolder: string) => path.join(dataFolder, "device", "embedding-model.json");

/** Undefined when none is set. @throws DeviceError `usage` when what is kept cannot be read */
export const readEmbeddingSetting = (dataFolder: string): EmbeddingSetting | undefined =>
  readPrivateFile(fileIn(dataFolder), setting, unreadable);

function unreadable(): never {
  throw new DeviceError("usage", {
    sentence:
      "What is kept of the embedding model cannot be read; `scouts embeddings set` sets it again, `scouts embeddings off` removes it.",
  });
}

/** @throws DeviceError `value_invalid` */
export function checkedSetting(value: Omit<EmbeddingSetting, "v">): EmbeddingSetting {
  const read = setting.safeParse({ v: 1, ...value });
  if (read.success) return read.data;
  throw new DeviceError("value_invalid", {
    sentence:
      "An embedding model has a name, and the http or https address of a server, such as http://127.0.0.1:11434/v1.",
  });
}

/** Keeps which model makes vectors. Vectors of another one stay until they are made anew: see {@link modelNameOf}. */
export const writeEmbeddingSetting = (dataFolder: string, value: EmbeddingSetting): void =>
  writePrivateFile(fileIn(dataFolder), value);

/** From now on no vectors are made: a search looks for words alone. Nothing happens when there is no setting. */
export const removeEmbeddingSetting = (dataFolder: string): void => removePrivateFile(fileIn(dataFolder));

/** What vectors were made with: those of another name cannot be compared with them. */
export const modelNameOf = ({ model, passagePrefix }: EmbeddingSetting): string =>
  passagePrefix === "" ? model : JSON.stringify([model, passagePrefix]);
