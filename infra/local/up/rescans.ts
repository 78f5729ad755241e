import { rescanLine, scanProgress } from "../../../device/cli/project-report.ts";
import type { CliIo, UpOptions } from "../../../device/cli/up-options.ts";
import { sentenceOf } from "../../../device/errors.ts";
import type { Rescan } from "../../../device/indexer/rescan-project.ts";
import { createRescans, type Rescans } from "../../../device/indexer/rescans.ts";
import type { ProjectId } from "../../../events/ids.ts";
import type { Ground } from "./ground.ts";
import type { SystemOn } from "./system.ts";

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

/**
 * Rescans of the person's folders by the home that runs, shown as they go: with `once` as a bar, else as a line for each
 * folder that brought something.
 */
export function showRescans(system: SystemOn<Ground>, options: UpOptions, io: CliIo): ShownRescans {
  const totals = { scanned: 0, summarized: 0, failed: 0, tokens: 0 };
  let bar: ReturnType<typeof scanProgress> | undefined;
  const nameOf = (id: ProjectId) => system.store.projects.find(id)?.name ?? id;
  const tell = (line: string) => void io.stderr.write(`${line}\n`);

  const onEnd = (_: ProjectId, rescan: Rescan) => {
    bar?.finish();
    bar = undefined;
    const { counts, result, reason } = rescan;
    totals.scanned += 1;
    totals.summarized += counts.summarized;
    totals.failed += counts.failed + (reason === undefined ? 0 : 1);
    totals.tokens += counts.tokensUsed;
    const { newFiles, changedFiles, renamedFiles, deletedFiles } = result;
    const isNews = [newFiles, changedFiles, renamedFiles, deletedFiles].some(({ length }) => length > 0);
    if (isNews || counts.summarized > 0) tell(rescanLine(rescan));
    if (reason !== undefined) tell(`scouts: ${rescan.project.name}: ${reason.sentence} (${reason.code})`);
  };

  const rescans = createRescans({
    store: system.store,
    api: system.api,
    onProgress(_, progress) {
      if (!options.once) return;
      bar ??= scanProgress(io, options.json);
      bar.show(progress);
    },
    onEnd,
    onProblem(error, projectId) {
      totals.failed += 1;
      const of = projectId === undefined ? "" : `${nameOf(projectId)}: `;
      tell(`scouts: ${of}${error.message || sentenceOf("internal")}`);
    },
  });
  // A scan that is interrupted tells the cloud and keeps what it has.
  io.signal.addEventListener("abort", () => void rescans.close(), { once: true });
  return { ...rescans, totals: () => (totals.scanned + totals.failed === 0 ? undefined : totals) };
}
