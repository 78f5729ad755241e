import { createHash } from "node:crypto";
import { readSlice } from "./content.ts";
import type { FoundSlice, KnownSlice } from "./slice.ts";

/**
 * What bytes that were found in a file are to those that lay there before: the `same`; the same and line ends behind them, as
 * a program writes before it appends; `grown`, when they were read before all of them were written; or others.
 */
export type Origin =
  | { readonly how: "other" }
  | { readonly how: "same" | "padded" | "grown"; readonly before: KnownSlice };

const carriageReturn = 13;
const newline = 10;

export async function originOf(path: string, before: KnownSlice | undefined, found: FoundSlice): Promise<Origin> {
  if (before === undefined) return { how: "other" };
  if (before.hash === found.hash) return { how: "same", before };
  if (found.length <= before.length) return { how: "other" };
  const bytes = await readSlice(path, before.offset, found.length);
  const beginning = bytes?.subarray(0, before.length);
  if (bytes === undefined || beginning === undefined || sha256(beginning) !== before.hash) return { how: "other" };
  const isPadding = bytes.subarray(before.length).every((byte) => byte === newline || byte === carriageReturn);
  return { how: isPadding ? "padded" : "grown", before };
}

export function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
