import { quoted } from "../../errors/quoted.ts";
import { isDeviceError } from "../../errors.ts";
import type { DeviceStore } from "../../store/open.ts";
import { openIndexToRead, removeIndexFile, workIndexPath } from "../index/index-file.ts";
import type { Query } from "../search/parse-query.ts";
import { type SearchNote, searchNote } from "../search/search-notes.ts";
import { type Piece, type PieceSearchOptions, type PieceSource, searchPieces, type WorkHits } from "./search-pieces.ts";
import { type IndexingTold, updateWorkIndex, workAt } from "./update-work-index.ts";
import { workText } from "./work-texts.ts";

/** Searches what a person's scouts proposed and what the person keeps; what is shown is what the store says now. */
export async function searchWork(
  query: Query,
  store: DeviceStore,
  given: Omit<PieceSearchOptions, "mayShow">,
): Promise<WorkHits> {
  // None of it rests on files.
  const options = { ...given, mayShow: async () => false };
  const source = workSource(store, given.told);
  try {
    return await searchPieces(query, source, options);
  } catch (error) {
    if (!isDeviceError(error, "store_unreadable")) throw error;
    // Damage that only a search comes by: it is filled again from the store.
    removeIndexFile(workIndexPath(store.dataFolder));
    return searchPieces(query, source, options);
  }
}

function workSource(store: DeviceStore, told: IndexingTold | undefined): PieceSource {
  return {
    async open() {
      let note: SearchNote | undefined;
      try {
        await updateWorkIndex(store, told);
      } catch (error) {
        if (!isDeviceError(error, "store_busy", "store_full", "folder_unusable")) throw error;
        note = searchNote("work_behind", {}, quoted(error));
      }
      return { connection: openIndexToRead(workIndexPath(store.dataFolder)), ...(note !== undefined && { note }) };
    },
    pieceAt: async (path) => pieceAt(store, path),
  };
}

function pieceAt(store: DeviceStore, path: string): Piece | undefined {
  const named = workAt(path);
  const found = named && workText(store, named.kind, named.id);
  if (named === undefined || found === undefined) return undefined;
  const { title, sender, text, atMs, projectId } = found;
  return { ...named, title, sender, text, atMs, projectId, files: [], repeats: false };
}
