import type { FileTag, ManifestKind } from "../../events/frames/folders.ts";
import type { ProjectId } from "../../events/ids.ts";
import { nameOf } from "../files/paths/project-path.ts";
import { type KeptState, keptStateOf } from "../folders/manifest/kept-state.ts";
import type { FileState } from "../folders/manifest/manifest-file.ts";
import { manifestFile } from "../folders/manifest/read-manifest.ts";
import { kindOfName } from "../folders/scanner/kinds.ts";
import { readInPart } from "../folders/scanner/reasons.ts";
import { searchWords } from "../proposals/proposal-page.ts";
import type { DeviceStore } from "../store/open.ts";
import type { ListedFile, ListedFilter } from "../store/tables/manifest/listed-files.ts";

/** What a list of files may show, and which kinds that is. */
export const fileFilters = {
  all: undefined,
  text: ["text"],
  image: ["image"],
  pdf: ["pdf"],
  office: ["docx"],
  skipped: ["skipped"],
  failed: ["error"],
} as const satisfies Record<string, readonly ManifestKind[] | undefined>;
export type FileFilter = keyof typeof fileFilters;

export interface FileListRequest {
  readonly show: FileFilter;
  /** What the path must hold, each word somewhere: as a person types it. */
  readonly words: string;
  /** How many lie before the part that is asked for. */
  readonly from: number;
  readonly limit: number;
}

/** How the files that are not as the manifest has them compare with it, by path. */
export type DiskStates = ReadonlyMap<string, FileState>;

/** A file in a list. */
export interface ShownFile {
  /** Its own for as long as it is known: names it where a path must not be written. */
  readonly number: number;
  readonly path: string;
  /** Of one that was left out or failed, the kind that its name says. */
  readonly kind: ManifestKind;
  readonly tag: FileTag | null;
  readonly sizeBytes: number;
  /** Milliseconds since the epoch. */
  readonly mtimeMs: number;
  readonly summary: string | null;
  readonly state: KeptState;
  /** Why it was left out, or failed; or that it was read in part only. */
  readonly reason: string | null;
  /** As an agent is told: `stale` when its summary is about another content, `gone` when it is not there any more. */
  readonly onDisk: FileState;
}

/** A file of a manifest as a list shows it. @param disk absent while nobody has looked */
export function shownFile(row: ListedFile, disk: DiskStates | undefined): ShownFile {
  const { id: number, relativePath: path, kind, tag, sizeBytes, mtimeMs, summary, skipReason } = row;
  const state = keptStateOf(row);
  const isRead = kind !== "skipped" && kind !== "error";
  return {
    ...{ number, path, tag, sizeBytes, mtimeMs, state },
    kind: isRead ? kind : (kindOfName(nameOf(path)) ?? kind),
    // Of what was left out it says no more than the reason does.
    summary: state === "skipped" ? null : summary,
    reason: state === "skipped" || state === "failed" || skipReason === readInPart ? skipReason : null,
    onDisk: manifestFile(row, disk?.get(path)).state,
  };
}

/** A part of a project's files, by path, and how many there are in all. */
export function filePage(store: DeviceStore, projectId: ProjectId, request: FileListRequest, disk?: DiskStates) {
  const filter = filterOf(request);
  return store.transaction(() => ({
    files: store.listedFiles.page(projectId, filter, request).map((row) => shownFile(row, disk)),
    total: store.listedFiles.count(projectId, filter),
  }));
}

/** What is narrowed to, as the store takes it. */
export const filterOf = ({ show, words }: Pick<FileListRequest, "show" | "words">): ListedFilter => ({
  kinds: fileFilters[show],
  words: searchWords(words),
});
