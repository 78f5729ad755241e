import type { IndexedKind } from "../../../events/frames/folders.ts";

const mebibyte = 1024 * 1024;

/** What a scan takes on, all in one place. */
export const scanLimits = {
  /** Larger files are listed in the manifest and not read. */
  maxFileBytes: mebibyte,
  maxImageBytes: 5 * mebibyte,
  /** Files in a manifest. */
  maxFiles: 100_000,
  /** Entries looked at, of whatever type. */
  maxEntries: 2_000_000,
  /** Segments of a path. */
  maxDepth: 64,
  maxDurationMs: 10 * 60_000,
  /** Types counted by name; the rest are counted together. */
  maxCountedTypes: 100,
} as const;

/** A whole number of each; tests make them smaller. */
export type ScanLimits = { readonly [K in keyof typeof scanLimits]: number };

/** The largest file of a kind that is read, in bytes. */
export function maxBytesOf(kind: IndexedKind, limits: ScanLimits = scanLimits): number {
  return kind === "image" ? limits.maxImageBytes : limits.maxFileBytes;
}

/** What turning one file into text or a small picture may cost. */
export const extractionLimits = {
  /** The sessions' free allowance is 100,000 tokens for 200 files. */
  maxContentTokens: 1_000,
  deadlineMs: 20_000,
  /** After this long a PDF is taken as far as it was read. */
  softDeadlineMs: 8_000,
  maxInflatedBytes: 64 * mebibyte,
  /** Of memory outside JavaScript's heap, where inflated streams and pixels live. */
  maxExternalBytes: 512 * mebibyte,
  maxHeapMegabytes: 512,
  maxPdfPages: 5_000,
  /** Text kept for choosing an excerpt from. */
  maxTextChars: 4_000_000,
  maxPixels: 25_000_000,
  /** A picture of 512 × 512 is one "low detail" picture to OpenAI's models (platform.openai.com, vision guide). */
  maxImageSidePixels: 512,
} as const;

/** A whole number of each; tests make them smaller. */
export type ExtractionLimits = { readonly [K in keyof typeof extractionLimits]: number };
