import type { IndexedKind } from "../../../events/frames/folders.ts";
import { Redactor } from "../../../shared/privacy/redaction/redact.ts";
import { isPasswordExport } from "../../access/policy/sensitivity.ts";
import { indexedText } from "../../knowledge/text/indexed-text.ts";
import type { ExtractionLimits } from "../scanner/limits.ts";
import { excerptOf } from "./excerpt.ts";
import { type Extraction, ExtractionError, type ExtractionJob, type TextRead } from "./extraction.ts";

const redactor = new Redactor();

/** Turns a file's bytes into what may travel. Readers are loaded when they are first needed. Runs in a thread that can be ended. */
export async function extract(job: ExtractionJob, limits: ExtractionLimits): Promise<Extraction> {
  try {
    if (job.kind === "image") {
      const { smallImage } = await import("./small-image.ts");
      return { outcome: "image", image: await smallImage(job.bytes, limits) };
    }
    const read = await textOfKind(job.kind, job, limits);
    const text = read.text.slice(0, limits.maxTextChars).toWellFormed();
    const isPart = read.isPart || read.text.length > limits.maxTextChars;
    if (text.trim() === "") throw new ExtractionError("no_text");
    if (isPasswordExport(text)) throw new ExtractionError("password_export");
    // Before anything is cut: half a credential is not recognised.
    const redacted = redactor.redact(text);
    const { text: excerpt, tokens } =
      job.maxContentTokens > 0 ? await excerptOf(redacted.text, job.maxContentTokens) : { text: "", tokens: null };
    const indexed = job.shape && indexedText(redacted.text, job.shape, !standsAsItIs(job));
    return {
      outcome: "text",
      text: excerpt,
      tokens,
      redactions: redacted.count,
      ...(isPart && { isPart }),
      ...(indexed && { indexed }),
    };
  } catch (error) {
    if (error instanceof ExtractionError) return { outcome: "failed", reason: error.reason };
    throw error;
  }
}

/** Whether a passage can be read from the file itself, by its lines. */
const standsAsItIs = ({ kind, isPage }: ExtractionJob): boolean => kind === "text" && isPage !== true;

async function textOfKind(
  kind: Exclude<IndexedKind, "image">,
  { bytes, isPage }: ExtractionJob,
  limits: ExtractionLimits,
): Promise<TextRead> {
  switch (kind) {
    case "text": {
      const text = (await import("./text/decode-text.ts")).textOf(bytes);
      // A page that shows nothing by itself is a program.
      const shown = isPage ? (await import("./text/html-text.ts")).htmlText(text) || text : text;
      return { text: shown, isPart: false };
    }
    case "pdf":
      return (await import("./pdf/pdf-text.ts")).pdfText(bytes, limits);
    case "docx":
      return {
        text: await (await import("./word/docx-text.ts")).docxText(bytes, limits.maxInflatedBytes),
        isPart: false,
      };
  }
}
