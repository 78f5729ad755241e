/** What an entry of a directory is, links not followed. */
export type EntryKind = "file" | "directory" | "symlink" | "other";

export interface FileMetadata {
  kind: "file" | "directory" | "other";
  sizeBytes: number;
  /** Milliseconds since 1970, with the backend's precision. */
  mtimeMs: number;
  /** Permission bits, 0o7777 at most. */
  mode: number;
  /** Opaque; changes whenever the content may have changed. For `ifVersion`. */
  version: string;
  /** When content, name or permissions last changed: no program can set it. Where the backend knows. */
  ctimeMs?: number;
  /** The disk's own number of the file, decimal. Where the backend knows. */
  inode?: string;
  /** What the file takes up on the disk; 0 for content that lies elsewhere (a cloud placeholder). Where the backend knows. */
  allocatedBytes?: number;
}
