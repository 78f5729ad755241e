import { Resource } from "sst/resource";
import * as z from "zod";

/**
 * Log lines that are counted as metrics, by their code: CloudWatch reads the counts out of the lines themselves
 * (embedded metric format), so that counting costs no request. infra/alarms.ts watches them.
 */
const countedEvents: Readonly<Record<string, string>> = {
  model_breaker_open: "ModelBreakerOpen",
  item_dead: "DeadItems",
  item_unjudged: "UnjudgedItems",
  push_refused: "RefusedPushes",
};

const countedErrors: Readonly<Record<string, string>> = {
  configuration_invalid: "ConfigurationInvalid",
};

/**
 * The names of all metrics.
 *
 * @internal for the test that each has an alarm: the stack imports no function
 */
export const countedMetrics = [...Object.values(countedEvents), ...Object.values(countedErrors)];

const app = z.object({ stage: z.string() });

/** SST hands every function its stage; code that runs without SST (a test) counts for none. */
const stage = () => ("App" in Resource ? app.parse(Reflect.get(Resource, "App")).stage : "none");

/**
 * What a log line carries so that it is counted; nothing for a line that is not.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function countOf(code: string, errorCode: string | undefined, nowMs: number): Record<string, unknown> {
  const metric = countedEvents[code] ?? countedErrors[errorCode ?? ""];
  if (metric === undefined) return {};
  const directive = { Namespace: "Scouts", Dimensions: [["Stage"]], Metrics: [{ Name: metric, Unit: "Count" }] };
  return { _aws: { Timestamp: nowMs, CloudWatchMetrics: [directive] }, Stage: stage(), [metric]: 1 };
}
