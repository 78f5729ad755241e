import type { ProjectId } from "../../../events/ids.ts";
import { throwIfCancelled } from "../../files/errors.ts";
import { nameOf } from "../../files/paths/project-path.ts";
import { type ProjectFiles, requestsAtOnce } from "../../files/project-files.ts";
import type { FolderFile } from "../../store/folder-schema.ts";
import type { FolderFileTable } from "../../store/tables/manifest/folder-files.ts";
import { isPlaceholder } from "./file-times.ts";
import { kindOfName } from "./kinds.ts";
import { maxBytesOf, type ScanLimits } from "./limits.ts";
import type { Candidate } from "./look/survey.ts";
import { hashStable } from "./read-stable.ts";
import type { SkipReason } from "./reasons.ts";

/** One would do; more let a folder of identical files be recognised as moved. */
const maxDonors = 100;

/** What became of a candidate when it was read. */
export type Examined = { readonly candidate: Candidate; readonly known: FolderFile | undefined } & (
  | { readonly outcome: "same"; readonly metadata: Candidate["metadata"]; readonly readAtMs: number }
  | {
      readonly outcome: "content";
      readonly metadata: Candidate["metadata"];
      readonly readAtMs: number;
      readonly hash: string;
      /** Files of the manifest, as it was before this scan, with the same content and kind. */
      readonly donors: readonly FolderFile[];
    }
  | { readonly outcome: "skipped"; readonly reason: SkipReason; readonly readAtMs: number }
  | { readonly outcome: "vanished" }
);

export interface ExamineOptions {
  readonly files: ProjectFiles;
  readonly projectId: ProjectId;
  readonly folderFiles: FolderFileTable;
  /** Whether the manifest has any rows to compare with. */
  readonly hasManifest: boolean;
  readonly limits: ScanLimits;
  readonly now: () => number;
  readonly platform: NodeJS.Platform;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads candidates and hashes them. Nothing is stored, so that every donor is found as it was before the scan: of two
 * files that swapped their content, the second would otherwise find its summary overwritten.
 *
 * @throws ProjectFilesError Cancelled, StorageFailed
 */
export async function* examine(candidates: readonly Candidate[], options: ExamineOptions): AsyncGenerator<Examined> {
  const atOnce = requestsAtOnce(options.files);
  const underWay: Promise<Examined>[] = [];
  let next = 0;
  try {
    while (underWay.length > 0 || next < candidates.length) {
      throwIfCancelled(options.signal);
      for (const candidate of candidates.slice(next, next + atOnce - underWay.length)) {
        const examined = examineOne(candidate, options);
        // What goes wrong is met in its turn.
        examined.catch(() => undefined);
        underWay.push(examined);
        next++;
      }
      const first = underWay.shift();
      if (first !== undefined) yield await first;
    }
  } finally {
    await Promise.allSettled(underWay);
  }
}

async function examineOne(candidate: Candidate, options: ExamineOptions): Promise<Examined> {
  const { files, projectId, folderFiles, limits, now, platform, hasManifest } = options;
  const { path, kind, metadata } = candidate;
  const known = candidate.isKnown ? folderFiles.find(projectId, path) : undefined;
  const about = { candidate, known };
  const maxBytes = maxBytesOf(kind, limits);
  const skipped = (reason: SkipReason): Examined => ({ ...about, outcome: "skipped", reason, readAtMs: now() });
  if (metadata.sizeBytes === 0) return skipped("empty");
  if (metadata.sizeBytes > maxBytes) return skipped("too_large");
  if (isPlaceholder(metadata, platform)) {
    const isSame =
      known?.contentHash != null && known.sizeBytes === metadata.sizeBytes && known.mtimeMs === metadata.mtimeMs;
    return isSame ? { ...about, outcome: "same", metadata, readAtMs: now() } : skipped("placeholder");
  }
  const read = await hashStable(files, path, maxBytes, now, metadata);
  if (!read.ok) return read.reason === "vanished" ? { ...about, outcome: "vanished" } : skipped(read.reason);
  const { hash, metadata: settled, readAtMs } = read;
  if (known?.contentHash === hash) return { ...about, outcome: "same", metadata: settled, readAtMs };
  const alike = hasManifest ? folderFiles.withContent(projectId, hash, maxDonors) : [];
  const donors = alike.filter(({ relativePath }) => kindOfName(nameOf(relativePath)) === kind);
  return { ...about, outcome: "content", metadata: settled, readAtMs, hash, donors };
}
