import * as z from "zod";
import { type ErrorCode, errorCodes } from "../../events/error-kinds.ts";
import type { Item } from "../ports/table.ts";
import { storedRow } from "../stored-row.ts";

const code = z.enum(errorCodes);

/** What a deployment knows of its language model: codes, counts and times. Absent, it never had reason to ask. */
const breakerRow = z.object({
  /** Open since then: the model cannot be asked, and why. */
  code: code.optional(),
  since: z.number().optional(),
  /** When it was closed last. */
  closedAt: z.number().optional(),
  /** Probes that failed in a row, and the first of them. */
  failedProbes: z.number().default(0),
  failingSince: z.number().optional(),
  probedAt: z.number().optional(),
  /** When a probe was begun that the model answered. */
  goodAt: z.number().optional(),
  nextProbeAt: z.number().optional(),
  /** Who asks now, and until when nobody else does. */
  prober: z.string().optional(),
  leaseUntil: z.number().optional(),
  /** Digest of the settings the last prober had: other settings are asked at once. */
  setting: z.string().optional(),
});
export type BreakerRow = z.infer<typeof breakerRow>;

/** The state of a breaker; without a row nothing has failed yet. @throws row_damaged */
export function parseBreakerRow(item: Item | undefined): BreakerRow {
  return storedRow(item, (stored) => breakerRow.parse(stored ?? {}));
}

/** The model cannot be asked. */
export interface OpenBreaker {
  readonly code: ErrorCode;
  /** Milliseconds since the epoch. */
  readonly sinceMs: number;
}

/** Why a breaker is open, and since when; undefined while it is closed. */
export function openOf({ code: why, since }: BreakerRow): OpenBreaker | undefined {
  return why === undefined || since === undefined ? undefined : { code: why, sinceMs: since };
}
