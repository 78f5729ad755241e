import { nameOf } from "../../files/paths/project-path.ts";
import { isPageName, kindOfName } from "../scanner/kinds.ts";

/**
 * By format, raised whenever the same bytes give another text: what an older reader has read is read again, once, at the
 * next start or scan. Pictures have no text.
 */
const readerVersions = { text: 1, page: 1, pdf: 2, docx: 1, image: 0 } as const;

/** Names the readers of this program, all in one. */
export const readersNow = JSON.stringify(readerVersions);

/** The version of the reader that reads files of such a name. */
export function readerOf(path: string): number {
  const name = nameOf(path);
  const kind = kindOfName(name);
  if (kind === undefined) return 0;
  return readerVersions[isPageName(name) ? "page" : kind];
}
