import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ScanResult } from "../../device/folders/scanner/scan-project.ts";
import { type StartedScan, startScan } from "../../device/folders/scanner/start-scan.ts";
import { type DeviceStore, openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";

/** What was changed later than this before a scan is read again by the next one (racily clean). */
const settleMs = 2_500;

/** A project with a linked folder, and the device that scans it. */
export interface LinkedFolder {
  readonly store: DeviceStore;
  begin(): Promise<StartedScan>;
  scan(): Promise<ScanResult>;
  /** Gives every file that wants a summary one, so that scans find nothing left to do. */
  summarize(result: ScanResult): void;
  close(): void;
}

/** Links a folder that has just been made, once scans will rely on its times. */
export async function linkFolder(root: string): Promise<LinkedFolder> {
  const dataFolder = mkdtempSync(join(tmpdir(), "bench-scan-data-"));
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
  await sleep(settleMs);
  const { id: projectId } = store.projects.add("bench");
  store.projects.link(projectId, root);
  const begin = () => startScan({ ...systemTimeAndIds, store, projectId });
  return {
    store,
    begin,
    async scan() {
      const started = await begin();
      started.finish({ status: "completed" });
      return started.result;
    },
    summarize({ toSummarize }) {
      store.transaction(() => {
        for (const { relPath, contentHash, kind } of toSummarize) {
          const made = {
            kind,
            summary: "A line about the file and what it is for.",
            tag: null,
            promptVersion: "bench",
          };
          store.folderFiles.setSummary(projectId, relPath, contentHash, made);
        }
      });
    },
    close() {
      store.close();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}
