import { readPersonalConfig } from "../config/personal-config.ts";
import type { Clock } from "../connection/clock.ts";
import { asError } from "../errors.ts";
import { isProjectFilesError } from "../files/errors.ts";
import { type RepeatedLook, repeatedLook } from "../repeated-look.ts";
import type { DeviceStore } from "../store/open.ts";
import { renewKept } from "../vault/renew-kept.ts";
import { WithheldFiles } from "./index/withheld.ts";
import { updateKeptIndex } from "./kept/update-kept-index.ts";
import { shownFiles } from "./search/shown-files.ts";
import { updateWorkIndex } from "./work/update-work-index.ts";

/** What is withheld or removed is to be gone within a minute, merging included. */
const lookEveryMs = 20_000;

export interface KeeperOptions {
  readonly store: DeviceStore;
  readonly clock: Clock;
  /** Something could not be looked at or taken out: told once until it is another problem or none; the next look tries again. */
  readonly onProblem: (error: Error) => void;
}

/** Has the indexes hold what they may, and what changes in a person's work, without waiting for a scan or a search. */
export function keepIndexesCurrent({ store, clock, onProblem }: KeeperOptions): RepeatedLook {
  const withheld = new WithheldFiles(store);
  const told = new Map<string, string>();
  let isClosed = false;

  const attempt = async (what: string, work: () => Promise<unknown>) => {
    if (isClosed) return;
    try {
      await work();
      told.delete(what);
    } catch (error) {
      // A drive that is away just now: nothing of it is shown meanwhile.
      if (isProjectFilesError(error)) return;
      const problem = asError(error);
      if (told.get(what) !== problem.message) onProblem(problem);
      told.set(what, problem.message);
    }
  };
  const look = async () => {
    for (const { id, folderPath } of store.projects.list()) {
      if (folderPath !== null) await attempt(id, () => withheld.remove(id, folderPath));
    }
    await attempt("work", () => updateWorkIndex(store));
    await attempt("kept", async () => {
      if (store.vault.file?.isDone === false) await renewKept(store, clock.now());
      const mayShow = shownFiles(store, readPersonalConfig(store.dataFolder));
      await updateKeptIndex({ store, mayShow, nowMs: clock.now() });
    });
  };
  const looks = repeatedLook({ clock, everyMs: lookEveryMs, look, onProblem });
  return {
    ...looks,
    close() {
      isClosed = true;
      return looks.close();
    },
  };
}
