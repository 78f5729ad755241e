import type { FileTag, ManifestKind } from "../../../events/frames/folders.ts";

/** How a file on the disk compares with what the manifest knows of it. */
export type FileState = "current" | "stale" | "gone";

/** One file as a manifest shows it. */
export interface ManifestFile {
  readonly path: string;
  readonly kind: ManifestKind;
  readonly tag: FileTag | null;
  readonly summary: string | null;
  readonly mtimeMs: number;
  readonly state: FileState;
}
