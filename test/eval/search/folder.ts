import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { systemClock } from "../../../device/connection/clock.ts";
import { indexScan } from "../../../device/folders/indexer/index-scan.ts";
import { openPreparer } from "../../../device/folders/indexer/prepare.ts";
import { startScan } from "../../../device/folders/scanner/start-scan.ts";
import { embedFolders } from "../../../device/knowledge/embedding/embed-folders.ts";
import { checkedSetting, writeEmbeddingSetting } from "../../../device/knowledge/embedding/embedding-setting.ts";
import { openEmbeddingModel } from "../../../device/knowledge/embedding/open-model.ts";
import { type DeviceStore, openDeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { EvaluationError } from "../evaluation-error.ts";
import { sample } from "../sample.ts";
import type { WrittenDocument } from "./written.ts";

/** Kinds of published documents that every contender reads alike. */
const textKinds = ["md", "txt", "csv", "json", "config", "log"];
const published = new URL("../../../../shared/data/documents/dev/", import.meta.url);

export interface SearchFolder {
  readonly root: string;
  readonly store: DeviceStore;
  readonly paths: readonly string[];
  /** Has its passages embedded, and questions from now on. @throws EvaluationError when the model cannot be used */
  embed(baseUrl: string, model: string): Promise<void>;
  close(): void;
}

/** The written documents among others, published ones where they lie beside the checkout, indexed as a scan does it. */
export async function searchFolder(
  documents: readonly WrittenDocument[],
  others: number,
  seed: number,
): Promise<SearchFolder> {
  const root = mkdtempSync(join(tmpdir(), "eval-search-"));
  const dataFolder = mkdtempSync(join(tmpdir(), "eval-search-data-"));
  for (const { path, text } of documents) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const among = publishedPaths(others, seed);
  for (const path of among) cpSync(new URL(path, published), join(root, "published", path), { recursive: true });
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
  const { id: projectId } = store.projects.add("written");
  store.projects.link(projectId, root);
  const scan = await startScan({ ...systemTimeAndIds, store, projectId });
  const preparer = openPreparer(scan.files, Date.now);
  await indexScan({ store, scan, preparer, onProgress: () => undefined });
  await preparer.close();
  scan.finish({ status: "completed" });
  return {
    root,
    store,
    paths: [...documents.map(({ path }) => path), ...among.map((path) => `published/${path}`)],
    async embed(baseUrl, model) {
      const setting = checkedSetting({ baseUrl, model, key: null, questionPrefix: "", passagePrefix: "" });
      writeEmbeddingSetting(dataFolder, setting);
      const opened = await openEmbeddingModel(setting);
      const [done] = (await embedFolders({ store, setting, model: opened, clock: systemClock })) ?? [];
      if (done?.problem !== undefined)
        throw new EvaluationError(`The passages were not embedded: ${done.problem.message}`);
    },
    close() {
      store.close();
      for (const folder of [root, dataFolder]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function publishedPaths(count: number, seed: number): string[] {
  if (!existsSync(published)) return [];
  const all = textKinds.flatMap((kind) =>
    readdirSync(new URL(`${kind}/`, published))
      .filter((name) => !name.endsWith(".gz"))
      .sort()
      .map((name) => `${kind}/${name}`),
  );
  return sample(all, Math.min(count, all.length), seed);
}
