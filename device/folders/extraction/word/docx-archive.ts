import { type Unzipped, unzipSync, zipSync } from "fflate";
import { ExtractionError } from "../extraction.ts";

/** The parts of a document that hold text or say where it is; pictures, fonts and embedded files are left behind. */
const wanted = /^(?:\[Content_Types\]\.xml|_rels\/.*\.rels|word\/(?:[^/]+|_rels\/[^/]+)\.(?:xml|rels))$/i;

/** The parts by their names, `word/document.xml`. */
export type DocxParts = Unzipped;

/**
 * A DOCX file's text parts.
 *
 * What the archive says about sizes is added up before anything is inflated, and no part becomes larger than it says: a
 * bomb either confesses or is cut off.
 *
 * @throws ExtractionError `corrupt`, `too_complex` (more than `maxInflatedBytes`)
 */
export function docxTextParts(bytes: Uint8Array, maxInflatedBytes: number): DocxParts {
  let declared = 0;
  const parts = unzipped(bytes, ({ name, size, originalSize }) => {
    if (!wanted.test(name)) return false;
    declared += Math.max(size, originalSize);
    if (declared > maxInflatedBytes) throw new ExtractionError("too_complex");
    return true;
  });
  if (!Object.keys(parts).some((name) => /^word\/[^/]+\.xml$/i.test(name))) throw new ExtractionError("corrupt");
  return parts;
}

/** Parts in an archive of their own, not compressed, so that whoever reads it inflates nothing. */
export const archiveOf = (parts: DocxParts): Uint8Array => zipSync(parts, { level: 0 });

function unzipped(
  bytes: Uint8Array,
  filter: (part: { name: string; size: number; originalSize: number }) => boolean,
): Unzipped {
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    if (error instanceof ExtractionError) throw error;
    throw new ExtractionError("corrupt", error);
  }
}
