import type { ErrorCode } from "../../../events/error-kinds.ts";
import { asScoutsError, mayPass } from "../../outcome/outcome.ts";
import { unreachedOf } from "../connectors/unreached.ts";
import type { FailureFacts, ScoutRow } from "../scout-row.ts";

/** What a look leaves that has come to nothing: since when its looks fail, why the last did, and why the source was not reached. */
export function failureOf(row: ScoutRow | undefined, error: unknown, nowMs: number): Omit<FailureFacts, "failures"> {
  return {
    failureCode: asScoutsError(error).code,
    ...unreachedOf(error),
    ...(mayPass(error) && { refusedSince: row?.refusedSince ?? nowMs }),
    failedAt: nowMs,
    failingSince: row?.failingSince ?? nowMs,
  };
}

/** A sign-in that is refused for so long is not refused in passing. */
const refusedForMs = 3_600_000;

/** Whether the look's sign-in was refused, as all before it for an hour. */
export const isRefusedForLong = (row: ScoutRow | undefined, error: unknown, nowMs: number): boolean =>
  mayPass(error) && row?.refusedSince !== undefined && Math.abs(nowMs - row.refusedSince) >= refusedForMs;

/** What a look leaves that has listed a part of its source only. */
export function failedInPart(row: ScoutRow, code: ErrorCode, nowMs: number): FailureFacts {
  const again = row.failureCode === code;
  return {
    failures: again ? (row.failures ?? 0) + 1 : 1,
    failureCode: code,
    failedAt: nowMs,
    failingSince: again ? (row.failingSince ?? nowMs) : nowMs,
  };
}
