import { expect, test } from "vitest";
import { categorizeByRules } from "../../device/categorize/rules.ts";
import { garden, item, known, roof } from "./case.ts";

test.each([
  ["花园", "关于花园的围栏，已经修好了。", true],
  ["花园", "一切都好。", false],
  ["引っ越し", "来月の引っ越しについてです。", true],
  ["여행", "지난번 여행은 즐거웠습니다.", true],
  ["여행", "신혼여행 잘 다녀오세요.", false],
  ["สวน", "วันนี้ดี", false],
  ["Hof", "Der Hof ist fertig.", false],
  ["Haus", "Das Rathaus ist fertig.", false],
])("a project called %s is told where a mail names it: %s", async (name, text, isNamed) => {
  const projects = [
    { id: garden, name },
    { id: roof, name: "New roof" },
  ];
  const { draft } = await categorizeByRules(item({ text, subject: "x" }), known({ projects }));
  expect(draft.projectId).toBe(isNamed ? garden : null);
});
