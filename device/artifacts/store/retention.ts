import { isProjectFilesError } from "../../files/errors.ts";
import type { FileMetadata } from "../metadata.ts";
import type { ArtifactStore } from "./artifact-store.ts";
import { artifactRoot, incomingRoot, metadataSuffix } from "./naming.ts";

export interface RetentionPolicy {
  /** Older artifacts go. */
  readonly maxAgeMs: number;
  /** Beyond this in all, the oldest go. */
  readonly maxTotalBytes: number;
}

export const defaultRetention: RetentionPolicy = { maxAgeMs: 14 * 24 * 3_600_000, maxTotalBytes: 2 * 1024 ** 3 };

export interface PruneReport {
  readonly removed: readonly string[];
  readonly freedBytes: number;
  readonly keptArtifacts: number;
  readonly keptBytes: number;
  /** Kept although the policy would have them gone: a live thread refers to them. */
  readonly pinned: readonly string[];
  /** What could not be removed, and why; it is tried again next time. */
  readonly warnings: readonly string[];
}

/** Writing takes minutes at most; what has no name after a day never will. */
const abandonedMs = 24 * 3_600_000;

type Kept = Pick<FileMetadata, "id" | "path" | "sizeBytes" | "createdAt">;

/** Applies a retention policy. A failed removal is a warning, never the end. @throws ArtifactError when nothing can be listed */
export async function prune(
  store: ArtifactStore,
  policy: RetentionPolicy,
  pins: ReadonlySet<string>,
  { nowMs, dryRun = false }: { nowMs: number; dryRun?: boolean },
): Promise<PruneReport> {
  const warnings: string[] = [];
  const artifacts: Kept[] = [];
  const onBroken = (path: string) => warnings.push(`${path} cannot be read`);
  for await (const { id, path, sizeBytes, createdAt } of store.isLocked ? byNames(store) : store.list({ onBroken })) {
    artifacts.push({ id, path, sizeBytes, createdAt });
  }
  artifacts.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  let keptBytes = artifacts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const removed: string[] = [];
  const pinned: string[] = [];
  let freedBytes = 0;
  for (const artifact of artifacts) {
    const isOld = nowMs - artifact.createdAt > policy.maxAgeMs;
    if (!isOld && keptBytes <= policy.maxTotalBytes) continue;
    if (pins.has(artifact.id)) {
      pinned.push(artifact.id);
      continue;
    }
    try {
      if (!dryRun) await store.remove(artifact);
    } catch (error) {
      warnings.push(`${artifact.id}: ${error instanceof Error ? error.message : "it cannot be removed"}`);
      continue;
    }
    removed.push(artifact.id);
    freedBytes += artifact.sizeBytes;
    keptBytes -= artifact.sizeBytes;
  }
  if (!dryRun) warnings.push(...(await removeAbandoned(store, nowMs)));
  return { removed, freedBytes, keptArtifacts: artifacts.length - removed.length, keptBytes, pinned, warnings };
}

/** What the files' names and times say, where nothing in them can be read. */
async function* byNames({ files }: ArtifactStore): AsyncGenerator<Kept> {
  if (!(await files.exists(artifactRoot))) return;
  for await (const { path } of files.walk({ under: artifactRoot, ignoreRules: false })) {
    if (path.endsWith(metadataSuffix)) continue;
    const { sizeBytes, mtimeMs } = await files.metadata(path);
    yield { id: path.slice(artifactRoot.length + 1), path, sizeBytes, createdAt: mtimeMs };
  }
}

/** Content that was never named, and content without a description: a process died in between. */
async function removeAbandoned({ files }: ArtifactStore, nowMs: number): Promise<string[]> {
  const warnings: string[] = [];
  for (const root of [incomingRoot, artifactRoot]) {
    if (!(await files.exists(root))) continue;
    for await (const { path, metadata } of files.walk({ under: root, ignoreRules: false, withMetadata: true })) {
      if (metadata === undefined || nowMs - metadata.mtimeMs < abandonedMs) continue;
      try {
        const isDescription = path.endsWith(metadataSuffix);
        const other = isDescription ? path.slice(0, -metadataSuffix.length) : path + metadataSuffix;
        if (root === incomingRoot || !(await files.exists(other))) await files.delete(path);
      } catch (error) {
        if (!isProjectFilesError(error)) throw error;
        if (error.code !== "NotFound") warnings.push(`${path}: ${error.code}`);
      }
    }
  }
  return warnings;
}
