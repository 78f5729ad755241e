import type { QuotaCheckResponse } from "../../../events/http/usage.ts";
import { countTokens } from "../../access/reading/token-count.ts";
import { overheadTokens } from "../scanner/estimate-tokens.ts";
import type { FileToSummarize } from "../scanner/scan-project.ts";
import type { Preparation, Preparer } from "./prepare.ts";

/** What was prepared to count its tokens is kept until it is sent, up to so many characters. */
const maxKeptCharacters = 8 * 1024 * 1024;

/** How many of the files the month's tokens will do for. */
export interface PlanFit {
  readonly files: number;
  /** What all of them need, about. */
  readonly tokens: number;
  readonly tokensLeft: number;
  /** The newest so many, about. */
  readonly fits: number;
  readonly resetsAt: number;
}

export interface FilesInOrder {
  readonly files: readonly FileToSummarize[];
  /** Absent when they all fit. */
  readonly fit?: PlanFit;
  /** As {@link Preparer.prepare}; what is prepared already is not read again. */
  prepare(file: FileToSummarize, signal: AbortSignal | undefined): Promise<Preparation>;
}

/**
 * The files as they are to be summarised: as they come when the month's tokens will do by a guess from their sizes,
 * otherwise the newest first, counted by the tokenizer as far as they fit.
 *
 * @throws as {@link Preparer.prepare}
 */
export async function fitToPlan(
  files: readonly FileToSummarize[],
  { monthlyTokens, used, resetsAt }: QuotaCheckResponse,
  preparer: Preparer,
  signal: AbortSignal | undefined,
): Promise<FilesInOrder> {
  const guessed = files.reduce((sum, { estimatedTokens }) => sum + estimatedTokens, 0);
  const tokensLeft = monthlyTokens === null ? Number.POSITIVE_INFINITY : monthlyTokens - used;
  if (guessed <= tokensLeft) return { files, prepare: preparer.prepare };
  const newestFirst = files.toSorted((a, b) => b.mtimeMs - a.mtimeMs);
  const kept = new Map<string, Preparation>();
  let characters = 0;
  let tokens = 0;
  let fits = 0;
  for (const file of newestFirst) {
    const isWanted = tokens <= tokensLeft && characters <= maxKeptCharacters;
    const prepared = isWanted ? await preparer.prepare(file, signal) : undefined;
    if (prepared) kept.set(file.relPath, prepared);
    if (prepared?.outcome === "ready") characters += prepared.file.content.length;
    tokens += await tokensOf(file, prepared);
    if (tokens <= tokensLeft) fits += 1;
  }
  return {
    files: newestFirst,
    ...(fits < files.length && { fit: { files: files.length, tokens, tokensLeft, fits, resetsAt } }),
    async prepare(file, until) {
      const prepared = kept.get(file.relPath);
      kept.delete(file.relPath);
      return prepared ?? preparer.prepare(file, until);
    },
  };
}

async function tokensOf(file: FileToSummarize, prepared: Preparation | undefined): Promise<number> {
  if (prepared === undefined) return file.estimatedTokens;
  if (prepared.outcome !== "ready") return 0;
  return prepared.tokens ?? (await countTokens(prepared.file.content)) + overheadTokens;
}
