import { nameOf } from "../../files/paths/project-path.ts";
import { isPageName, kindOfName } from "../scanner/kinds.ts";

/**
 * By format, raised whenever the same bytes give another text, or other words of it: what an older reader has read is read again,
 * once, at the next start or scan. Pictures have no text.
 */
const readerVersions = { text: 2, page: 2, pdf: 4, docx: 2, image: 0 } as const;

/** Names the readers of this program, all in one. */
export const readersNow = JSON.stringify(readerVersions);

/** The version of the reader that reads files of such a name. */
export function readerOf(path: string): number {
  const name = nameOf(path);
  const kind = kindOfName(name);
  if (kind === undefined) return 0;
  return readerVersions[isPageName(name) ? "page" : kind];
}
