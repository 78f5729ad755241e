import { expect, test } from "vitest";
import { LineMatcher } from "../../../device/knowledge/search/matching-lines.ts";
import { parseQuery } from "../../../device/knowledge/search/parse-query.ts";
import { filler, indexedFolder } from "./setting.ts";

const linesOf = (query: string, text: string, most = 3, maxChars = 160) =>
  new LineMatcher(parseQuery(query).wanted).lines(text, 1, most, maxChars);
const marked = (query: string, text: string) =>
  linesOf(query, text).flatMap(({ parts }) => parts.filter(({ isMatch }) => isMatch).map((part) => part.text));

test("15: a hit shows the lines that match, not the passage's first", async () => {
  const folder = indexedFolder({
    "a.md": `# Garden\n\n${filler(30)}\n${filler(30, 2)}\n${filler(30, 3)}\nWater the tomatoes on Monday.\n`,
  });
  await folder.index();
  const [hit] = (await folder.find("tomatoes Monday")).hits;
  expect(hit?.lines.map(({ line, parts }) => [line, parts.map(({ text }) => text).join("")])).toContainEqual([
    6,
    "Water the tomatoes on Monday.",
  ]);
});

test("15: the lines that hold most of what was asked for are shown, in their order, with their numbers", () => {
  const text = "one frost\nnothing\nlate frost here\n\nnothing else\nthe greenhouse\nlate frost again\nend";
  expect(linesOf("late frost greenhouse", text, 2).map(({ line }) => line)).toEqual([3, 6]);
  expect(linesOf("zebra", text, 2).map(({ line }) => line)).toEqual([1, 2]);
  expect(linesOf("late", text, 3).map(({ line }) => line)).toEqual([3, 5, 6]);
});

test.each([
  ["library", "The LIBRARIES of Zürich", ["LIBRARIES"]],
  ["zurich", "The LIBRARIES of Zürich", ["Zürich"]],
  ["profile", "call getUserProfile() or user_profile", ["getUserProfile", "profile"]],
  ["東京 会議", "来週の会議は東京駅の近く", ["会議", "東京"]],
  ["일정", "다음 주 일정을 정해야", ["일정"]],
  ["Dampfschiff", "Das Dampf\u00adschiff", ["Dampf\u00adschiff"]],
  ["محمد", "قال مُحَمَّد", ["مُحَمَّد"]],
  ["ガーデン", "ガーデンの水やり", ["ガー", "ーデ", "デン"]],
  ["what is the tide", "what is the tide", ["tide"]],
])("15: %s is marked in %s", (query, text, wanted) => {
  expect(marked(query, text).join("")).toBe(query === "ガーデン" ? "ガーデン" : wanted.join(""));
});

test("15: of a line of 900 KB what stands around the match is shown, and every part is well-formed", () => {
  const long = `${"😀".repeat(200_000)} needle ${"😀".repeat(200_000)}`;
  const [line] = linesOf("needle", long);
  const shown = line?.parts.map(({ text }) => text).join("") ?? "";
  expect(shown).toContain("needle");
  expect(shown.length).toBeLessThan(170);
  expect(shown.isWellFormed()).toBe(true);
});
