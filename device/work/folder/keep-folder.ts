import type { Clock } from "../../connection/clock.ts";
import { DeviceError } from "../../errors.ts";
import { type RepeatedLook, repeatedLook } from "../../repeated-look.ts";
import type { DeviceStore } from "../../store/open.ts";
import { FolderFiles } from "./folder-files.ts";
import { leftOutSentence } from "./left-out.ts";
import { syncWorkFolder } from "./sync-folder.ts";
import { workFolder } from "./work-folder.ts";

/** What is saved in an editor is here before its person looks. */
const lookEveryMs = 3_000;

export interface FolderKeeperOptions {
  readonly store: DeviceStore;
  readonly clock: Clock;
  /** A file that is changed on both sides, cannot be written, or is no note; each once, until that is put right. */
  readonly onProblem: (sentence: string) => void;
  /** How long another process that brings it up to date is waited for. */
  readonly lockWaitMs?: number;
}

/** Keeps the person's folder and what the device holds the same, whoever changes which. */
export function keepWorkFolder({ store, clock, onProblem, lockWaitMs }: FolderKeeperOptions): RepeatedLook {
  let seen = "";
  let said = new Set<string>();
  const say = (sentence: string) => {
    if (!said.has(sentence)) onProblem(sentence);
    said.add(sentence);
  };
  const look = async () => {
    const root = workFolder(store);
    if (root === undefined) return;
    // As it was before: what is saved or changed while it is brought up to date is seen by the next look.
    const before = `${root} ${store.searchChanges.latest()} ${new FolderFiles(root, store.newId).signature()}`;
    if (before === seen) return;
    const synced = await syncWorkFolder(store, clock.now(), lockWaitMs);
    const standing = [...(synced?.conflicts ?? []), ...(synced?.leftOut ?? []).map(leftOutSentence)];
    for (const each of standing) say(each);
    // All else is put right: should it come again, it is said again.
    said = new Set(standing);
    if (synced?.written.length === 0 && synced.taken.length === 0) seen = before;
  };
  // A drive that is away, a disk that is full, another program at it: the next look tries again.
  const failed = (error: Error) =>
    say((error instanceof DeviceError ? error : new DeviceError("internal", { cause: error })).message);
  return repeatedLook({ clock, everyMs: lookEveryMs, look, onProblem: failed });
}
