import type { ProjectId } from "../../events/ids.ts";
import { sentenceOf } from "../errors.ts";
import type { HeldLocks } from "./held-locks.ts";
import { runningScan, type ScanHolder } from "./tables/projects.ts";
import type { DeviceTables } from "./tables/tables.ts";

export const scanInterrupted = "scan_interrupted";

/** Whether nobody works on a scan any more: its process is gone, or was silent for longer than it may. */
export function isAbandoned(scanLocks: HeldLocks, nowMs: number): (scan: ScanHolder) => boolean {
  return ({ holder, until }) => until <= nowMs || !scanLocks.isHeld(holder);
}

/**
 * Scans that nobody works on any more become errors, so that no project seems busy for ever. Every process does so when
 * it opens the store, and one that lives long before it looks.
 */
export function settleAbandonedScans(
  store: Pick<DeviceTables, "projects" | "scoutRuns" | "transaction"> & { readonly scanLocks: HeldLocks },
  nowMs: number,
): ProjectId[] {
  const abandoned = isAbandoned(store.scanLocks, nowMs);
  const isOver = (running: ScanHolder | undefined) => running !== undefined && abandoned(running);
  if (!store.projects.list().some((project) => isOver(runningScan(project)))) return [];
  return store.transaction(() =>
    store.projects.list().flatMap((project) => {
      const running = runningScan(project);
      if (running === undefined || !abandoned(running)) return [];
      const sentence = sentenceOf(scanInterrupted);
      store.projects.endScan(project.id, running.holder, { status: "error", code: scanInterrupted, sentence });
      store.scoutRuns.interrupt(project.id, scanInterrupted);
      return [project.id];
    }),
  );
}
