import { existsSync, readFileSync } from "node:fs";
import { indexScan } from "../../../device/folders/indexer/index-scan.ts";
import { openPreparer } from "../../../device/folders/indexer/prepare.ts";
import { indexPath } from "../../../device/knowledge/index/index-file.ts";
import type { IndexUpdate } from "../../../device/knowledge/index/update-index.ts";
import { type SearchAnswer, search } from "../../../device/knowledge/search/search.ts";
import { type LinkedFolder, linkedFolder, settledNow } from "../scanner/setting.ts";

export interface IndexedFolder extends LinkedFolder {
  /** Scans, and brings the index up to date. */
  index(signal?: AbortSignal): Promise<IndexUpdate | undefined>;
  /** With its notes as the command line says them. */
  find(text: string, limit?: number): Promise<Omit<SearchAnswer, "notes"> & { readonly notes: readonly string[] }>;
  /** Paths that are found, best first. */
  paths(text: string): Promise<string[]>;
  readonly indexFile: string;
  /** All bytes the index has on the disk, its write-ahead log among them. */
  bytes(): Buffer;
}

/** A linked folder and its index, read by the threads of the product. */
export function indexedFolder(...of: Parameters<typeof linkedFolder>): IndexedFolder {
  const folder = linkedFolder(...of);
  const { store, project } = folder;
  const indexFile = indexPath(store.dataFolder, project.id);
  const find = async (text: string, limit = 10) => {
    const answer = await search({ text, limit }, { store, now: settledNow });
    return { ...answer, notes: answer.notes.map((note) => note.text) };
  };
  return {
    ...folder,
    indexFile,
    find,
    async index(signal) {
      const scan = await folder.start();
      const preparer = openPreparer(scan.files, settledNow);
      try {
        const { index } = await indexScan({ store, scan, preparer, signal, onProgress: () => undefined });
        return index;
      } finally {
        await preparer.close();
        scan.finish({ status: "completed" });
      }
    },
    paths: async (text) => (await find(text)).hits.map(({ path }) => path),
    bytes: () =>
      Buffer.concat(
        [indexFile, `${indexFile}-wal`].filter((path) => existsSync(path)).map((path) => readFileSync(path)),
      ),
  };
}

/** So much English that a passage is not all there is. */
export function filler(words: number, seed = 1): string {
  const stock = "harbour lantern cabbage window orchard copper meadow saddle pepper walnut timber candle".split(" ");
  return Array.from({ length: words }, (_, at) => stock[(at * 7 + seed * 3 + (at >> 3)) % stock.length]).join(" ");
}
