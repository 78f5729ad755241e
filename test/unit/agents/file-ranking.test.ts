import { expect, test } from "vitest";
import { rankFiles } from "../../../infra/model/agent/file-ranking.ts";
import { questionTerms, questionWords } from "../../../infra/model/agent/relevance.ts";
import {
  commonWordsOf,
  isPairSearch,
  pairSearchesFor,
  searchesFor,
  wholeSearches,
} from "../../../infra/model/agent/word-search.ts";

const nothing = { files: [], lines: [], common: new Set<string>(), total: 100 };
const ranked = (question: string, evidence: Partial<Parameters<typeof rankFiles>[1]>) =>
  rankFiles(questionTerms(question), { ...nothing, ...evidence }).map(({ path }) => path);
const line = (path: string, text: string) => ({ project: "", path, text });

test("a file with the rare word of a question comes before those with its common one", () => {
  const lines = [
    line("a.md", "the garden"),
    line("b.md", "a garden"),
    line("c.md", "our garden"),
    line("d.md", "pump"),
  ];
  expect(ranked("Where is the garden pump?", { lines })[0]).toBe("d.md");
});

test("words that stand together count more than the same words apart", () => {
  const lines = [line("a.md", "red"), line("a.md", "barn"), line("b.md", "the red barn")];
  expect(ranked("red barn", { lines })).toEqual(["b.md", "a.md"]);
});

test("a word in the path counts more than one in a line; files without any are left out", () => {
  const files = [
    { path: "x.md", summary: "tides" },
    { path: "tides.md", summary: "" },
    { path: "y.md", summary: "else" },
  ];
  expect(ranked("tides?", { files })).toEqual(["tides.md", "x.md"]);
});

test("endings and accents make no other word; words of asking are none", () => {
  expect(questionTerms("Which libraries classes moved?")).toEqual(questionTerms("library class move"));
  expect(questionWords("Que demande-t-on aux députés ?")).toContainEqual({ term: "deput", surface: "députés" });
  expect(questionTerms("How many do we get?")).toEqual([]);
});

const result = (lines: number) => ["{}", ...Array.from({ length: lines }, (_, at) => `a.md:${at + 1}: x`)].join("\n");

test("words are searched for one by one, rarest first; a full search says only that its word is common", () => {
  const words = questionWords("pump garden shed");
  const [first, second, ...rest] = searchesFor(words, ["the garden", "garden shed"], "prj");
  expect(
    [first, second, ...rest].map((call) => String(call?.arguments["pattern"]).match(/[a-z]+(?=\)$)/)?.[0]),
  ).toEqual(["pump", "shed", "garden"]);
  const made = [first, second].map((call, at) => ({
    name: "grep_files",
    data: call?.arguments ?? {},
    result: result(at === 0 ? 20 : 19),
  }));
  expect(commonWordsOf(words, made).map(({ term }) => term)).toEqual(["pump"]);
  expect(wholeSearches(made)).toEqual([made[1]]);
});

test("common words are searched for two by two, near each other, in either order", () => {
  const [call, ...more] = pairSearchesFor(questionWords("garden pump"), [], "prj");
  expect(more).toEqual([]);
  expect(isPairSearch({ name: "grep_files", data: call?.arguments ?? {}, result: "" })).toBe(true);
  const pattern = new RegExp(String(call?.arguments["pattern"]), "iu");
  expect(["The pump of our garden.", "gardens and pumps", "garden only"].map((text) => pattern.test(text))).toEqual([
    true,
    true,
    false,
  ]);
  expect(pattern.test(`pump ${"x".repeat(200)} garden`)).toBe(false);
});
