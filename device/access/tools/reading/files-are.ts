/** How a note about some files begins: `1 file is`, `2 files of the project are`. */
export const filesAre = (count: number, ofWhat = ""): string =>
  count === 1 ? `1 file${ofWhat} is` : `${count} files${ofWhat} are`;
