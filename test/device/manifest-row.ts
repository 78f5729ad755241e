import type { ScannedFile } from "../../device/store/tables/manifest/scanned-files.ts";

/** A row of a manifest as a scan makes it. */
export function rowOf(relativePath: string, contentHash: string | null, more: Partial<ScannedFile> = {}): ScannedFile {
  const times = { sizeBytes: 1, mtimeMs: 2.5, ctimeMs: 3.25, inode: "18446744073709551615", version: "v" };
  return { relativePath, ext: "md", kind: "text", tag: "doc", skipReason: null, contentHash, ...times, ...more };
}
