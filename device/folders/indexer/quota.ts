import type { ErrorCode } from "../../../events/error-kinds.ts";
import { isScoutsError } from "../../../events/errors.ts";
import { type QuotaCheckResponse, quotaCheckResponse } from "../../../events/http/usage.ts";
import { askCloud, type CloudApi } from "../../connect/cloud-api.ts";
import { sentenceOf } from "../../errors.ts";

const checkPath = "/api/v1/billing/quota/check";
const figures = new Intl.NumberFormat("en");

/**
 * Asks, before anything is sent, whether the plan covers a scan of that size.
 *
 * @throws ScoutsError `folder_max_files`, `folder_monthly_tokens` with `{ tier, limit, used, resetsAt }`; what
 * {@link askCloud} throws
 */
export function checkFolderQuota(api: CloudApi, files: number, tokens: number): Promise<QuotaCheckResponse> {
  const request = { feature: "folder_index", estimated_files: files, estimated_tokens: tokens };
  return askCloud(api, "POST", checkPath, quotaCheckResponse, request);
}

/** Whether a plan does not cover what was asked for: refused before anything was sent. */
export function isRefusedByPlan(error: unknown): boolean {
  return isScoutsError(error, "folder_max_files") || isScoutsError(error, "folder_monthly_tokens");
}

interface PlanFacts {
  readonly tier?: unknown;
  readonly limit?: unknown;
  readonly used?: unknown;
  readonly resetsAt?: unknown;
}

/**
 * Says what a plan does not cover: which plan, how much it covers, and when that begins anew; and how many files wait for
 * that.
 */
export function planSentence(code: ErrorCode, { tier, limit, used, resetsAt }: PlanFacts, waiting = 0): string {
  const unit = code === "folder_max_files" ? "files a folder" : "tokens a month";
  const parts = [sentenceOf(code)];
  if (typeof limit === "number") {
    const taken = typeof used !== "number" ? "" : ` (${figures.format(used)} ${usedWord(code)})`;
    parts.push(`The plan ${String(tier)} covers ${figures.format(limit)} ${unit}${taken}.`);
  }
  if (typeof resetsAt === "number") parts.push(`It begins anew on ${new Date(resetsAt).toISOString().slice(0, 10)}.`);
  if (waiting > 0) {
    const files = waiting === 1 ? "1 file waits" : `${figures.format(waiting)} files wait`;
    parts.push(`${files}: taken up by itself then, or when the plan is raised, while a home or device of yours runs.`);
  }
  return parts.join(" ");
}

const usedWord = (code: ErrorCode) => (code === "folder_max_files" ? "are there" : "are used");
