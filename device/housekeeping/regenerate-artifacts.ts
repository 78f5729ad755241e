import type { Artifacts } from "../artifacts/artifacts.ts";
import { isArtifactError } from "../artifacts/errors.ts";
import type { FileMetadata } from "../artifacts/metadata.ts";
import { isDeviceError } from "../errors.ts";
import type { DeviceStore } from "../store/open.ts";

/** Larger ones are looked at by their size alone; whoever reads one is told. */
const mostCheckedBytes = 64 * 1024 * 1024;

/**
 * Runs the calls again whose artifacts are missing or damaged, where that changes nothing: through the table of actions, and the
 * rules, as they are now.
 *
 * @returns what could not be had again, as sentences
 * @throws ArtifactError `store_unavailable`
 */
export async function regenerateArtifacts(store: DeviceStore, artifacts: Artifacts, nowMs: number): Promise<string[]> {
  // What cannot be read cannot be told from what is damaged.
  if (artifacts.store.isLocked) return [];
  const broken: FileMetadata[] = [];
  for await (const metadata of artifacts.list()) if (await isBroken(artifacts, metadata)) broken.push(metadata);
  let left = 0;
  // What was worked out of another comes after that one.
  for (const each of broken.toSorted((one, other) => depthOf(one) - depthOf(other))) {
    try {
      await regenerate(store, artifacts, each, nowMs);
    } catch (error) {
      if (!isDeviceError(error) && !isArtifactError(error)) throw error;
      left++;
    }
  }
  if (left === 0) return [];
  const [are, they] = left === 1 ? ["artifact is", "it"] : ["artifacts are", "them"];
  return [`${left} ${are} missing or damaged and cannot be had again; scouts artifacts list shows ${they}.`];
}

async function isBroken({ store }: Artifacts, metadata: FileMetadata): Promise<boolean> {
  if ((await store.stateOf(metadata)) !== "stored") return true;
  if (metadata.sizeBytes > mostCheckedBytes) return false;
  try {
    await store.verified.places(metadata);
    return false;
  } catch (error) {
    if (isArtifactError(error, "corrupt", "not_found")) return true;
    throw error;
  }
}

const depthOf = ({ origin }: FileMetadata): number => (origin.derivedFrom === undefined ? 0 : 1);

async function regenerate(
  { dataFolder, newId }: DeviceStore,
  artifacts: Artifacts,
  { id, path }: FileMetadata,
  nowMs: number,
): Promise<void> {
  // A program that has nothing to run again does not load the table of actions.
  const { rerun } = await import("../actions/rerun.ts");
  const isHeld = (await artifacts.pins.held()).has(id);
  const setting = { artifacts, dataFolder, now: () => nowMs, newId };
  const kept = await artifacts.regenerate(id, (from) => rerun(from, setting));
  // Its files are others by now, so it has a name of its own; a live conversation is told that the old one is damaged.
  const isAnother = kept.kind === "file" && kept.metadata.id !== id;
  if (isAnother && !isHeld) await artifacts.store.remove({ path });
}
