import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Artifacts, type ArtifactsOptions } from "../../device/artifacts/artifacts.ts";
import { ContentDescriber, type Description } from "../../device/artifacts/description/describe.ts";
import type { ArtifactOrigin, FileMetadata, ToolResponseContent } from "../../device/artifacts/metadata.ts";
import type { ContentHint } from "../../device/artifacts/sniff/content-kind.ts";
import type { ArtifactStats } from "../../device/artifacts/stats/stats.ts";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";

/** Content described in pieces of so many bytes; all at once when left out. */
export function describeContent(
  content: string | Uint8Array,
  hint: ContentHint = {},
  pieceBytes?: number,
): Description {
  const bytes = Buffer.from(content);
  const describer = new ContentDescriber(hint);
  const step = pieceBytes ?? Math.max(1, bytes.length);
  for (let at = 0; at < bytes.length; at += step) describer.write(bytes.subarray(at, at + step));
  return describer.end();
}

type Kind = ArtifactStats["kind"];
type Of<S, K> = S extends { kind: infer Own } ? (K extends Own ? S : never) : never;
export type StatsOf<K extends Kind> = Of<ArtifactStats, K>;

/** Statistics of a kind that is expected. */
export function statsOf<K extends Kind>(kind: K, description: { stats: ArtifactStats }): StatsOf<K> {
  const { stats } = description;
  if (!isKind(stats, kind)) throw new Error(`it is ${stats.kind}, not ${kind}`);
  return stats;
}

function isKind<K extends Kind>(stats: ArtifactStats, kind: K): stats is StatsOf<K> {
  return stats.kind === kind;
}

export function originOf(toolCallId: string, others: Partial<ArtifactOrigin> = {}): ArtifactOrigin {
  return { threadId: "thr_1", taskId: "task_1", toolCallId, tool: "list_tasks", readOnly: true, ...others };
}

export const startMs = Date.UTC(2026, 0, 15, 12);

/** Artifacts in memory with a clock that stands until it is moved. */
export function artifactsSetting(options: Partial<ArtifactsOptions> = {}) {
  const clock = { nowMs: startMs };
  const files = options.files ?? new InMemoryProjectFiles({}, { now: () => clock.nowMs });
  const artifacts = new Artifacts({ ...systemTimeAndIds, now: () => clock.nowMs, ...options, files });
  return { artifacts, files, clock };
}

export function metadataOf(content: ToolResponseContent): FileMetadata {
  if (content.kind !== "file") throw new Error("it was shown, not stored");
  return content.metadata;
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "artifacts-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function* piecesOf(...pieces: (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  yield* pieces;
}
