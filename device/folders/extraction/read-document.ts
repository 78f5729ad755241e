import type { IndexedKind } from "../../../events/frames/folders.ts";
import type { SkipReason } from "../scanner/reasons.ts";
import type { Extraction, ExtractionJob } from "./extraction.ts";
import { imageHeader } from "./image-header.ts";

/** An image travels as base64 in what a model is given: a larger one would fill its window. */
export const maxBase64Characters = 32_000;

/** Makes documents readable on this device; credentials are taken out of their text. */
export type ReadsDocuments = (job: ExtractionJob) => Promise<Extraction>;

/** A file that is no plain text, as a model can be given it. */
export type ReadDocument =
  | { readonly kind: "text"; readonly text: string; readonly redactions: number }
  | { readonly kind: "image"; readonly mimeType: string; readonly base64: string; readonly isSmaller: boolean }
  | { readonly kind: "unreadable"; readonly reason: SkipReason };

/** The one reader of documents and pictures for agents, tools and attachments. Small pictures stay as they are. */
export async function readDocument(
  job: ExtractionJob & { readonly kind: Exclude<IndexedKind, "text"> },
  read: ReadsDocuments,
): Promise<ReadDocument> {
  const { bytes } = job;
  const format = job.kind === "image" ? imageHeader(bytes)?.format : undefined;
  if (format !== undefined && base64Length(bytes.length) <= maxBase64Characters) {
    const base64 = Buffer.from(bytes).toString("base64");
    return { kind: "image", mimeType: `image/${format}`, base64, isSmaller: false };
  }
  const extraction = await read(job);
  switch (extraction.outcome) {
    case "image":
      return { kind: "image", mimeType: extraction.image.mime, base64: extraction.image.base64, isSmaller: true };
    case "text":
      return { kind: "text", text: extraction.text, redactions: extraction.redactions };
    case "failed":
      return { kind: "unreadable", reason: extraction.reason };
  }
}

const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4;
