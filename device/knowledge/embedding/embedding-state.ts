import { isScoutsError, type ScoutsError } from "../../../events/errors.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import { isDeviceError } from "../../errors.ts";
import type { DeviceStore } from "../../store/open.ts";
import { indexPath, openIndexToRead } from "../index/index-file.ts";
import { IndexThread } from "../index/index-thread.ts";
import { embeddedSoFar, monthOf } from "../vectors/index-vectors.ts";
import { findVectorExtension } from "../vectors/vector-extension.ts";
import {
  type EmbeddingSetting,
  modelNameOf,
  readEmbeddingSetting,
  removeEmbeddingSetting,
} from "./embedding-setting.ts";
import { openEmbeddingModel } from "./open-model.ts";

/** How far one folder is. */
export interface FolderEmbedded {
  readonly project: string;
  readonly passages: number;
  /** Of those, by the model that is set. */
  readonly embedded: number;
  /** Billed by the model this month, for this folder. */
  readonly tokens: number;
}

export interface EmbeddingState {
  /** Null when none is set: words alone are looked for. */
  readonly model: string | null;
  readonly baseUrl: string | null;
  /** Why SQLite's extension for vectors does not load here; null when it does. */
  readonly extensionMissing: string | null;
  readonly folders: readonly FolderEmbedded[];
}

/** What is set, and how far the linked folders are. @throws DeviceError `usage`, `store_unreadable` */
export async function embeddingState(store: DeviceStore, nowMs: number): Promise<EmbeddingState> {
  const setting = readEmbeddingSetting(store.dataFolder);
  const extension = await findVectorExtension();
  const linked = store.projects.linked();
  return {
    model: setting?.model ?? null,
    baseUrl: setting?.baseUrl ?? null,
    extensionMissing: "missing" in extension ? extension.missing : null,
    folders: linked.map(({ id, name }) => {
      const connection = openIndexToRead(indexPath(store.dataFolder, id));
      try {
        if (connection === undefined) return { project: name, passages: 0, embedded: 0, tokens: 0 };
        const { passages, embedded, madeWith, tokens } = embeddedSoFar(connection, monthOf(nowMs));
        const isSame = setting !== undefined && madeWith?.model === modelNameOf(setting);
        return { project: name, passages, embedded: isSame ? embedded : 0, tokens };
      } finally {
        connection?.close();
      }
    }),
  };
}

/** Asks a model for one vector. @returns its length, or why there is none */
export async function probeEmbedding(setting: EmbeddingSetting, timeoutMs: number): Promise<number | ScoutsError> {
  const model = await openEmbeddingModel(setting);
  try {
    const { vectors } = await model.embed({ texts: new Transient(["ok"]), timeoutMs });
    return vectors[0]?.length ?? 0;
  } catch (error) {
    if (isScoutsError(error)) return error;
    throw error;
  }
}

/** From now on words alone are looked for; what was made by the model goes. @throws DeviceError as {@link IndexThread.ask} */
export async function turnOffEmbedding(store: DeviceStore): Promise<void> {
  removeEmbeddingSetting(store.dataFolder);
  for (const { id, folderPath } of store.projects.list()) {
    const path = indexPath(store.dataFolder, id);
    if (folderPath === null || !hasIndex(path)) continue;
    const thread = new IndexThread(path);
    try {
      await thread.ask({ do: "dropVectors" });
      await thread.close();
    } finally {
      await thread.end();
    }
  }
}

function hasIndex(path: string): boolean {
  try {
    const connection = openIndexToRead(path);
    connection?.close();
    return connection !== undefined;
  } catch (error) {
    // A damaged one is made anew by the next scan, without vectors.
    if (isDeviceError(error, "store_unreadable")) return false;
    throw error;
  }
}
