import { expect, test } from "vitest";
import { inAscii } from "../../cli/build/plugins.ts";

const said = (program: string): unknown => new Function(`return ${program}`)();

test.each([
  ['"Zürich, 東京, 😀"', "in a string"],
  [`\`é\${1}ö\``, "in a template"],
  ["({ größe: 1 }).größe", "as a name"],
  [String.raw`"a\\é"`, "behind a backslash that is one itself"],
  [String.raw`"\é"`, "behind a backslash"],
  [String.raw`/\é+/.test("éé")`, "behind a backslash in an expression"],
  ["String.raw`é`.length", "as it is written"],
  ['/[à-ü]/.test("é")', "in an expression"],
])("a built program says the same as its source: %s (%s)", (program) => {
  expect(said(inAscii(program))).toEqual(said(program));
});

test("and it is ASCII where nothing stands against it", () => {
  expect(inAscii('"Zürich, 😀"')).toBe(String.raw`"Z\u00fcrich, \ud83d\ude00"`);
});
