import type { CloudApi } from "../../device/connect/cloud-api.ts";
import type { Device } from "../../device/connection/device.ts";
import { systemPorts } from "../../device/connection/ports.ts";
import { isDeviceError } from "../../device/errors.ts";
import type { Rescan } from "../../device/folders/indexer/rescan-project.ts";
import { createRescans, type Rescans } from "../../device/folders/indexer/rescans.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import type { ProjectId } from "../../events/ids.ts";
import type { CliIo } from "../home/up-options.ts";
import { printable } from "../output/printable.ts";
import { indexTrouble, rescanLine, scanProgress } from "./project-report.ts";

/** What the folders of this run came to. */
export interface FolderTotals {
  readonly scanned: number;
  readonly summarized: number;
  /** Files whose summary failed, and folders that could not be scanned to the end. */
  readonly failed: number;
  readonly tokens: number;
}

export interface ShownRescans extends Rescans {
  /** Undefined when no folder was due. */
  totals(): FolderTotals | undefined;
}

export interface ShownRescansOptions {
  readonly store: DeviceStore;
  readonly api: CloudApi;
  /** Scans go over its connection. */
  readonly device: Device;
  /** The program ends when all is done: a bar, in place of a line for each folder that brought something. */
  readonly once: boolean;
  readonly json: boolean;
}

/** Rescans of the person's folders by a program that stays, shown as they go. Started by whoever asked for it. */
export function showRescans({ store, api, device, once, json }: ShownRescansOptions, io: CliIo): ShownRescans {
  const totals = { scanned: 0, summarized: 0, failed: 0, tokens: 0 };
  let bar: ReturnType<typeof scanProgress> | undefined;
  const nameOf = (id: ProjectId) => store.projects.find(id)?.name ?? id;
  const tell = (line: string) => void io.stderr.write(`${line}\n`);

  const finishBar = () => {
    bar?.finish();
    bar = undefined;
  };
  const onEnd = (_: ProjectId, rescan: Rescan) => {
    finishBar();
    const { counts, result, reason } = rescan;
    totals.scanned += 1;
    totals.summarized += counts.summarized;
    totals.failed += counts.failed + (reason === undefined ? 0 : 1);
    totals.tokens += counts.tokensUsed;
    const { newFiles, changedFiles, renamedFiles, deletedFiles } = result;
    const isNews = [newFiles, changedFiles, renamedFiles, deletedFiles].some(({ length }) => length > 0);
    if (isNews || counts.summarized > 0) tell(rescanLine(rescan));
    const trouble = indexTrouble(rescan);
    if (trouble !== undefined) tell(`scouts: ${printable(trouble)}`);
    if (reason !== undefined)
      tell(`scouts: ${printable(`${rescan.project.name}: ${reason.sentence}`)} (${reason.code})`);
  };

  const rescans = createRescans({
    store,
    api,
    clock: systemPorts.clock,
    openContent: () => device.openContent(),
    onProgress(_, progress) {
      if (!once) return;
      bar ??= scanProgress(io, json);
      bar.show(progress);
    },
    onEnd,
    onProblem(error, projectId) {
      finishBar();
      // Another program is at it, and that serves as well.
      if (isDeviceError(error, "scan_running")) return;
      totals.failed += 1;
      const of = projectId === undefined ? "" : `${nameOf(projectId)}: `;
      tell(`scouts: ${printable(`${of}${error.message}`)}`);
    },
  });
  if (!once) device.events.on("ready", () => rescans.homeIsThere());
  // A scan that is interrupted tells the cloud and keeps what it has.
  io.signal.addEventListener("abort", () => void rescans.close(), { once: true });
  return { ...rescans, totals: () => (totals.scanned + totals.failed === 0 ? undefined : totals) };
}
