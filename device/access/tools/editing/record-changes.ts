import type { FileToolInput } from "../../../../events/agent-tools/file-tools.ts";
import { isProjectFilesError } from "../../../files/errors.ts";
import { isAccessError } from "../../errors.ts";
import type { FileState } from "../../store/access-store.ts";
import { filesAre } from "../reading/files-are.ts";
import type { ToolCall } from "../tool-call.ts";

/** Files that one call looks at as a whole, so that it ends. */
const maxRecorded = 500;

/** Of a drive that is away the directory stays behind in which it was mounted. */
const emptyFolder =
  "The folder is empty. Is its drive connected? Nothing was taken for deleted; files that are gone for good are recorded by their names.";

export interface RecordedChange {
  readonly path: string;
  readonly versionId: string;
  readonly change: "changed" | "deleted" | "appeared";
}

export interface RecordChangesResult {
  readonly recorded: readonly RecordedChange[];
  readonly notes: readonly string[];
}

/**
 * Takes into the history what other programs made of files. One record of the trail has all of it, so that a replay of the
 * trail gives the tree as it is.
 */
export async function recordChanges(
  call: ToolCall,
  { paths }: FileToolInput<"record_changes">,
): Promise<RecordChangesResult> {
  // A person is not asked about each file that has a history; one that is named was asked about.
  call.asksForContent = paths !== undefined;
  const candidates =
    paths === undefined ? await changedSince(call) : await Promise.all(paths.map((path) => call.canonical(path)));
  if (paths === undefined && candidates.length > 0 && (await call.kit.files.listDir("")).length === 0)
    return { recorded: [], notes: [emptyFolder] };
  const now = candidates.slice(0, maxRecorded);
  const recorded: RecordedChange[] = [];
  let unreadable = 0;
  await call.kit.locks.run(now, () =>
    call.kit.lease.run(async () => {
      const found = new Map<string, FileState | null>();
      for (const path of now) {
        try {
          const file = await call.find(path);
          if (file !== null) call.kit.store.contents.put(file.hash, file.bytes);
          found.set(path, file && { hash: file.hash, mode: file.mode });
        } catch (error) {
          if (paths !== undefined || !isLeftAlone(error)) throw error;
          unreadable++;
        }
      }
      call.kit.applier.observe(found, (observed) => {
        for (const { version, before } of observed) {
          const { path, hash, id } = version;
          call.touched.push({ path, beforeHash: before, afterHash: hash, versionId: id });
          const change = hash === null ? "deleted" : before === null ? "appeared" : "changed";
          recorded.push({ path, versionId: id, change });
        }
        call.record("ok");
      });
    }),
  );
  for (const { path } of recorded) await call.kit.registry.update(path);
  const left = candidates.length - now.length;
  return {
    recorded,
    notes: [
      ...(left > 0 ? [`${left === 1 ? "1 more file has" : `${left} more files have`} changed; call again.`] : []),
      ...(unreadable > 0 ? [`${filesAre(unreadable)} left out: unreadable now, or too large.`] : []),
    ],
  };
}

/** Files with a history whose newest version is not what the disk has, told by their stored versions where these are known. */
async function changedSince({ kit, gate }: ToolCall): Promise<string[]> {
  const changed: string[] = [];
  for (const { path, hash } of kit.store.versions.newest()) {
    if ((await gate.mayShow(path)) && (await hashOnDisk(kit, path)) !== hash) changed.push(path);
  }
  return changed;
}

/** Undefined where it has to be looked at. */
async function hashOnDisk({ files, registry }: ToolCall["kit"], path: string): Promise<string | null | undefined> {
  try {
    const { version } = await files.metadata(path);
    const known = registry.get(path);
    return known?.fsVersion === version && known.hash !== "" ? known.hash : undefined;
  } catch (error) {
    if (isProjectFilesError(error, "NotFound", "NotADirectory")) return null;
    return undefined;
  }
}

const isLeftAlone = (error: unknown): boolean =>
  isAccessError(error, "denied", "too_large") ||
  isProjectFilesError(error, "AccessDenied", "NotAFile", "OutsideRoot", "StorageFailed", "TooLarge");
