import { Resource } from "sst/resource";
import * as z from "zod";
import type { ErrorCode } from "../events/error-kinds.ts";
import { configurationInvalid } from "../shared/outcome/outcome.ts";

/**
 * Log lines that are counted as metrics, by their code: CloudWatch reads the counts out of the lines themselves
 * (embedded metric format), so that counting costs no request. infra/alarms.ts watches them.
 */
const countedEvents: Readonly<Record<string, string>> = {
  model_breaker_open: "ModelBreakerOpen",
  item_dead: "DeadItems",
  item_unjudged: "UnjudgedItems",
  push_refused: "RefusedPushes",
  // Said of whatever only the operator can mend: of what refuses us, too, which elsewhere is a person's affair.
  [configurationInvalid]: "ConfigurationInvalid",
};

/** Whoever meets them. */
const countedErrors: Readonly<Partial<Record<ErrorCode, string>>> = {
  configuration_invalid: "ConfigurationInvalid",
  row_damaged: "ConfigurationInvalid",
  sealing_key_unknown: "ConfigurationInvalid",
};

/**
 * The names of all metrics.
 *
 * @internal for the test that each has an alarm: the stack imports no function
 */
export const countedMetrics = [...new Set([...Object.values(countedEvents), ...Object.values(countedErrors)])];

const app = z.object({ stage: z.string() });

/** SST hands every function its stage; code that runs without SST (a test) counts for none. */
const stage = () => ("App" in Resource ? app.parse(Reflect.get(Resource, "App")).stage : "none");

/**
 * What a log line carries so that it is counted; nothing for a line that is not.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function countOf(code: string, errorCode: ErrorCode | undefined, nowMs: number): Record<string, unknown> {
  const metric = countedEvents[code] ?? (errorCode && countedErrors[errorCode]);
  if (metric === undefined) return {};
  const directive = { Namespace: "Scouts", Dimensions: [["Stage"]], Metrics: [{ Name: metric, Unit: "Count" }] };
  return { _aws: { Timestamp: nowMs, CloudWatchMetrics: [directive] }, Stage: stage(), [metric]: 1 };
}
