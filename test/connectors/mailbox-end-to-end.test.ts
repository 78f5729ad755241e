import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askCloud } from "../../device/connect/cloud-api.ts";
import type { StoredProposal } from "../../device/store/schema.ts";
import { type CreatedScoutResponse, createdScoutResponse } from "../../events/http/scouts.ts";
import { relevant, type ScriptedModel, startScriptedModel } from "../e2e/scripted-model.ts";
import { writeCanaryMail } from "../privacy/canary-mail.ts";
import { type CanarySystem, startCanarySystem } from "../privacy/canary-system.ts";
import type { Finding } from "../privacy/scan/scanner.ts";

/** Mail in files on the whole product: its scout is made over the HTTP API, its news reach the device. */
describe("a mailbox that was added on the local home", () => {
  const folder = mkdtempSync(join(tmpdir(), "scouts-added-"));
  let model: ScriptedModel;
  let running: CanarySystem;
  let made: CreatedScoutResponse;
  let proposal: StoredProposal;
  let full: string;
  let inStores: Finding[];
  let inFiles: Finding[];
  const words: Record<string, string> = {};

  beforeAll(async () => {
    model = await startScriptedModel(() => relevant());
    running = await startCanarySystem(writeCanaryMail, { environment: model.environment });
    const { system, canaries } = running;
    for (const what of ["path", "subject", "text", "sender"]) words[what] = canaries.plant(`${what} of the mailbox`);
    const path = join(folder, `mail-${words["path"]}`);
    mkdirSync(path);
    const letter = `From: ${words["sender"]} <ada@mail.example>\r\nSubject: About ${words["subject"]}\r\n\r\nIt says ${words["text"]}.\r\n`;
    writeFileSync(join(path, "1.eml"), letter);
    const arrived = Promise.withResolvers<StoredProposal>();
    system.device.events.on("proposal", (each) => {
      if (each.sourceType === "mailbox") arrived.resolve(each);
    });
    made = await askCloud(system.api, "POST", "/api/v1/scouts", createdScoutResponse, {
      sourceType: "mailbox",
      settings: { path },
      name: "Archive",
      purpose: "What is asked of me?",
    });
    proposal = await arrived.promise;
    full = (await system.device.requestItem(proposal.id)).text;
    await system.home.whenIdle(new AbortController().signal);
    inStores = await running.lookIntoStores();
    inFiles = await running.stopAndLookIntoFiles();
  }, 240_000);
  afterAll(async () => {
    await running?.remove();
    await model?.close();
    rmSync(folder, { recursive: true });
  });

  test("says what it sees, and its mail becomes a proposal on the device", () => {
    expect(made.sees).toMatchObject({ place: expect.stringContaining(words["path"] ?? ""), items: 1 });
    expect(proposal).toMatchObject({ scoutId: made.id, status: "pending" });
    expect(proposal.rawSubject).toContain(words["subject"]);
  });

  test("the full item is read from the files when the person asks", () => {
    expect(full).toContain(words["text"]);
  });

  test("P1: neither path nor subject, text or sender is readable anywhere at rest in the cloud", () => {
    expect(inStores).toEqual([]);
    expect(inFiles).toEqual([]);
  });
});
