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
 * reads or searches it the last line says which pages are missing, and a line in their place which are damaged.
 *
 * @throws ExtractionError `encrypted`, `corrupt`
 */
export async function pdfText(bytes: Uint8Array, limits: PdfLimits): Promise<TextRead> {
  const startedAtMs = performance.now();
  const document = await open(bytes);
  try {
    const pages: (string | undefined)[] = [];
    let chars = 0;
    const count = Math.min(document.numPages, limits.maxPdfPages);
    for (let number = 1; number <= count; number++) {
      const text = await pageText(document, number);
      pages.push(text);
      chars += text?.length ?? 0;
      if (chars > limits.maxTextChars || performance.now() - startedAtMs > limits.softDeadlineMs) break;
    }
    if (pages.every((page) => page === undefined)) throw new ExtractionError("corrupt");
    const text = withDamaged(pages).join("\n\n");
    const isToItsEnd = pages.length === document.numPages && text.length <= limits.maxTextChars;
    if (isToItsEnd) return { text, isPart: pages.includes(undefined) };
    return { text: partOf(text, pages.length, document.numPages, limits.maxTextChars), isPart: true };
  } finally {
    await document.destroy();
  }
}

/** Pages, and in place of damaged ones, as many as stand in a row, that they are. */
function withDamaged(pages: readonly (string | undefined)[]): string[] {
  const shown: string[] = [];
  for (const [at, page] of pages.entries()) {
    if (page !== undefined) shown.push(page);
    else if (at === 0 || pages[at - 1] !== undefined) {
      const next = pages.findIndex((each, after) => after > at && each !== undefined);
      const which = next === at + 1 ? `Page ${next} is` : `Pages ${at + 1} to ${next} are`;
      // How many there were, the list of pages says no more.
      shown.push(next === -1 ? `[From page ${at + 1} on the file is damaged.]` : `[${which} damaged.]`);
    }
  }
  return shown;
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

/** Undefined for a damaged page; the others may have text. */
async function pageText(document: PdfDocument, number: number): Promise<string | undefined> {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("");
    const marks = await pageMarks(page);
    page.cleanup();
    return [text, ...marks].filter((each) => each !== "").join("\n");
  } catch {
    // Any error: whoever reads the text is told of the page.
    return undefined;
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
