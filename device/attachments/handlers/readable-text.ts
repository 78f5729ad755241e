import { DeviceError } from "../../errors.ts";
import type { ExtractionJob } from "../../folders/extraction/extraction.ts";
import type { ReadsDocuments } from "../../folders/extraction/read-document.ts";
import { skipReasons } from "../../folders/scanner/reasons.ts";
import type { AttachedText } from "../attachment-handler.ts";

const maxContentTokens = 100_000;

/** How content of a type is read; undefined: nobody reads it. @param type as in `Content-Type` */
export function readingOf(type: string): Pick<ExtractionJob, "kind" | "isPage"> | undefined {
  const name = type.split(";")[0]?.trim().toLowerCase() ?? "";
  if (name === "text/html" || name === "application/xhtml+xml") return { kind: "text", isPage: true };
  if (name === "application/pdf") return { kind: "pdf" };
  if (name === "application/vnd.openxmlformats-officedocument.wordprocessingml.document") return { kind: "docx" };
  const isText = name.startsWith("text/") || /^application\/(?:[\w.+-]+\+)?(?:json|xml|yaml|toml|x-ndjson)$/.test(name);
  return isText ? { kind: "text" } : undefined;
}

/**
 * Content that came from elsewhere as text, in a thread that is ended when it takes too long or too much; credentials are
 * taken out there.
 *
 * @throws DeviceError `attachment_unreadable`
 */
export async function readableText(
  bytes: Uint8Array,
  type: string,
  { extract, characters }: { readonly extract: ReadsDocuments; readonly characters: number },
): Promise<AttachedText> {
  const reading = readingOf(type);
  if (reading === undefined) throw unreadable(`it is of the type ${type === "" ? "nobody says" : type.slice(0, 100)}`);
  const read = await extract({ ...reading, bytes, maxContentTokens });
  if (read.outcome === "image") throw unreadable("it is a picture");
  if (read.outcome === "failed") throw unreadable(`it is ${skipReasons[read.reason]}`);
  const isCut = read.text.length > characters || (read.tokens ?? 0) >= maxContentTokens;
  return { text: read.text.slice(0, characters).toWellFormed(), isCut };
}

const unreadable = (why: string) =>
  new DeviceError("attachment_unreadable", { sentence: `It cannot be read as text: ${why}.` });
