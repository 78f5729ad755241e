import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type RunArtifacts, runArtifacts } from "../../device/actions/run-artifacts.ts";
import { openArtifacts } from "../../device/artifacts/open-artifacts.ts";
import { runAgainOf } from "../../device/artifacts/run-again.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { Vault } from "../../device/vault/vault.ts";
import { deviceActionNames } from "../../events/agent-tools/actions.ts";
import { originOf, temporaryFolder } from "./setting.ts";

/** A run on a data folder whose person has set something. */
function runWith(artifacts: object | undefined, agent = "home"): RunArtifacts {
  const data = temporaryFolder();
  mkdirSync(join(data, "device"));
  if (artifacts !== undefined) writeFileSync(join(data, "device", "config.json"), JSON.stringify({ artifacts }));
  let calls = 0;
  const opened = openArtifacts(data, systemTimeAndIds, new Vault(data));
  return runArtifacts(opened, { threadId: "run_x", agent, newCallId: () => `cal_n${calls++}` });
}

let calls = 0;
const shown = (run: RunArtifacts, text: string, action = "list_tasks") =>
  run.shown({ action, callId: `cal_${calls++}`, data: {}, text, filesRead: [] });
const isStored = (text: string) => text.startsWith('{"artifact":');
const ofBytes = (bytes: number) => "x".repeat(bytes);

describe("one policy decides what a run is shown and what is stored", () => {
  test.each([
    ["nothing is set: 50 KB, or what a frame can show", undefined, 43_000, 45_000],
    ["development", { preset: "development" }, 10_000, 10_300],
    ["an agent's own", { preset: "development", perAgent: { home: 20_000 } }, 19_900, 20_100],
    ["a tool's goes before an agent's", { perAgent: { home: 2_000 }, perTool: { list_tasks: 3_000 } }, 2_900, 3_100],
    ["a small window takes a quarter of itself", { windowTokens: 8_000 }, 3_900, 4_100],
  ])("%s", async (_, settings, direct, stored) => {
    expect(isStored(await shown(runWith(settings), ofBytes(direct)))).toBe(false);
    expect(isStored(await shown(runWith(settings), ofBytes(stored)))).toBe(true);
  });

  test("the more a run has been shown, the sooner a result is stored", async () => {
    const run = runWith({ windowTokens: 30_000 });
    const results: boolean[] = [];
    for (let each = 0; each < 6; each++) results.push(isStored(await shown(run, ofBytes(9_000))));
    expect(results[0]).toBe(false);
    expect(results.at(-1)).toBe(true);
    expect(results).toEqual(results.toSorted((one, other) => Number(one) - Number(other)));
  });

  test("a person's template is what a model is shown of data", async () => {
    const run = runWith({ templates: { context: "{{tool}} left {{shape}}." } });
    const whole = { text: "a,b\n1,2\n3,4\n", name: "x.csv", isData: true };
    const text = await run.shown({ action: "read_lines", callId: "cal_t", data: {}, text: "", whole, filesRead: [] });
    expect(text).toContain("read_lines left table of 2 rows");
    expect(text).not.toContain("Stored as artifact");
  });

  test("a template that cannot be read is refused with the configuration", () => {
    expect(() => runWith({ templates: { context: "{{#fields}}" } })).toThrow(
      expect.objectContaining({ code: "config_unreadable" }),
    );
  });
});

test("every action either is run again or says that it cannot, before a model is told to", async () => {
  const args = { project_id: "prj_1" };
  const again = deviceActionNames.map((tool) => [tool, runAgainOf(originOf("c", { tool, arguments: args }))]);
  expect(again.filter(([, how]) => how === undefined)).toEqual([["read_item", undefined]]);
  expect(runAgainOf(originOf("c", { tool: "list_tasks", readOnly: false }))).toBeUndefined();
  expect(runAgainOf(originOf("c", { tool: "somebody's tool" }))).toBeUndefined();
});

test("how to get a lost artifact again is not promised where it cannot be had", async () => {
  const data = temporaryFolder();
  const artifacts = openArtifacts(data, systemTimeAndIds, new Vault(data));
  for (const [call, tool, words] of [
    ["a", "read_item", "cannot be run again"],
    ["b", "list_tasks", "scouts artifacts regenerate"],
  ] as const) {
    const kept = await artifacts.keep("text of a result", originOf(call, { tool }));
    if (kept.kind !== "file") return expect.fail("It was not stored.");
    rmSync(join(data, kept.metadata.path));
    await expect(artifacts.read(kept.metadata.id)).rejects.toMatchObject({
      code: "not_found",
      recovery: expect.stringContaining(words),
    });
  }
});
