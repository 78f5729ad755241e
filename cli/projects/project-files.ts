import { type Command, Option } from "commander";
import { age } from "../../device/age.ts";
import { isKnownCode, sentenceOf } from "../../device/errors.ts";
import { type KeptState, keptStateOf, keptStates } from "../../device/folders/manifest/kept-state.ts";
import { notLinked } from "../../device/folders/not-linked.ts";
import { readInPart, wordsFor } from "../../device/folders/scanner/reasons.ts";
import type { FolderFile } from "../../device/store/folder-schema.ts";
import { type ManifestKind, manifestKinds } from "../../events/frames/folders.ts";
import { type CliContext, type CommonOptions, wholeNumber, withCommonOptions, withStore } from "../context.ts";
import { counted } from "../output/counted.ts";
import type { Output } from "../output/output.ts";
import { table } from "../output/table.ts";
import { projectNamed } from "./project-named.ts";

interface FilesFlags extends CommonOptions {
  readonly kind?: ManifestKind[];
  readonly state?: KeptState[];
  readonly limit?: number;
}

const stateStyles = {
  current: "green",
  stale: "yellow",
  pending: "yellow",
  waiting: "yellow",
  failed: "red",
  skipped: "dim",
} as const;

/** A file without what only the next scan needs. */
function forPrograms(file: FolderFile) {
  const { version: _version, inode: _inode, ctimeMs: _ctimeMs, ...told } = file;
  return { ...told, state: keptStateOf(file) };
}

const sizeUnits = ["B", "kB", "MB", "GB"] as const;

/** A size in its largest unit of a thousand: `812 B`, `4.2 kB`, `31 MB`. */
export function size(bytes: number): string {
  const power = Math.min(sizeUnits.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 9.95 ? Math.round(value) : value.toFixed(1)} ${sizeUnits[power]}`;
}

/** The summary, or what stands in its place. */
function saidOf(file: FolderFile): string {
  const state = keptStateOf(file);
  if (state === "failed") return failedText(file.skipReason ?? "");
  if (state === "skipped") return wordsFor(file.skipReason ?? "") ?? file.summary ?? "";
  if (state === "waiting") return file.summary ?? "waits for the month's tokens";
  const summary = file.summary ?? "";
  return file.skipReason === readInPart ? `(read in part) ${summary}` : summary;
}

const failedText = (code: string): string =>
  isKnownCode(code) ? `failed: ${sentenceOf(code)} (${code})` : `failed: ${code.replaceAll("_", " ")}`;

function showFiles(output: Output, files: readonly FolderFile[], total: number, nowMs: number): void {
  table(output, files, [
    { title: "STATE", cell: keptStateOf, style: (file) => stateStyles[keptStateOf(file)] },
    { title: "KIND", cell: ({ kind, tag }) => (tag === null ? kind : `${kind}/${tag}`) },
    { title: "SIZE", cell: ({ sizeBytes }) => size(sizeBytes) },
    { title: "CHANGED", cell: ({ mtimeMs }) => age(mtimeMs, nowMs) },
    { title: "PATH", cell: ({ relativePath }) => relativePath, least: 18, cutMiddle: true },
    { title: "SUMMARY", cell: saidOf, fills: true },
  ]);
  const all = counted(total, "file");
  output.line(output.style("dim", files.length === total ? all : `${files.length} of ${all}`));
}

/** `scouts project files`: the manifest as it is kept on this device. */
export function addProjectFiles(project: Command, context: CliContext): void {
  const files = project
    .command("files")
    .description("list the files of a project's folder and what they are about")
    .argument("<project>", "name or id of a project")
    .addOption(new Option("--kind <kind...>", "only these").choices(manifestKinds))
    .addOption(new Option("--state <state...>", "only these").choices(keptStates))
    .option("--limit <number>", "at most so many", wholeNumber(1, 1_000_000));
  withCommonOptions(files).action((text: string, flags: FilesFlags) =>
    withStore(context, flags, (store, output) => {
      const { id, name, folderPath } = projectNamed(store, text);
      if (folderPath === null) throw notLinked(name);
      const { kind, state, limit = Number.POSITIVE_INFINITY } = flags;
      const found = store.folderFiles
        .list(id)
        .filter((file) => kind === undefined || kind.includes(file.kind))
        .filter((file) => state === undefined || state.includes(keptStateOf(file)));
      const shown = found.slice(0, limit);
      if (flags.json) output.json(shown.map(forPrograms));
      else showFiles(output, shown, found.length, context.now());
    }),
  );
}
