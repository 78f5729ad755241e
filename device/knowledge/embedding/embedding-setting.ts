import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { DeviceError } from "../../errors.ts";

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
export function readEmbeddingSetting(dataFolder: string): EmbeddingSetting | undefined {
  let text: string;
  try {
    text = readFileSync(fileIn(dataFolder), "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR"))
      return undefined;
    throw unreadable();
  }
  try {
    return setting.parse(JSON.parse(text));
  } catch {
    // No cause: what JSON and zod say quotes the file, which holds a key.
    throw unreadable();
  }
}

const unreadable = () =>
  new DeviceError("usage", {
    sentence:
      "What is kept of the embedding model cannot be read; `scouts embeddings set` sets it again, `scouts embeddings off` removes it.",
  });

/** @throws DeviceError `value_invalid` */
export function checkedSetting(value: Omit<EmbeddingSetting, "v">): EmbeddingSetting {
  const read = setting.safeParse({ v: 1, ...value });
  if (read.success) return read.data;
  throw new DeviceError("value_invalid", {
    sentence:
      "An embedding model has a name, and the http or https address of a server, such as http://127.0.0.1:11434/v1.",
  });
}

/** Keeps it for the owner of the account only, replaced as a whole. */
export function writeEmbeddingSetting(dataFolder: string, value: EmbeddingSetting): void {
  const file = fileIn(dataFolder);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

export function removeEmbeddingSetting(dataFolder: string): void {
  rmSync(fileIn(dataFolder), { force: true });
}

/** What vectors were made with: those of another name cannot be compared with them. */
export const modelNameOf = ({ model, passagePrefix }: EmbeddingSetting): string =>
  passagePrefix === "" ? model : JSON.stringify([model, passagePrefix]);
