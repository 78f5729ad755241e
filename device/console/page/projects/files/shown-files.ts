import { type SearchWords, searchWords } from "../../inbox/search-words.ts";
import { keptPlace } from "../../list/kept-place.ts";

const words = new Map<string, SearchWords>();

/** What is looked for among the files of a project: in this tab's memory alone. */
export function wordsOf(id: string): SearchWords {
  const known = words.get(id) ?? searchWords();
  words.set(id, known);
  return known;
}

/** As many folders as the device takes (device/console/projects/contract.ts). */
const mostOpen = 500;
const open = new Map<string, readonly string[]>();

/** Which folders of each project's tree are open: their names are content, and in no address. */
export const openFolders = {
  of: (id: string): readonly string[] => open.get(id) ?? [],
  keep: (id: string, folders: readonly string[]): void => void open.set(id, folders.slice(-mostOpen)),
};

/** Where one is in a list of files: a row is known by its place alone. */
export const filesPlace = keptPlace("files");
