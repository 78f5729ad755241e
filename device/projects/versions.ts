import { contentHash } from "../files/content-hash.ts";
import { FileRefusal } from "./file-refusal.ts";
import type { PersonAtFiles } from "./opened-folders.ts";
import { type NamedFile, type PreviewParts, pathOf } from "./preview.ts";

/** Versions shown of a file. */
const mostVersions = 200;
/** As large as a file may be that is changed (FileAccess). */
const maxBytes = 32 * 1024 * 1024;

/** A version of a file that is kept, or was. */
export interface ShownVersion {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly caller: string;
  readonly tool: string;
  readonly sizeBytes: number;
  /** The file was not there. */
  readonly isDeletion: boolean;
  /** The content is still kept: it can be shown and brought back. */
  readonly isKept: boolean;
}

/** What is kept of a file's past, newest first. @throws FileRefusal; DeviceError as `OpenedFolders.asPerson` */
export function versionsOf(
  { store, folders }: PreviewParts,
  file: NamedFile,
  approves: boolean,
): Promise<ShownVersion[]> {
  const path = pathOf(store, file);
  return folders.asPerson(file.project, approves, async ({ run }) => {
    const { versions } = await run("file_history", { path, limit: mostVersions });
    return versions.map(({ id, at, caller, tool, sizeBytes, hash, kept }) => ({
      ...{ id, at, caller, tool, sizeBytes },
      isDeletion: hash === null,
      isKept: kept,
    }));
  });
}

/** Which two states of a file; without `to` the file as it is. */
export interface Compared {
  readonly from: string;
  readonly to?: string | undefined;
  readonly approves: boolean;
}

/** How two states of a file differ. */
export interface ShownDiff {
  /** Unified; empty where nothing differs. */
  readonly diff: string;
  /** Whether it is more than is shown. */
  readonly isCut: boolean;
  /** SHA-256 of the file as it was when this was made, null when it is not there: who restores says it again. */
  readonly currentHash: string | null;
}

/** @throws FileRefusal; DeviceError as `OpenedFolders.asPerson` */
export function diffOfVersions(
  { store, folders }: PreviewParts,
  file: NamedFile,
  { from, to, approves }: Compared,
): Promise<ShownDiff> {
  const path = pathOf(store, file);
  return folders.asPerson(file.project, approves, async (person) => {
    // First: what is written in between is a conflict then, and not taken for seen.
    const currentHash = await hashNow(person, path);
    const { diff, notes } = await person.run("get_diff", { path, v1: from, ...(to !== undefined && { v2: to }) });
    return { diff, isCut: notes.some((note) => note.startsWith("Cut ")), currentHash };
  });
}

/** What is brought back, and what of the file the person has seen before. */
export interface Restoring {
  readonly version: string;
  /** As {@link ShownDiff} said it. */
  readonly currentHash: string | null;
  readonly approves: boolean;
}

/**
 * Brings a file back to one of its versions, which is a version as well. Nothing is written when the file is another than the
 * person has seen.
 *
 * @throws FileRefusal `conflict` (it has changed meanwhile), `denied`, `approval_refused` (the rules ask: say `approves`),
 * `version_pruned`, `patch_empty` (it is so already), …; DeviceError as `OpenedFolders.asPerson`
 */
export function restoreVersion(
  { store, folders }: PreviewParts,
  file: NamedFile,
  { version, currentHash, approves }: Restoring,
): Promise<{ readonly versionId: string | null }> {
  const path = pathOf(store, file);
  return folders.asPerson(file.project, approves, async (person) => {
    if (currentHash === null && (await hashNow(person, path)) !== null) throw new FileRefusal("conflict");
    const base = currentHash === null ? {} : { baseHash: currentHash };
    const { versionId } = await person.run("rollback", { path, versionId: version, ...base });
    return { versionId };
  });
}

async function hashNow({ project, session }: PersonAtFiles, path: string): Promise<string | null> {
  const found = await project.access.readBytes(session, path, maxBytes);
  if (found.ok) return contentHash(found.bytes);
  if (found.error.code === "not_found") return null;
  throw new FileRefusal(found.error.code, found.error.message);
}
