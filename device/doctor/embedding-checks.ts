import { existsSync } from "node:fs";
import { quoted } from "../errors/quoted.ts";
import { isDeviceError } from "../errors.ts";
import { openDeviceStore, storePath } from "../store/open.ts";
import type { TimeAndIds } from "../time-and-ids.ts";
import type { Check } from "./checks.ts";
import { found } from "./findings.ts";

const timeoutMs = 10_000;
const name = "embeddings";

/** Whether searches by meaning work, where an embedding model is set. */
export async function checkEmbeddings(dataFolder: string, { now, newId }: TimeAndIds): Promise<Check[]> {
  if (!existsSync(storePath(dataFolder))) return [];
  const { readEmbeddingSetting } = await import("../knowledge/embedding/embedding-setting.ts");
  try {
    const setting = readEmbeddingSetting(dataFolder);
    if (setting === undefined) return [];
    // What the other commands do not need is not loaded for them.
    const { embeddingState, probeEmbedding } = await import("../knowledge/embedding/embedding-state.ts");
    const store = openDeviceStore({ dataFolder, mustExist: true, now, newId });
    try {
      const { extensionMissing: reason, folders } = await embeddingState(store, now());
      if (reason !== null) return [{ name, state: "fail", ...found("embeddings_extension", { reason }) }];
      const values = { name: setting.model, where: setting.baseUrl };
      const answer = await probeEmbedding(setting, timeoutMs);
      if (typeof answer !== "number") {
        const { code } = answer;
        const why = quoted(answer);
        return [{ name, state: "fail", ...found("embeddings_failed", { ...values, reason: code }, { why }) }];
      }
      const embedded = folders.reduce((sum, each) => sum + each.embedded, 0);
      const passages = folders.reduce((sum, each) => sum + each.passages, 0);
      return [{ name, state: "ok", ...found("embeddings_ok", { ...values, embedded, passages }) }];
    } finally {
      store.close();
    }
  } catch (error) {
    // What is wrong with the database another check says.
    if (!isDeviceError(error)) throw error;
    return error.code === "usage"
      ? [{ name, state: "fail", ...found("embeddings_unreadable", {}, { why: quoted(error) }) }]
      : [];
  }
}
