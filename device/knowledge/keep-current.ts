import { personalRules } from "../access/personal-rules.ts";
import type { Clock } from "../connection/clock.ts";
import { DeviceError } from "../errors.ts";
import { isProjectFilesError } from "../files/errors.ts";
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
  /** Something could not be looked at or taken out; the next look tries again. */
  readonly onProblem: (error: Error) => void;
}

/** Has the indexes hold what they may, and what changes in a person's work, without waiting for a scan or a search. */
export interface IndexKeeper {
  /** Looks now, and again and again. */
  start(): void;
  /** Resolves when nothing is being looked at. */
  whenIdle(): Promise<void>;
  close(): Promise<void>;
}

export function keepIndexesCurrent({ store, clock, onProblem }: KeeperOptions): IndexKeeper {
  const withheld = new WithheldFiles(store);
  let cancel = () => {};
  let running: Promise<void> | undefined;
  let isClosed = false;

  const attempt = async (work: () => Promise<void>) => {
    if (isClosed) return;
    try {
      await work();
    } catch (error) {
      // A drive that is away just now: nothing of it is shown meanwhile.
      if (isProjectFilesError(error)) return;
      onProblem(error instanceof Error ? error : new DeviceError("internal", { cause: error }));
    }
  };
  const look = async () => {
    for (const { id, folderPath } of store.projects.list()) {
      if (folderPath !== null) await attempt(() => withheld.remove(id, folderPath));
    }
    await attempt(() => updateWorkIndex(store));
    if (store.vault.file?.isDone === false) await attempt(async () => void (await renewKept(store, clock.now())));
    await attempt(() => {
      const mayShow = shownFiles(store, personalRules(store.dataFolder));
      return updateKeptIndex({ store, mayShow, nowMs: clock.now() });
    });
    running = undefined;
  };
  const start = () => {
    cancel = clock.after(lookEveryMs, start);
    running ??= look();
  };
  const whenIdle = async () => void (await running);
  return {
    start,
    whenIdle,
    async close() {
      isClosed = true;
      cancel();
      await whenIdle();
    },
  };
}
