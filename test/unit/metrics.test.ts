import { expect, test, vi } from "vitest";
import { ScoutsError } from "../../events/errors.ts";
import { log } from "../../functions/log.ts";
import { countedMetrics, countOf } from "../../functions/metrics.ts";
import { configurationInvalid } from "../../shared/outcome/outcome.ts";

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

test.each(["row_damaged", "sealing_key_unknown", "source_refused", "source_push_refused"] as const)(
  "nothing silent: %s, which its operator alone can mend, is counted like a setting that is missing, once",
  (code) => {
    const [line] = linesOf(() => log.error(configurationInvalid, new ScoutsError(code), { what: "poll" }));
    expect(line).toMatchObject({ code: "configuration_invalid", errorCode: code, ConfigurationInvalid: 1 });
  },
);

test("a row that is damaged is counted wherever somebody meets it", () => {
  const [line] = linesOf(() => log.error("step_not_taken", new ScoutsError("row_damaged")));
  expect(line).toMatchObject({ code: "step_not_taken", ConfigurationInvalid: 1 });
});

test("every metric that is watched can be counted, and an ordinary line counts nothing", () => {
  const codes = ["model_breaker_open", "item_dead", "item_unjudged", "push_refused", configurationInvalid];
  const counted = codes.map((code) => Object.keys(countOf(code, undefined, 0)).at(-1));
  expect(counted.sort()).toEqual([...countedMetrics].sort());
  expect(linesOf(() => log.event("sync_done", { count: 3 }))[0]).not.toHaveProperty("_aws");
});
