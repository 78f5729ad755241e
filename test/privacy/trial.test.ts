import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { untilIdle } from "../../cli/up/drain.ts";
import { askCloud } from "../../device/connect/cloud-api.ts";
import { listScouts } from "../../device/connect/list-scouts.ts";
import { newTrialId, tryPurpose } from "../../device/sources/try-purpose.ts";
import { scoutResponse } from "../../events/http/scouts.ts";
import { type TrialResponse, trialResponse } from "../../events/http/trials.ts";
import { relevant, type ScriptedModel, spam, startScriptedModel } from "../e2e/scripted-model.ts";
import { newId } from "../memory/chance.ts";
import { writeCanaryMail } from "./canary-mail.ts";
import { type CanarySystem, startCanarySystem } from "./canary-system.ts";
import type { Finding } from "./scan/scanner.ts";

/** Another purpose tried on the whole product, over the queue, while canaries stand in purpose, mail and reasons. */
describe("a trial on the local home", () => {
  const looked = Promise.withResolvers<void>();
  let word = "not planted yet";
  let model: ScriptedModel;
  let running: CanarySystem;
  let shown: TrialResponse;
  let before: unknown;
  let after: unknown;
  let midway: Finding[];
  let inStores: Finding[];
  let inFiles: Finding[];

  beforeAll(async () => {
    const { signal } = new AbortController();
    const asked = Promise.withResolvers<void>();
    model = await startScriptedModel(async (prompt) => {
      if (!prompt.includes(word)) return relevant();
      // Halfway through, everything lies where it lies: in tables, on the queue, with its worker.
      asked.resolve();
      await looked.promise;
      return spam(`Not about ${word}`);
    });
    running = await startCanarySystem(writeCanaryMail, { environment: model.environment });
    const { system, canaries } = running;
    await untilIdle(system, signal);
    word = canaries.plant("purpose that is tried");
    const [scout] = await listScouts(system.api);
    if (!scout) throw new Error("The home has no scout");
    const look = () => askCloud(system.api, "GET", `/api/v1/scouts/${scout.id}`, scoutResponse);
    before = await look();
    const trial = tryPurpose(
      {
        home: () => system.api,
        signal,
        now: () => performance.now(),
        pause: (ms) => setTimeout(ms),
      },
      scout,
      newTrialId(newId),
      { purpose: `Only what is about ${word}`, last: 5 },
    );
    await asked.promise;
    midway = await running.lookIntoStores();
    looked.resolve();
    shown = await trial;
    after = await look();
    await untilIdle(system, signal);
    inStores = await running.lookIntoStores();
    inFiles = await running.stopAndLookIntoFiles();
  }, 240_000);
  afterAll(async () => {
    looked.resolve();
    await running?.remove();
    await model?.close();
  });

  test("shows what would change, and changes nothing", () => {
    expect(trialResponse.parse(shown)).toMatchObject({ status: "completed", newlyProposed: 0, failed: 0 });
    expect(shown.newlyDismissed).toBe(shown.total);
    expect(shown.items[0]?.atSource).toMatchObject({ subject: expect.any(String) });
    expect(after).toEqual(before);
  });

  test("P1: neither its purpose nor what the model says is readable anywhere at rest in the cloud", () => {
    expect(midway).toEqual([]);
    expect(inStores).toEqual([]);
    expect(inFiles).toEqual([]);
  });
});
