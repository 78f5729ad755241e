import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { search } from "../../device/knowledge/search/search.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { addEntity } from "../../device/work/change-entities.ts";
import { judgeBySubject, writeMail } from "../e2e/mail.ts";
import { linkCanaryFolder } from "./canary-folder.ts";
import { type CanarySystem, startCanarySystem } from "./canary-system.ts";
import { type ContentModel, startContentModel } from "./content-model.ts";
import type { Finding } from "./scan/scanner.ts";

/** A folder is summarised, indexed and searched, and the person's work with it: for what it holds, and for what it does not. */
describe("P1: what the search index holds, and what is searched for, is never at rest in the cloud", () => {
  let running: CanarySystem;
  let model: ContentModel;
  const found: number[] = [];
  let inStores: Finding[];
  let inFiles: Finding[];

  beforeAll(async () => {
    const plant = (what: string) => running.canaries.plant(what);
    model = await startContentModel({
      reply: (prompt) =>
        prompt.startsWith("Kind: ")
          ? { content: JSON.stringify({ summary: `About ${plant("summary")}.`, tag: "doc" }) }
          : judgeBySubject(prompt),
      say: () => ({ text: "" }),
    });
    running = await startCanarySystem((mailFolder) => writeMail(mailFolder, [0]), { environment: model.environment });
    await linkCanaryFolder(running);
    const { store } = running.system;
    for (const kind of ["task", "note"] as const) {
      addEntity(store, kind, { title: plant(`title of a ${kind}`) }, systemTimeAndIds.now());
    }
    const texts = running.canaries.all.filter(({ label }) =>
      /^(text of a file|summary|title of a (task|note))$/.test(label),
    );
    const asked = [...texts.map(({ text }) => text), running.canaries.plant("question")];
    for (const text of asked) {
      const { hits, work } = await search({ text, limit: 10 }, { store, now: systemTimeAndIds.now });
      found.push(hits.length + work.length);
    }
    await running.system.home.whenIdle();
    inStores = await running.lookIntoStores();
    inFiles = await running.stopAndLookIntoFiles();
  }, 240_000);
  afterAll(async () => {
    await running?.remove();
    await model?.close();
  });

  test("no table, queue or object", () => expect(inStores).toEqual([]));
  test("no file under cloud/", () => expect(inFiles).toEqual([]));
  test("and the index did hold it, where it belongs", () => {
    expect(found.slice(0, -1).every((hits) => hits > 0)).toBe(true);
    expect(found.at(-1)).toBe(0);
  });
});
