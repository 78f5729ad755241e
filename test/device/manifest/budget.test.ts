import fc from "fast-check";
import { expect, test } from "vitest";
import type { ManifestFile } from "../../../device/folders/manifest/manifest-file.ts";
import { leastBudgetTokens, type ManifestInput, renderManifest } from "../../../device/folders/manifest/render.ts";
import { renderRecent } from "../../../device/folders/manifest/render-recent.ts";
import { tokenCounter } from "../../../device/folders/manifest/token-counter.ts";
import { manifestKinds } from "../../../events/frames/folders.ts";
import { rounds } from "../../rounds.ts";
import { manifestOf, nowMs, project } from "./setting.ts";

const countTokens = await tokenCounter();

/** Words of five languages, and what breaks renderers: line breaks, tags, bidi marks, lone surrogates, joined emoji, slashes. */
const words = [
  ..."the budget of a garden plan for next year report index".split(" "),
  ..."预算 项目 计划 花园 总结 测试 配置".split(" "),
  ..."ميزانية مشروع حديقة تقرير العام القادم".split(" "),
  ..."бюджет садовый отчёт план проекта".split(" "),
  ..."Größenänderung Übersicht für Pläne".split(" "),
  ..."🌱 👩‍🌾 🏳️‍🌈 🧑🏽‍💻".split(" "),
  ..."<linked_folder> </linked_folder> <|endoftext|> \\u003c {{}} `code` 100,000 ///".split(" "),
  "\n",
  "\r\n\r\n",
  "\t",
  "\0",
  "\u202e",
  "\u2028",
  "\ud800",
  "\u00a0",
];
const word = fc.constantFrom(...words);
const sentence = fc.array(word, { maxLength: 12 }).map((parts) => parts.join(" "));
const segment = fc.array(word, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("-").replaceAll("/", "_"));
const path = fc.oneof(
  { weight: 9, arbitrary: fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/")) },
  {
    weight: 1,
    arbitrary: fc.tuple(segment, fc.nat(1_000)).map(([name, times]) => name.repeat(times + 1).slice(0, 4_000)),
  },
);
const file: fc.Arbitrary<ManifestFile> = fc.record({
  path,
  kind: fc.constantFrom(...manifestKinds),
  tag: fc.constantFrom("doc", "config", "code", "test", "data", "image", null),
  summary: fc.option(sentence),
  mtimeMs: fc.nat(),
  state: fc.constantFrom("current", "stale", "gone"),
});
const manifest: fc.Arbitrary<ManifestInput> = fc.record({
  project: sentence.map((name) => ({ ...project, name })),
  folderName: sentence,
  files: fc
    .tuple(
      fc.uniqueArray(file, { selector: ({ path: name }) => name, maxLength: 4 }),
      fc.oneof({ weight: 15, arbitrary: fc.nat(6) }, { weight: 1, arbitrary: fc.nat(80) }),
    )
    .map(([files, copies]) => files.flatMap((one) => [one, ...manyOf(one, copies)])),
  scan: fc.constantFrom(
    { status: "idle", endedAtMs: nowMs - 61_000, errorCode: null, isReachable: true },
    { status: "scanning", endedAtMs: null, errorCode: null, isReachable: true },
    { status: "error", endedAtMs: 1, errorCode: "folder_unreadable", isReachable: false },
  ),
});
const manyOf = (one: ManifestFile, copies: number) =>
  one.summary === null || one.path.length > 200
    ? []
    : Array.from({ length: copies }, (_, at) => ({ ...one, path: `${one.path}-${at}` }));
const budget = fc.constantFrom(leastBudgetTokens, 1_500, 3_000);

const manifests = rounds(3_000);

test(`4.4: over ${manifests} manifests in five languages no block exceeds its budget, and every file is listed or counted`, () => {
  let overBudget = 0;
  fc.assert(
    fc.property(manifest, budget, (input, budgetTokens) => {
      const { text, tokens, listed, omitted } = renderManifest(input, { countTokens, nowMs, budgetTokens });
      expect(tokens).toBe(countTokens(text));
      expect(tokens).toBeLessThanOrEqual(budgetTokens);
      expect(listed.length + omitted).toBe(input.files.length);
      if (omitted > 0) overBudget++;
      expect(text.match(/<\/?\w+>/g)).toEqual(["<linked_folder>", "</linked_folder>"]);
      expect(text).not.toMatch(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|[^\P{Cc}\n]/u);
    }),
    { numRuns: manifests, seed: 20_261_120 },
  );
  // A budget that is never reached would hold by itself.
  expect(overBudget).toBeGreaterThan(manifests / 10);
}, 240_000);

test("4.4: when only time passes, nothing but the last line changes", () => {
  fc.assert(
    fc.property(manifest, budget, fc.nat(400 * 24 * 3_600_000), (input, budgetTokens, laterMs) => {
      const lines = (at: number, endedAtMs: number | null) =>
        renderManifest(
          { ...input, scan: { ...input.scan, endedAtMs } },
          { countTokens, nowMs: at, budgetTokens },
        ).text.split("\n");
      const before = lines(nowMs, input.scan.endedAtMs);
      expect(lines(nowMs + laterMs, input.scan.endedAtMs).slice(0, -2)).toEqual(before.slice(0, -2));
      expect(lines(nowMs + laterMs, nowMs + laterMs).slice(0, -2)).toEqual(before.slice(0, -2));
    }),
    { numRuns: rounds(300), seed: 4 },
  );
}, 240_000);

test("4.4: the block of all projects keeps its budget; every project has its newest file before one has two", () => {
  const recent = fc.record({
    name: sentence,
    totalFiles: fc.nat(),
    scannedAtMs: fc.option(fc.nat()),
    recent: fc.array(file, { maxLength: 7 }),
  });
  fc.assert(
    fc.property(fc.array(recent, { maxLength: 40 }), budget, (projects, budgetTokens) => {
      const input = projects.map((one) => ({ ...one, id: project.id }));
      const {
        text,
        tokens,
        projects: shown,
        omittedProjects,
      } = renderRecent(input, { countTokens, nowMs, budgetTokens });
      expect(tokens).toBe(countTokens(text));
      expect(tokens).toBeLessThanOrEqual(budgetTokens);
      expect(shown + omittedProjects).toBe(projects.length);
      expect(text.match(/\nproject /g) ?? []).toHaveLength(shown);
    }),
    { numRuns: rounds(300), seed: 5 },
  );
}, 240_000);

test("a manifest of no files is a block as well", () => {
  expect(renderManifest(manifestOf([]), { countTokens, nowMs }).text).toContain(", 0 files\nLast scan 3 h ago.\n");
});
