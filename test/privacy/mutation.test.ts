import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drain } from "../../cli/up/drain.ts";
import { judged } from "../../cli/up/item-counts.ts";
import { alteredTree } from "../e2e/altered-tree.ts";
import { ownFolder } from "../e2e/folders.ts";
import { relevant, type ScriptedModel, startScriptedModel } from "../e2e/scripted-model.ts";
import { type CanarySystem, startCanarySystem } from "./canary-system.ts";
import { leaks, rights } from "./leaks/of-mail.ts";
import type { Finding } from "./scan/scanner.ts";

describe("P1: the suite fails when one reveal() is written to a store", () => {
  const tree = ownFolder();
  let running: CanarySystem;
  let model: ScriptedModel;
  let inStores: Finding[];
  let inFiles: Finding[];
  let relevantItems: number;

  beforeAll(async () => {
    model = await startScriptedModel(() => relevant());
    running = await startCanarySystem(
      (folder, canaries) => {
        const [subject, sender, snippet, text] = (["subject", "sender", "snippet", "text"] as const).map((label) =>
          canaries.plant(label),
        );
        const body = `${snippet} ${"and so on ".repeat(50)} ${text}`;
        writeFileSync(
          join(folder, "one.eml"),
          `From: ${sender} <a@b.example>\r\nSubject: ${subject}\r\n\r\n${body}\r\n`,
        );
      },
      {
        environment: model.environment,
        home: {
          configFile: alteredTree(tree.path, [...leaks.map(({ alteration }) => alteration), ...rights]),
          backOffMs: () => 1,
        },
      },
    );
    relevantItems = judged(await drain(running.system, new AbortController().signal)).relevant;
    inStores = await running.lookIntoStores();
    inFiles = await running.stopAndLookIntoFiles();
  });
  afterAll(async () => {
    await running?.remove();
    await model?.close();
    tree.remove();
  });

  test.each(leaks)("$label into $into", ({ label, inStores: store, inFiles: file }) => {
    const places = (findings: readonly Finding[]) =>
      findings.filter((finding) => finding.label === label).map(({ place }) => place);
    if (store) expect(places(inStores)).toContainEqual(expect.stringMatching(store));
    expect(places(inFiles)).toContainEqual(expect.stringMatching(file));
  });

  test("nothing but what was leaked is found, and the altered product works as before", () => {
    expect(relevantItems).toBe(1);
    expect(new Set([...inStores, ...inFiles].map(({ label }) => label))).toEqual(
      new Set(["subject", "sender", "snippet", "text"]),
    );
  });
});
