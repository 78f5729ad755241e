import type { Artifacts } from "./artifacts.ts";
import type { UsageCounters } from "./store/usage.ts";

/** What is stored of tools' results, and what storing them has saved. */
export interface ArtifactMetrics {
  readonly stored: {
    readonly artifacts: number;
    readonly bytes: number;
    /** How many of each kind of content. */
    readonly kinds: Readonly<Record<string, number>>;
    /** Held because a conversation refers to them. */
    readonly pinned: number;
  };
  /** Added up since the data folder was made. */
  readonly usage: UsageCounters;
}

/** @throws ArtifactError `store_unavailable` */
export async function artifactMetrics(artifacts: Artifacts): Promise<ArtifactMetrics> {
  const kinds: Record<string, number> = {};
  let [count, bytes] = [0, 0];
  for await (const { stats, sizeBytes } of artifacts.list()) {
    kinds[stats.kind] = (kinds[stats.kind] ?? 0) + 1;
    count += 1;
    bytes += sizeBytes;
  }
  const pinned = (await artifacts.pins.held()).size;
  return { stored: { artifacts: count, bytes, kinds, pinned }, usage: await artifacts.usage.totals() };
}
