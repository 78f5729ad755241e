import process from "node:process";
import { pathToFileURL } from "node:url";
import * as z from "zod";
import { applyHunks } from "../../device/access/edits/edit-file.ts";
import { parsePatch } from "../../device/access/edits/patches/parse-patch.ts";
import { mergeThreeWay } from "../../device/access/edits/three-way-merge.ts";
import { isAccessError } from "../../device/access/errors.ts";
import { dataRows } from "./published.ts";

/** One way in which a file may hold the same text; null: it cannot hold this one. */
interface Variant {
  readonly name: string;
  readonly bytesOf: (text: string) => Buffer | null;
  /** The patch for such a file; null: it is about the very thing that is different. */
  readonly patchOf?: (patch: string) => string | null;
}

/** Every text then has characters that are no UTF-8 in Latin-1. */
const accented = (text: string) => text.replaceAll("e", "\u00e9");
const accentedPatch = (patch: string) => patch.replaceAll(/^[ +-](?!-- |\+\+ ).*$/gm, (line) => accented(line));
const crlf = (text: string) => text.replaceAll("\n", "\r\n");
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");

/** Patches stay as models write them: UTF-8, LF. */
export const variants: readonly Variant[] = [
  { name: "LF", bytesOf: (text) => Buffer.from(text) },
  { name: "CRLF", bytesOf: (text) => (text.includes("\r") ? null : Buffer.from(crlf(text))) },
  {
    name: "no final newline",
    bytesOf: (text) => (text.length > 1 && text.endsWith("\n") ? Buffer.from(text.slice(0, -1)) : null),
    patchOf: (patch) => (patch.includes("\n\\ No newline") ? null : patch),
  },
  { name: "BOM", bytesOf: (text) => Buffer.from(`\ufeff${text}`) },
  { name: "BOM, CRLF", bytesOf: (text) => (text.includes("\r") ? null : Buffer.from(`\ufeff${crlf(text)}`)) },
  { name: "UTF-16 LE", bytesOf: utf16 },
  { name: "UTF-16 BE", bytesOf: (text) => utf16(text).swap16() },
  {
    name: "Latin-1",
    bytesOf: (text) => (/[^\0-\u007f]/.test(text) ? null : Buffer.from(accented(text), "latin1")),
    patchOf: (patch) => (/[^\0-\u007f]/.test(patch) ? null : accentedPatch(patch)),
  },
];

export const patchRow = z.object({
  id: z.string(),
  kind: z.enum(["exact", "already_applied", "older_version", "newer_version"]),
  current: z.string(),
  patch: z.string(),
  expected_if_exact: z.string().nullish(),
  git_apply_ok: z.boolean(),
  git_apply_result: z.string().nullish(),
});
export const mergeRow = z.object({
  id: z.string(),
  base: z.string(),
  ours: z.string(),
  theirs: z.string(),
  git_conflicts: z.number(),
  git_result: z.string().nullish(),
});

/** What became of one case: what git makes of it to the byte, a refusal, or something else, which must not be. */
export type Outcome = "git's bytes" | "refused" | "refused, git applies" | "another text";

/** The bytes after the patch, or the code of the refusal. */
export function patched(current: Buffer, patch: string): { readonly bytes: Buffer } | { readonly refused: string } {
  try {
    const [file] = parsePatch(patch, { path: "f" }).files;
    if (file?.kind !== "update") return { refused: "not an update" };
    return { bytes: Buffer.from(applyHunks(current, file.hunks).bytes) };
  } catch (error) {
    if (isAccessError(error)) return { refused: error.code };
    throw error;
  }
}

export function patchOutcome(
  row: z.output<typeof patchRow>,
  { bytesOf, patchOf = (patch) => patch }: Variant,
): Outcome | undefined {
  const patch = patchOf(row.patch);
  const gits = row.kind === "exact" ? row.expected_if_exact : row.git_apply_ok ? row.git_apply_result : undefined;
  const current = bytesOf(row.current);
  const expected = gits == null ? undefined : bytesOf(gits);
  // The text git leaves cannot be held so.
  if (current === null || expected === null || patch === null) return undefined;
  const result = patched(current, patch);
  if ("refused" in result) return expected === undefined ? "refused" : "refused, git applies";
  return expected?.equals(result.bytes) === true ? "git's bytes" : "another text";
}

export function mergeOutcome(row: z.output<typeof mergeRow>, { bytesOf }: Variant): Outcome | undefined {
  const [base, ours, theirs] = [bytesOf(row.base), bytesOf(row.ours), bytesOf(row.theirs)];
  const expected = row.git_conflicts > 0 || row.git_result == null ? undefined : bytesOf(row.git_result);
  if (base === null || ours === null || theirs === null || expected === null) return undefined;
  const result = mergeThreeWay(base, ours, theirs);
  if (!result.clean) return expected === undefined ? "refused" : "refused, git applies";
  return expected?.equals(Buffer.from(result.bytes)) === true ? "git's bytes" : "another text";
}

/** How many cases of each kind came to what, by variant. */
export function countsByKind(): ReadonlyMap<string, ReadonlyMap<Outcome, readonly string[]>> {
  const counts = new Map<string, Map<Outcome, string[]>>();
  const note = (kind: string, id: string, outcome: Outcome | undefined) => {
    if (outcome === undefined) return;
    const of = counts.get(kind) ?? new Map<Outcome, string[]>();
    counts.set(kind, of.set(outcome, [...(of.get(outcome) ?? []), id]));
  };
  const patches = dataRows("edits/patches.jsonl.gz", patchRow);
  const merges = ["edits/three_way_merges.jsonl.gz", "edits/git_t6403_merge_file.jsonl"].flatMap((name) =>
    dataRows(name, mergeRow),
  );
  for (const variant of variants) {
    for (const row of patches) note(`${variant.name} | patch, ${row.kind}`, row.id, patchOutcome(row, variant));
    for (const row of merges) note(`${variant.name} | merge`, row.id, mergeOutcome(row, variant));
  }
  return counts;
}

/** `node test/data/edit-variants.ts`: the table of docs/LLM_FILE_ACCESS.md. */
function main(): void {
  const outcomes = ["git's bytes", "refused", "refused, git applies", "another text"] as const;
  const rows = [...countsByKind()].map(
    ([kind, of]) => `| ${[kind, ...outcomes.map((each) => of.get(each)?.length ?? 0)].join(" | ")} |`,
  );
  process.stdout.write(
    `${[`| file | case | ${outcomes.join(" | ")} |`, "|---|---|---|---|---|---|", ...rows].join("\n")}\n`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main();
