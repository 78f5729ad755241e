import { quoted } from "../../errors/quoted.ts";
import { isDeviceError } from "../../errors.ts";
import type { DeviceStore } from "../../store/open.ts";
import { keptIndexPath, openIndexToRead, removeIndexFile } from "../index/index-file.ts";
import type { Query } from "../search/parse-query.ts";
import { type SearchNote, searchNote } from "../search/search-notes.ts";
import { type PieceSearchOptions, type PieceSource, searchPieces, type WorkHits } from "../work/search-pieces.ts";
import { artifactsOf, keptAt } from "./kept-texts.ts";
import { keptIndexInMemory, updateKeptIndex } from "./update-kept-index.ts";

/** Searches what agents answered and looked up before. */
export async function searchKept(query: Query, store: DeviceStore, options: PieceSearchOptions): Promise<WorkHits> {
  const source = keptSource(store, options);
  try {
    return await searchPieces(query, source, options);
  } catch (error) {
    if (!isDeviceError(error, "store_unreadable")) throw error;
    // Damage that only a search comes by: all that is in it is read again.
    removeIndexFile(keptIndexPath(store.dataFolder));
    return searchPieces(query, source, options);
  }
}

function keptSource(store: DeviceStore, { mayShow, nowMs }: PieceSearchOptions): PieceSource {
  return {
    async open() {
      const { vault } = store;
      const locked = vault.lockedBy();
      if (locked !== undefined)
        return { connection: undefined, note: searchNote("answers_locked", {}, quoted(locked)) };
      if (vault.file !== undefined) {
        return { connection: await keptIndexInMemory({ store, mayShow, nowMs }), staysOpen: true };
      }
      let note: SearchNote | undefined;
      try {
        await updateKeptIndex({ store, mayShow, nowMs });
      } catch (error) {
        if (!isDeviceError(error, "store_busy", "store_full", "folder_unusable")) throw error;
        note = searchNote("answers_behind", {}, quoted(error));
      }
      return { connection: openIndexToRead(keptIndexPath(store.dataFolder)), ...(note !== undefined && { note }) };
    },
    pieceAt: async (path) => keptAt(store, await artifactsOf(store, nowMs), path),
  };
}
