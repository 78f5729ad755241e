import { Parser } from "htmlparser2";
import mammoth from "mammoth";
import { ExtractionError } from "../extraction.ts";
import { archiveOf, docxTextParts } from "./docx-archive.ts";
import { marginTexts } from "./docx-margins.ts";

/** Compound File Binary: what Office wraps a document in that needs a password ([MS-OFFCRYPTO] 2.3). */
const compoundFile = Buffer.from("d0cf11e0a1b11ae1", "hex");
const encryptedStream = Buffer.from("EncryptedPackage", "utf16le");

/**
 * The text of a Word document, headings marked as in Markdown, between what its pages have as their headers, and their footers and
 * comments.
 *
 * @throws ExtractionError `encrypted`, `corrupt`, `too_complex`
 */
export async function docxText(bytes: Uint8Array, maxInflatedBytes: number): Promise<string> {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (whole.subarray(0, compoundFile.length).equals(compoundFile)) {
    throw new ExtractionError(whole.includes(encryptedStream) ? "encrypted" : "corrupt");
  }
  const parts = docxTextParts(bytes, maxInflatedBytes);
  const buffer = Buffer.from(archiveOf(parts));
  try {
    // A document may name files of this machine as its pictures (CVE-2025-11849); they are neither opened nor wanted.
    const noImages = mammoth.images.imgElement(async () => ({ src: "" }));
    const { value } = await mammoth.convertToHtml({ buffer }, { externalFileAccess: false, convertImage: noImages });
    const { above, below } = marginTexts(parts);
    return [above, htmlText(value), below].filter((text) => text !== "").join("\n");
  } catch (error) {
    throw new ExtractionError("corrupt", error);
  }
}

const lineEnding = new Set(["p", "tr", "li", "br", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "ol"]);

function htmlText(html: string): string {
  const parts: string[] = [];
  const parser = new Parser({
    onopentagname(name) {
      const level = /^h([1-6])$/.exec(name)?.[1];
      if (level !== undefined) parts.push("\n", "#".repeat(Number(level)), " ");
      if (name === "li") parts.push("- ");
    },
    ontext: (text) => void parts.push(text),
    onclosetag(name) {
      if (name === "td" || name === "th") parts.push(" | ");
      else if (lineEnding.has(name)) parts.push("\n");
    },
  });
  parser.end(html);
  return parts.join("").trimStart();
}
