import { expect, test } from "vitest";
import { categorized } from "../../device/categorize/draft.ts";
import { categorizeByRules } from "../../device/categorize/rules.ts";
import { entityOf, whole } from "./case.ts";
import { cases } from "./cases.ts";

test("there are at least 200 cases, each with its own name", () => {
  expect(cases.length).toBeGreaterThanOrEqual(200);
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
});

test.each(cases.map((each) => [each.name, each] as const))("%s", async (_, { item, known, ...expected }) => {
  const result = await categorizeByRules(item, known);
  const { category, priority } = result;
  expect({ category, priority, ...entityOf(result) }).toEqual({
    category: expected.category,
    priority: expected.priority,
    ...whole(expected.entity),
  });
  expect(categorized.safeParse(result).error).toBeUndefined();
  for (const quote of result.draft.quotes) expect(`${item.subject}\n${item.text}`).toContain(quote);
});
