import { expect, test, vi } from "vitest";
import { ScoutsError } from "../../events/errors.ts";
import { log } from "../../functions/log.ts";
import { countedMetrics, countOf } from "../../functions/metrics.ts";

/** The lines that `run` logs, parsed. */
function linesOf(run: () => void): Record<string, unknown>[] {
  const lines: string[] = [];
  const spy = vi.spyOn(process.stdout, "write").mockImplementation((text) => lines.push(String(text)) > 0);
  try {
    run();
  } finally {
    spy.mockRestore();
  }
  return lines.map((line) => JSON.parse(line));
}

test("nothing silent: what needs an operator is counted in the log line that says it, in CloudWatch's own format", () => {
  const [line] = linesOf(() => log.error("sync_failed", new ScoutsError("configuration_invalid")));
  expect(line).toMatchObject({
    code: "sync_failed",
    errorCode: "configuration_invalid",
    ConfigurationInvalid: 1,
    Stage: expect.any(String),
    _aws: {
      CloudWatchMetrics: [
        { Namespace: "Scouts", Dimensions: [["Stage"]], Metrics: [{ Name: "ConfigurationInvalid" }] },
      ],
    },
  });
});

test("every metric that is watched can be counted, and an ordinary line counts nothing", () => {
  const codes = ["model_breaker_open", "item_dead", "item_unjudged", "push_refused"];
  const counted = codes.map((code) => Object.keys(countOf(code, undefined, 0)).at(-1));
  expect([...counted, "ConfigurationInvalid"].sort()).toEqual([...countedMetrics].sort());
  expect(linesOf(() => log.event("sync_done", { count: 3 }))[0]).not.toHaveProperty("_aws");
});
