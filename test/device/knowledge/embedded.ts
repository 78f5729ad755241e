import { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../../device/connection/clock.ts";
import { embedFolders } from "../../../device/knowledge/embedding/embed-folders.ts";
import type { EmbedUpdate } from "../../../device/knowledge/embedding/embed-project.ts";
import { type EmbeddingSetting, writeEmbeddingSetting } from "../../../device/knowledge/embedding/embedding-setting.ts";
import { openEmbeddingModel } from "../../../device/knowledge/embedding/open-model.ts";
import type { EmbeddingServer } from "./embedding-server.ts";
import type { IndexedFolder } from "./setting.ts";

/** Keeps a setting for the model of a server. */
export function useModel(
  folder: IndexedFolder,
  server: EmbeddingServer,
  change: Partial<EmbeddingSetting> = {},
): EmbeddingSetting {
  const setting: EmbeddingSetting = {
    v: 1,
    baseUrl: server.url,
    model: "words-1",
    key: null,
    questionPrefix: "",
    passagePrefix: "",
    ...change,
  };
  writeEmbeddingSetting(folder.store.dataFolder, setting);
  return setting;
}

/** A clock on which no wait takes any time. */
export function hurriedClock(): Clock & { readonly waitedMs: number[] } {
  const waitedMs: number[] = [];
  return {
    waitedMs,
    now: () => 1_793_000_000_000,
    after(delayMs, work) {
      waitedMs.push(delayMs);
      queueMicrotask(work);
      return () => undefined;
    },
  };
}

/** One pass over all folders. */
export async function embedded(
  { store }: IndexedFolder,
  setting: EmbeddingSetting,
  { clock = hurriedClock(), signal }: { clock?: Clock; signal?: AbortSignal } = {},
): Promise<EmbedUpdate | undefined> {
  const model = await openEmbeddingModel(setting);
  const [update] = (await embedFolders({ store, setting, model, clock, signal })) ?? [];
  return update;
}

/** What the index holds: how many vectors, of how many bytes, made with what. */
export function vectorsIn({ indexFile }: IndexedFolder) {
  const connection = new DatabaseSync(indexFile, { readOnly: true });
  try {
    const passages = Number(connection.prepare("SELECT sum(count) AS n FROM documents").get()?.["n"]);
    const vectors = connection.prepare("SELECT id, vector FROM vectors ORDER BY id").all();
    const madeWith = connection.prepare("SELECT value FROM facts WHERE name = 'vectorsMadeWith'").get()?.["value"];
    return {
      passages,
      vectors: vectors.map(({ vector }) => (vector instanceof Uint8Array ? Buffer.from(vector) : null)),
      madeWith: madeWith === undefined ? undefined : JSON.parse(String(madeWith)),
    };
  } finally {
    connection.close();
  }
}
