import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { relevant, type ScriptedModel, startScriptedModel } from "../e2e/scripted-model.ts";
import { type CanarySystem, startCanarySystem } from "./canary-system.ts";
import { type Answers, knockAtApi, knockAtWebhook, sendHostileFrames } from "./hostile-requests.ts";
import type { Finding } from "./scan/scanner.ts";

/** Requests, deliveries and frames that are malformed, forged or too large, each with canaries in every part. */
describe("P1: nothing readable at rest in the cloud after hostile input", () => {
  let running: CanarySystem;
  let model: ScriptedModel;
  let webhook: Answers;
  let api: Answers;
  let frames: unknown[];
  let inStores: Finding[];
  let inFiles: Finding[];

  beforeAll(async () => {
    model = await startScriptedModel(() => relevant());
    running = await startCanarySystem(
      (folder, canaries) => {
        const head = `From: a@b.example\r\nSubject: ${canaries.plant("subject")}\r\n`;
        writeFileSync(join(folder, "one.eml"), `${head}\r\nCome on Sunday.\r\n`);
      },
      { environment: model.environment },
    );
    const { system, canaries } = running;
    webhook = await knockAtWebhook(system, canaries);
    api = await knockAtApi(system, canaries);
    frames = await sendHostileFrames(system, canaries);
    await system.home.whenIdle();
    await system.device.settled();
    await system.home.whenIdle();
    inStores = await running.lookIntoStores();
    inFiles = await running.stopAndLookIntoFiles();
  });
  afterAll(async () => {
    await running?.remove();
    await model?.close();
  });

  test("no table, queue, dead-letter queue or object", () => expect(inStores).toEqual([]));
  test("no file under cloud/: engines' files, logs, names", () => expect(inFiles).toEqual([]));

  test("and every delivery reached the code that drops or refuses it", () => {
    const refused = ["another subscription", "no token", "a forged token", "no JWT at all", "another scheme"];
    for (const [what, status] of webhook) expect([what, status]).toEqual([what, refused.includes(what) ? 401 : 204]);
  });

  test("and every request was answered as it should be", () => {
    const unusual: Record<string, number> = {
      "an unknown path": 404,
      "a path that decodes badly": 404,
      "no scout's id": 404,
      "a method nobody knows": 405,
      "nothing to restore": 404,
      "unknown keys": 201,
      "Google's redirect": 302,
      "Google's redirect, unauthenticated": 302,
      "Google's refusal": 302,
      "Google's refusal, unauthenticated": 302,
      "Google's redirect, forged, unauthenticated": 400,
    };
    for (const [what, status] of api) {
      const usual = what.endsWith(", unauthenticated") ? 401 : 400;
      expect([what, status]).toEqual([what, unusual[what] ?? usual]);
    }
  });

  test("and every frame was answered by an error that names a code, every ticket refused", () => {
    expect(frames).toEqual([
      ...Array.from({ length: 5 }, () => "unknown_frame"),
      ...Array.from({ length: 3 }, () => "invalid_frame"),
      "protocol_unsupported",
      "invalid_frame",
      "invalid_frame",
      "proposal_not_found",
      "invalid_frame",
      "proposal_not_found",
      "scout_not_found",
      "invalid_frame",
      ...Array.from({ length: 3 }, () => "session_unknown"),
      "proposal_not_found",
      "unknown_frame",
      ...Array.from({ length: 4 }, () => 403),
    ]);
  });
});
