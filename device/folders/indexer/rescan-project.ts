import type { ErrorCode } from "../../../events/error-kinds.ts";
import { isScoutsError } from "../../../events/errors.ts";
import type { QuotaCheckResponse } from "../../../events/http/usage.ts";
import type { ProjectId } from "../../../events/ids.ts";
import { personalRules } from "../../config/personal-config.ts";
import type { CloudApi } from "../../connect/cloud-api.ts";
import type { Clock } from "../../connection/clock.ts";
import type { ContentChannel } from "../../connection/content/content-channel.ts";
import { asError, type DeviceErrorCode, isDeviceError, sentenceOf } from "../../errors.ts";
import { type IndexUpdate, updateSummaries } from "../../knowledge/index/update-index.ts";
import type { Project } from "../../store/folder-schema.ts";
import type { DeviceStore } from "../../store/open.ts";
import { type LeftOut, readInPart } from "../scanner/reasons.ts";
import { asScanError } from "../scanner/scan-error.ts";
import { filesToSummarize, type ScanProgress, type ScanResult } from "../scanner/scan-project.ts";
import { type StartedScan, type StartScanOptions, startScan } from "../scanner/start-scan.ts";
import { fitToPlan, type PlanFit } from "./fit-plan.ts";
import { type IndexCounts, type IndexEnd, indexFolder } from "./index-folder.ts";
import { indexScan } from "./index-scan.ts";
import { notingParts, type OpenPreparer, openPreparer, type Preparer } from "./prepare.ts";
import { checkFolderQuota, isRefusedByPlan, planSentence } from "./quota.ts";

export type RescanProgress =
  | ScanProgress
  | { readonly phase: "index"; readonly done: number; readonly total: number }
  | { readonly phase: "summarize"; readonly done: number; readonly total: number; readonly tokens: number };

export interface RescanOptions extends Pick<StartScanOptions, "cause" | "limits" | "openFiles"> {
  readonly store: DeviceStore;
  readonly api: CloudApi;
  readonly projectId: ProjectId;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: RescanProgress) => void) | undefined;
  /** Told before anything is sent when the month's tokens will not do for all files. */
  readonly onFit?: ((fit: PlanFit) => void) | undefined;
  readonly clock: Clock;
  /** The way to the cloud, closed when the scan is over. */
  readonly openContent: () => ContentChannel;
  readonly openPreparer?: OpenPreparer;
}

/** What a scan and its index session came to. */
export interface Rescan extends IndexEnd {
  readonly project: Project;
  readonly result: ScanResult;
  /** What became of the index, when there was something to do. */
  readonly index?: IndexUpdate;
  /** Why it is not `completed`, as the project's row has it. */
  readonly reason?: Reason;
}

interface Reason {
  readonly code: DeviceErrorCode | ErrorCode;
  readonly sentence: string;
}

const nothing: IndexCounts = { summarized: 0, failed: 0, unreadable: 0, tokensUsed: 0 };

/**
 * Scans a project's folder and has summarised what is new in it. Whatever happens after the scan is in what this returns,
 * in the project's row and in its run: the manifest is there all the same.
 *
 * @throws DeviceError `config_unreadable`, and what `startScan` throws: `project_unknown`, `folder_not_linked`, `scan_running`, `folder_not_found`, …
 */
export async function rescanProject(options: RescanOptions): Promise<Rescan> {
  const { store, projectId, onProgress } = options;
  const { cause = "manual", limits, openFiles, signal } = options;
  const { folderPath } = store.projects.get(projectId);
  const rules = folderPath === null ? [] : personalRules(store.dataFolder, folderPath);
  const scan = await startScan({
    store,
    projectId,
    cause,
    now: () => options.clock.now(),
    signal,
    rules,
    onProgress,
    ...(limits && { limits }),
    ...(openFiles && { openFiles }),
  });
  const end = await indexAndSummarise(scan, options).catch((thrown: unknown): Summarised => {
    const error = asScanError(thrown, scan.project.folderPath ?? "");
    if (isDeviceError(error, "scan_interrupted")) return { status: "cancelled", error, counts: nothing };
    return { status: isRefusedByPlan(error) ? "quota_exceeded" : "error", error, counts: nothing };
  });
  const isOver = isScoutsError(end.error, "quota_exceeded") || isScoutsError(end.error, "folder_monthly_tokens");
  const waiting = isOver && scan.holds() ? store.folderFiles.setWaiting(projectId) : 0;
  const reason = end.error === undefined ? undefined : reasonOf(end.error, end.plan, waiting);
  const { summarized: summarizedFiles, tokensUsed } = end.counts;
  scan.finish({ status: end.status, summarizedFiles, tokensUsed, ...reason });
  const result = { ...scan.result, skipped: leftOut(scan, store) };
  return { ...end, project: store.projects.get(projectId), result, ...(reason && { reason }) };
}

interface Summarised extends IndexEnd {
  /** What the plan said before anything was sent. */
  readonly plan?: QuotaCheckResponse;
  readonly index?: IndexUpdate;
}

/** What the scan left out, and what turned out to be unreadable since, whole or in part. */
function leftOut({ project, result: { skipped } }: StartedScan, store: DeviceStore): LeftOut {
  const parts = store.folderFiles.readInPart(project.id);
  const sinceFound = { ...store.folderFiles.skipped(project.id), ...(parts > 0 && { [readInPart]: parts }) };
  return { ...skipped, byReason: { ...skipped.byReason, ...sinceFound } };
}

/** Files are found as soon as they are read, whatever becomes of their summaries; what is read for one is not read for the other. */
async function indexAndSummarise(scan: StartedScan, options: RescanOptions): Promise<Summarised> {
  const { store, projectId, signal, clock, onProgress } = options;
  const opened = (options.openPreparer ?? openPreparer)(scan.files, () => clock.now());
  const preparer = notingParts(opened, options.store, scan.project.id);
  try {
    const { index, remembered } = await indexScan({
      store,
      scan,
      preparer,
      signal,
      onProgress: (progress) => onProgress?.({ phase: "index", ...progress }),
    });
    const told = index && { index };
    const end = await summarise(scan, options, remembered).catch((thrown: unknown): Summarised => {
      const error = asError(thrown);
      return { status: isRefusedByPlan(error) ? "quota_exceeded" : "error", error, counts: nothing };
    });
    const problem = end.counts.summarized > 0 && scan.holds() ? await updateSummaries({ store, projectId }) : undefined;
    return { ...end, ...told, ...(index && problem && { index: { ...index, problem } }) };
  } finally {
    await preparer.close();
  }
}

async function summarise(scan: StartedScan, options: RescanOptions, preparer: Preparer): Promise<Summarised> {
  const { store, api, signal, onProgress, clock } = options;
  // Not as the scan has found it: what is read anew for the index may have a text now and had none.
  const toSummarize = filesToSummarize(store, scan.project.id);
  if (toSummarize.length === 0) return { status: "completed", counts: nothing };
  const { total, byKind } = store.folderFiles.counts(scan.project.id);
  const tokens = toSummarize.reduce((sum, { estimatedTokens }) => sum + estimatedTokens, 0);
  const plan = await checkFolderQuota(api, total - (byKind.skipped ?? 0), tokens);

  const channel = options.openContent();
  try {
    const { files, fit, prepare } = await fitToPlan(toSummarize, plan, preparer, signal);
    if (fit) options.onFit?.(fit);
    const end = await indexFolder({
      store,
      scan,
      files,
      channel,
      prepare: (file) => prepare(file, signal),
      signal,
      clock,
      onProgress: (progress) => onProgress?.({ phase: "summarize", ...progress }),
    });
    return { ...end, plan };
  } finally {
    await channel.close();
  }
}

function reasonOf(error: Error, plan: QuotaCheckResponse | undefined, waiting: number): Reason {
  if (isDeviceError(error)) return { code: error.code, sentence: error.message };
  if (!isScoutsError(error)) return { code: "internal", sentence: sentenceOf("internal") };
  if (isRefusedByPlan(error)) return { code: error.code, sentence: planSentence(error.code, error.data, waiting) };
  if (error.code !== "quota_exceeded") return { code: error.code, sentence: error.message };
  const { tier, monthlyTokens: limit, resetsAt } = plan ?? {};
  return { code: error.code, sentence: planSentence(error.code, { tier, limit, resetsAt }, waiting) };
}
