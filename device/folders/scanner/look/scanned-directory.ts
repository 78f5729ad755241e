import type { DirectorySnapshot } from "../../../files/snapshot/tree-snapshot.ts";
import type { LeftOut } from "../reasons.ts";

/** What a scan remembers of a directory it entered. */
export interface ScannedDirectory extends DirectorySnapshot {
  /** What its ignore files were; absent without any. When they are others, what lies below is decided anew. */
  readonly rules?: string;
  /** What in it is not in the manifest; absent when nothing is. */
  readonly leftOut?: LeftOut;
  /** Of the root: the disk's own number of it, where the disk has one. */
  readonly inode?: string;
}
