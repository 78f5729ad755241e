import { expect, test } from "vitest";
import type { Output } from "../../../cli/output/output.ts";
import { showHealth } from "../../../cli/scouts/shown/shown-health.ts";
import { showScout } from "../../../cli/scouts/shown/shown-scouts.ts";
import { scoutHealth } from "../../../events/health.ts";
import { scoutResponse } from "../../../events/http/scouts.ts";
import healthSample from "../../../events/samples/health.scoutHealth.json" with { type: "json" };
import scoutSample from "../../../events/samples/http.scoutResponse.json" with { type: "json" };

const atMs = Date.parse("2026-03-01T20:30:00Z");
const here = { nowMs: atMs + 60_000, zone: "Asia/Kolkata" };

function linesOf(show: (output: Output) => void): string {
  const lines: string[] = [];
  show({ line: (text = "") => void lines.push(text), json: () => undefined, style: (_, text) => text, columns: 160 });
  return lines.join("\n");
}

test("a scout's times and its health's are as clocks show them where the person is", () => {
  const scout = scoutResponse.parse({ ...scoutSample, createdAt: atMs, lastRunAt: atMs, nextRunAt: atMs + 3_600_000 });
  const shown = linesOf((output) => showScout(output, scout, here));
  expect(shown.match(/\d{4}-\d\d-\d\d \d\d:\d\d/g)).toEqual([
    "2026-03-02 02:00",
    "2026-03-02 02:00",
    "2026-03-02 03:00",
  ]);

  const health = scoutHealth.parse({
    ...healthSample,
    watch: { state: "active", expiresAt: atMs, failureCode: null, failedAt: null },
    gap: { from: atMs - 3_600_000, to: atMs },
  });
  const told = linesOf((output) => showHealth(output, "Mail", health, here));
  expect(told).toContain("push is on until 2026-03-02 02:00");
  expect(told).toContain("2026-03-02 01:00 to 2026-03-02 02:00, looked at again");
  const missed = { ...health, gap: { from: atMs - 3_600_000, to: atMs, missed: true } };
  expect(linesOf((output) => showHealth(output, "Mail", missed, here))).toContain(
    "2026-03-02 01:00 to 2026-03-02 02:00: what came and went again in that time was missed",
  );
});

test("what a home cannot read of a scout's health is named, and not shown as nothing used, no limit or a model that answers", () => {
  const told = (damaged: readonly string[]) => {
    const health = scoutHealth.parse({ ...healthSample, waiting: null, damaged });
    return linesOf((output) => showHealth(output, "Mail", health, here));
  };
  const why = "A row of the store cannot be read";
  expect(told([])).not.toContain(why);
  expect(told(["account"])).toMatch(/tokens +\d+ by this scout.*; the limit is not known: A row of the store/);
  expect(told(["usage"])).toMatch(/tokens +not known: A row of the store/);
  expect(told(["model"])).toMatch(/model +not known: A row of the store/);
});
