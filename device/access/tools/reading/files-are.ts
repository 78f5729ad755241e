/** How a note about some files begins: `1 file is`, `2 files of the project are`. */
export const filesAre = (count: number, ofWhat = ""): string =>
  count === 1 ? `1 file${ofWhat} is` : `${count} files${ofWhat} are`;

/** What a walk could not look at, and how many. */
export const unseenNotes = (unreadableFolders: number, unaddressableNames: number): string[] => [
  ...(unreadableFolders > 0 ? [`Folders or ignore files that may not be read: ${unreadableFolders}.`] : []),
  ...(unaddressableNames > 0 ? [`Names that no path can have: ${unaddressableNames}.`] : []),
];
