import { existsSync } from "node:fs";
import { join } from "node:path";
import { artifactRoot } from "../artifacts/store/naming.ts";
import type { Clock } from "../connection/clock.ts";
import { asError } from "../errors.ts";
import { lastPlaceOf } from "../files/place/folder-place.ts";
import { indexedProjects, indexPath, removeIndexFile } from "../knowledge/index/index-file.ts";
import { type RepeatedLook, repeatedLook } from "../repeated-look.ts";
import type { DeviceStore } from "../store/open.ts";
import { renewKept } from "../vault/renew-kept.ts";

const everyMs = 24 * 3_600_000;
/** Longer than most devices rest. */
const jumpMs = 30 * everyMs;
/** When there was a clean-up last, in milliseconds by this device's clock. */
const cleanedCursor = "housekeeping.cleaned";

export interface HousekeepingOptions {
  readonly store: DeviceStore;
  readonly dataFolder: string;
  readonly clock: Clock;
  /** Something could not be removed; it is tried again the next day. */
  readonly onProblem: (error: Error) => void;
}

/**
 * Lets go of what is kept for a while only: copies that nobody works in any more, artifacts, and old versions of files in projects
 * with a linked folder. Artifacts that are missing or damaged are made again where their calls can be run again.
 */
export function dailyHousekeeping(options: HousekeepingOptions): RepeatedLook {
  const { clock, onProblem } = options;
  const clean = async () => {
    const goesByAge = !hasClockJumped(options.store, clock.now());
    const tend = (given: HousekeepingOptions, nowMs: number) => tendArtifacts(given, nowMs, goesByAge);
    const histories = goesByAge ? [pruneHistories] : [];
    for (const work of [removeViews, tend, renewEncrypted, ...histories, removeOrphanedIndexes]) {
      try {
        for (const warning of await work(options, clock.now())) onProblem(new Error(warning));
      } catch (thrown) {
        onProblem(asError(thrown));
      }
    }
  };
  return repeatedLook({ clock, everyMs, look: clean, onProblem });
}

/**
 * Whether it is long since the last clean-up, by a clock that may be wrong: nothing goes by its word until it has stood for a day. What
 * went would not come back when it is put right.
 */
function hasClockJumped({ cursors }: DeviceStore, nowMs: number): boolean {
  const lastMs = Number(cursors.get(cleanedCursor)?.value ?? nowMs);
  cursors.set(cleanedCursor, String(nowMs));
  return Math.abs(nowMs - lastMs) > jumpMs;
}

/** Copies of projects that tools worked in, and tools themselves, of processes that were killed; those with changes that wait for the person stay. */
async function removeViews({ dataFolder }: HousekeepingOptions, nowMs: number): Promise<readonly string[]> {
  const [{ removeAbandonedViews }, { viewRootOf }, { killAbandoned }] = await Promise.all([
    import("../files/materialize/view-directory.ts"),
    import("../tools/kept-runs.ts"),
    import("../workspace/process-tree.ts"),
  ]);
  await killAbandoned();
  await removeAbandonedViews(viewRootOf(dataFolder), () => nowMs);
  return [];
}

/**
 * Lets go of them by the retention that is the default, around what live conversations refer to; makes those again that are missing.
 *
 * @param goesByAge whether the clock can be trusted with what is old
 * @returns what could not be done, and why
 */
async function tendArtifacts(
  { store, dataFolder }: HousekeepingOptions,
  nowMs: number,
  goesByAge: boolean,
): Promise<readonly string[]> {
  if (!existsSync(join(dataFolder, artifactRoot))) return [];
  // A program that keeps nothing does not load how it is kept.
  const [{ openArtifacts }, { regenerateArtifacts }] = await Promise.all([
    import("../artifacts/open-artifacts.ts"),
    import("./regenerate-artifacts.ts"),
  ]);
  const artifacts = openArtifacts(dataFolder, { now: () => nowMs, newId: store.newId }, store.vault);
  const { warnings } = goesByAge ? await artifacts.prune() : { warnings: [] };
  const left = await regenerateArtifacts(store, artifacts, nowMs);
  await artifacts.flush();
  return [...warnings, ...left];
}

/** What a program had begun to write before a passphrase was set. */
async function renewEncrypted({ store }: HousekeepingOptions, nowMs: number): Promise<readonly string[]> {
  if (store.vault.file?.isEnding === false) await renewKept(store, nowMs);
  return [];
}

/** Of folders that are linked no more: a program that was reading one may have kept it from being removed. */
async function removeOrphanedIndexes({ store, dataFolder }: HousekeepingOptions): Promise<readonly string[]> {
  for (const id of indexedProjects(dataFolder)) {
    if (store.projects.find(id)?.folderPath == null) removeIndexFile(indexPath(dataFolder, id));
  }
  return [];
}

async function pruneHistories({ store, dataFolder }: HousekeepingOptions, nowMs: number): Promise<readonly string[]> {
  const roots = store.projects.list().flatMap(({ folderPath }) => (folderPath === null ? [] : [folderPath]));
  if (roots.length === 0) return [];
  const [{ hasProjectDatabase, openProjectDatabase }, { prune }] = await Promise.all([
    import("../access/open-access.ts"),
    import("../access/versions/retention.ts"),
  ]);
  for (const root of roots.map(lastPlaceOf).filter((each) => hasProjectDatabase(dataFolder, each))) {
    const database = openProjectDatabase(dataFolder, root);
    try {
      prune(database.store, nowMs);
    } finally {
      database.close();
    }
  }
  return [];
}
