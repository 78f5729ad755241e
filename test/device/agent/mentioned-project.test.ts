import { expect, test } from "vitest";
import { mentionedProject } from "../../../device/agent/mentioned-project.ts";
import { temporaryStore } from "../setting.ts";

function mentioned(message: string, ...names: string[]): string | undefined {
  const store = temporaryStore();
  for (const name of names) store.projects.add(name);
  return mentionedProject(message, store.projects.list())?.name;
}

test("6.2: a message may name its project with an @, in any letters", () => {
  expect(mentioned("what is planned for @garden?", "Garden", "House")).toBe("Garden");
  expect(mentioned("@Summer House: which paint?", "Summer", "Summer House")).toBe("Summer House");
  expect(mentioned("wann ist @Übersicht fertig", "übersicht")).toBe("übersicht");
  expect(mentioned("@garden and again @Garden.", "Garden")).toBe("Garden");
});

test("an address, a longer word and a plain word name nothing", () => {
  expect(mentioned("write to ann@garden", "Garden")).toBeUndefined();
  expect(mentioned("write to ann@garden.example", "Garden")).toBeUndefined();
  expect(mentioned("what about the garden?", "Garden")).toBeUndefined();
});

test("a name that is hard to tell from the words around it goes in quotes behind the @", () => {
  const names = ["Großes @Ding", 'The "old" house', "Ding", "Garden"];
  expect(mentioned('@"Großes @Ding" wann?', ...names)).toBe("Großes @Ding");
  expect(mentioned("wann ist @großes @ding fertig?", ...names)).toBe("Großes @Ding");
  expect(mentioned("@„Großes @Ding“: wann?", ...names)).toBe("Großes @Ding");
  expect(mentioned('who paints @"The "old" house"?', ...names)).toBe('The "old" house');
  expect(mentioned("what of @'Garden'?", ...names)).toBe("Garden");
  expect(mentioned('@"Ding" bitte', ...names)).toBe("Ding");
  expect(() => mentioned('compare @"Garden" and @Ding', ...names)).toThrow("Several projects are mentioned");
  expect(() => mentioned('what of @"Green @House"?', ...names)).toThrow('There is no project "Green @House"');
});

test("P1: of names that differ in large and small letters only the one that is written is meant, and none is guessed", () => {
  for (const names of [
    ["Garden", "garden"],
    ["garden", "Garden"],
  ]) {
    expect(mentioned("what is planned for @garden?", ...names)).toBe("garden");
    expect(mentioned("what is planned for @Garden?", ...names)).toBe("Garden");
    expect(mentioned('@"garden": when?', ...names)).toBe("garden");
    expect(() => mentioned("@GARDEN: when?", ...names)).toThrow("Several projects are mentioned");
    expect(() => mentioned("@Garden or @garden?", ...names)).toThrow("Several projects are mentioned");
  }
});

test("two projects at once are one too many", () => {
  expect(() => mentioned("compare @garden and @house", "Garden", "House")).toThrow("Several projects are mentioned");
});

test.each([
  ["what is planned for @gardn?", ["Garden", "House"], "Did you mean @Garden?"],
  ["who reads @gardens?", ["Garden"], "Did you mean @Garden?"],
  ["@sumer house: which paint?", ["Summer House", "Garden"], "Did you mean @Summer House?"],
  ["@Summ?", ["Summer", "Summer House"], "Did you mean @Summer or @Summer House?"],
  ["what of @Taxes?", ["Garden", "House"], "There are: Garden, House."],
  ["what of @Taxes?", [], "There are no projects"],
])("an @ that names no project is said, with the nearest names: %s", (message, names, hint) => {
  expect(() => mentioned(message, ...names)).toThrow(
    expect.objectContaining({ code: "project_unknown", message: expect.stringContaining(hint) }),
  );
});

test("an @ in quotes, or beside a project that is named, is a word of the question", () => {
  expect(mentioned("where is `@Override` used?", "Garden")).toBeUndefined();
  expect(mentioned('who wrote "@media"?', "Garden")).toBeUndefined();
  expect(mentioned('where is "see @media" written?', "Garden")).toBeUndefined();
  expect(mentioned("where does @Garden use @Override?", "Garden")).toBe("Garden");
});
