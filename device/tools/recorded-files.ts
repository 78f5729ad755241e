import { findFile } from "../access/changes/file-on-disk.ts";
import { isAccessError } from "../access/errors.ts";
import type { FileAccess } from "../access/file-access.ts";
import { contentHash } from "../files/content-hash.ts";
import { isProjectFilesError, ProjectFilesError } from "../files/errors.ts";
import type { SyncStore } from "../files/materialize/sync-back.ts";
import type { DeleteOptions, WriteOptions } from "../files/project-files.ts";

/** Larger files are changed without a version that could be rolled back to, as edits from outside are. */
const maxRecordedBytes = 32 * 1024 ** 2;

/** Why a change was not written, when everything is as it was. */
const unwritten = ["write_failed", "disk_full", "no_permission", "not_a_directory", "folder_not_found"] as const;

/** Who changes files, for history and audit. */
export interface Recording {
  readonly caller: string;
  readonly tool: string;
  readonly session: string;
}

/**
 * A project's files, where every change is one of the history as well: journaled before it is made, audited with the version
 * it gave. So `scouts files history` shows what a tool did, and `scouts files rollback` takes it back.
 */
export class RecordedFiles implements SyncStore {
  readonly metadata: SyncStore["metadata"];
  readonly read: SyncStore["read"];
  readonly #access: FileAccess;
  readonly #recording: Recording;

  constructor(access: FileAccess, recording: Recording) {
    const { files } = access.kit;
    this.metadata = (path) => files.metadata(path);
    this.read = (path, options) => files.read(path, options);
    this.#access = access;
    this.#recording = recording;
  }

  write(path: string, bytes: Uint8Array, { ifVersion, mode }: WriteOptions = {}): Promise<void> {
    return this.#change(path, ifVersion, { bytes, ...(mode !== undefined && { mode }) });
  }

  delete(path: string, { ifVersion }: DeleteOptions = {}): Promise<void> {
    return this.#change(path, ifVersion, null);
  }

  async #change(
    asked: string,
    ifVersion: string | null | undefined,
    after: { readonly bytes: Uint8Array; readonly mode?: number } | null,
  ): Promise<void> {
    const { kit } = this.#access;
    const path = await kit.files.canonical(asked);
    if ((after?.bytes.length ?? 0) > maxRecordedBytes) return this.#unrecorded(path, ifVersion, after);
    const before = await findFile(kit.files, path);
    if (before !== null && before.bytes.length > maxRecordedBytes) return this.#unrecorded(path, ifVersion, after);
    if (ifVersion !== undefined && (before?.fsVersion ?? null) !== ifVersion)
      throw new ProjectFilesError("Conflict", { path });
    if (before === null && after === null) throw new ProjectFilesError("NotFound", { path });
    const { caller, tool } = this.#recording;
    try {
      await kit.applier.apply([{ path, before, after }], { caller, tool }, ([version]) =>
        this.#audit(path, before?.hash ?? null, after && contentHash(after.bytes), version?.id ?? null),
      );
    } catch (error) {
      if (isAccessError(error, "conflict")) throw new ProjectFilesError("Conflict", { path, cause: error });
      throw isAccessError(error, ...unwritten) && isProjectFilesError(error.cause) ? error.cause : error;
    }
    await kit.registry.update(path);
  }

  async #unrecorded(
    path: string,
    ifVersion: string | null | undefined,
    after: { readonly bytes: Uint8Array; readonly mode?: number } | null,
  ): Promise<void> {
    const { files } = this.#access.kit;
    const options = {
      ...(ifVersion !== undefined && { ifVersion }),
      ...(after?.mode !== undefined && { mode: after.mode }),
    };
    if (after !== null) await files.write(path, after.bytes, options);
    else await files.delete(path, typeof ifVersion === "string" ? { ifVersion } : {});
    this.#audit(path, null, after && contentHash(after.bytes), null);
  }

  #audit(path: string, beforeHash: string | null, afterHash: string | null, versionId: string | null): void {
    const files = [{ path, beforeHash, afterHash, versionId }];
    this.#access.audit.append({ ...this.#recording, args: { path }, decision: "approved", outcome: "ok", files });
  }
}
