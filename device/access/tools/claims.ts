import type { FileToolInput, FileToolName } from "../../../events/agent-tools/file-tools.ts";
import { type ParseOptions, parsePatch } from "../edits/patches/parse-patch.ts";
import type { ParsedPatch } from "../edits/patches/patch.ts";
import type { Claim } from "../policy/gate.ts";

const read = (asked: string): Claim => ({ needs: "read", asked });
const write = (asked: string): Claim => ({ needs: "write", asked });

type Claims = { readonly [T in FileToolName]: (input: FileToolInput<T>) => readonly Claim[] };

/**
 * What each tool is about, told by its arguments alone. The gate decides on all of it before the tool runs; a tool without
 * a row here cannot be called.
 */
export const claims: Claims = {
  list_files: ({ path }) => [{ needs: "list", asked: path }],
  read_file: ({ path }) => [read(path)],
  read_lines: ({ path }) => [read(path)],
  get_excerpt: ({ path }) => [read(path)],
  // A file that is named is meant; what a search of many files may not show, it leaves out.
  grep_files: ({ paths = [] }) => paths.map(read),
  // What it may not show, it leaves out.
  search_content: () => [],
  write_file: ({ path }) => [write(path)],
  apply_patch: (input) =>
    patchOf(input).files.flatMap((file) => [
      write(file.path),
      ...(file.kind === "update" && file.moveTo !== undefined ? [write(file.moveTo)] : []),
    ]),
  get_diff: ({ path }) => [read(path)],
  file_history: ({ path }) => [read(path)],
  summarize_file: ({ path }) => [read(path)],
  rollback: ({ path }) => [write(path)],
  // Of all files it leaves out what it may not show.
  record_changes: ({ paths = [] }) => paths.map(read),
};

const parsed = new WeakMap<object, ParsedPatch>();

/** The patch of a call, read once. @throws AccessError `patch_malformed`, `patch_empty` */
export function patchOf(input: FileToolInput<"apply_patch">): ParsedPatch {
  const known = parsed.get(input);
  if (known !== undefined) return known;
  const options: ParseOptions = {
    ...(input.format && { format: input.format }),
    ...(input.path !== undefined && { path: input.path }),
  };
  const patch = parsePatch(input.patch, options);
  parsed.set(input, patch);
  return patch;
}
