import * as z from "zod";
import { count, timestamp } from "./page.ts";

/** What a person's plan is called (shared/billing/tiers.ts). It is shown and nothing is made of it, so that a newer home may know more. */
const tier = z.string();

/** `POST /api/v1/billing/quota/check`: whether a folder of that size may be linked and scanned, as things stand. */
export const quotaCheckRequest = z.object({
  feature: z.literal("folder_index"),
  estimated_files: count,
  estimated_tokens: count,
});
/** It may. `null` limits are none; `used` counts what is set aside as well. */
export const quotaCheckResponse = z.object({
  tier,
  maxFiles: count.nullable(),
  monthlyTokens: count.nullable(),
  used: count,
  resetsAt: timestamp,
});
export type QuotaCheckResponse = z.infer<typeof quotaCheckResponse>;

const feature = z.enum(["triage", "folder_index", "agents", "categorize"]);
/** Tokens of a feature this month: `committed` is `used` and what is set aside for work under way. */
export const featureUsage = z.object({
  feature,
  used: count,
  committed: count,
  limit: count.nullable(),
  /** Committed by each scout or project, most first. */
  within: z.array(z.object({ id: z.string(), tokens: count })),
});
/** Months of `GET /api/v1/usage`: this one, and so many less one before it. */
export const usageQuery = z.object({ months: z.coerce.number().int().min(1).max(13).default(1) });
const month = z.string().regex(/^\d{4}-\d{2}$/);
/** A month that is over: what was used, and by which scouts and projects. */
export const pastMonth = z.object({
  month,
  features: z.array(featureUsage.pick({ feature: true, used: true, within: true })),
  /** Features whose row cannot be read: they are not among `features`. */
  damaged: z.array(feature).optional(),
});
/** `GET /api/v1/usage`: a calendar month in UTC, `yyyy-mm`, and when the next one begins. */
export const usageResponse = z.object({
  /** `unknown` while `damaged` has "account": the limits are not known either. */
  tier,
  month,
  resetsAt: timestamp,
  features: z.array(featureUsage),
  /** What cannot be read, by its row: the person's account, or a feature's tokens, which is then not among `features`. */
  damaged: z.array(z.enum(["account", ...feature.options])).optional(),
  /** Months before it, the newest first; where more than one was asked for. */
  past: z.array(pastMonth).optional(),
});
export type UsageResponse = z.infer<typeof usageResponse>;
