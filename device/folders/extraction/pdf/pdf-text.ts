import { getDocumentProxy } from "unpdf";
import { ExtractionError, type TextRead } from "../extraction.ts";
import { markTexts } from "./pdf-marks.ts";

export interface PdfLimits {
  readonly maxPdfPages: number;
  readonly softDeadlineMs: number;
  readonly maxTextChars: number;
}

/**
 * The text of a PDF, page by page until a limit is reached: what is read by then is enough for a summary, and for whoever
 * reads or searches it the last line says which pages are missing.
 *
 * @throws ExtractionError `encrypted`, `corrupt`
 */
export async function pdfText(bytes: Uint8Array, limits: PdfLimits): Promise<TextRead> {
  const startedAtMs = performance.now();
  const document = await open(bytes);
  try {
    const pages: string[] = [];
    let chars = 0;
    const count = Math.min(document.numPages, limits.maxPdfPages);
    for (let number = 1; number <= count; number++) {
      const text = await pageText(document, number);
      pages.push(text);
      chars += text.length;
      if (chars > limits.maxTextChars || performance.now() - startedAtMs > limits.softDeadlineMs) break;
    }
    const text = pages.join("\n\n");
    const isWhole = pages.length === document.numPages && text.length <= limits.maxTextChars;
    if (isWhole) return { text, isPart: false };
    return { text: partOf(text, pages.length, document.numPages, limits.maxTextChars), isPart: true };
  } finally {
    await document.destroy();
  }
}

function partOf(text: string, read: number, total: number, maxChars: number): string {
  // Of the last page that was begun the end may be missing.
  const first = Math.min(read + 1, total);
  const note = `\n\n[Pages ${first} to ${total} were not read.]`;
  return text.slice(0, Math.max(0, maxChars - note.length)) + note;
}

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

async function open(bytes: Uint8Array): Promise<PdfDocument> {
  try {
    // Nothing a file says is run as code, and no font of this machine is looked for.
    const options = { isEvalSupported: false, useSystemFonts: false, disableFontFace: true, verbosity: 0 };
    return await getDocumentProxy(bytes, options);
  } catch (error) {
    const isLocked = error instanceof Error && error.name === "PasswordException";
    throw new ExtractionError(isLocked ? "encrypted" : "corrupt", error);
  }
}

/** A damaged page has no text; the others may. */
async function pageText(document: PdfDocument, number: number): Promise<string> {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("");
    const marks = await pageMarks(page);
    page.cleanup();
    return [text, ...marks].filter((each) => each !== "").join("\n");
  } catch (error) {
    if (number === 1 && document.numPages === 1) throw new ExtractionError("corrupt", error);
    return "";
  }
}

/** What was filled in or remarked; where that is damaged the page's own text counts. */
async function pageMarks(page: Awaited<ReturnType<PdfDocument["getPage"]>>): Promise<readonly string[]> {
  try {
    return markTexts(await page.getAnnotations());
  } catch {
    // Any error: what stands on the page can be read without its marks.
    return [];
  }
}
