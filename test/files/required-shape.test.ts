import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { requiredShape } from "../../device/files/grep/required-shape.ts";
import { rounds } from "../rounds.ts";

describe("the shape a pattern requires", () => {
  it.each([
    ["[A-Z][a-z]{9}\\d", `[A-Z]${"[a-z]".repeat(9)}[0-9]`],
    ["x+\\d{3}", "[0-9][0-9][0-9]"],
    ["ab*c", "[a]"],
    ["\\w+@\\w+", "[\\x40][0-9A-Za-z_]"],
    ["(a|b)\\d\\d", "[0-9][0-9]"],
    ["[^a]\\d", "[0-9]"],
    ["[a-z-]\\d", "[0-9]"],
    ["\\d{2,3}\\w", "[0-9][0-9]"],
    ["\\d{40}", "[0-9]".repeat(16)],
    ["\u212a\\d", "[0-9]"],
    ["\\d|x", undefined],
    ["(?i)k\\d", undefined],
    ["\\pL\\d", undefined],
    ["a{,2}\\d", undefined],
    ["\\Qa\\E\\d", undefined],
    [".*", undefined],
    ["[ab]*", undefined],
  ])("%j: %j", (pattern, shape) => {
    expect(requiredShape(pattern)?.source).toBe(shape);
  });

  it("is in every text that matches, read as Latin-1, however it is encoded", () => {
    const atoms = [
      "a",
      "b",
      ".",
      "\\d",
      "\\w",
      "\\s",
      "\\S",
      "[ab]",
      "[^a]",
      "[a-c1]",
      "(a|b)",
      "(?:ab)",
      "\\.",
      "^",
      "$",
    ];
    const more = ["\\b", "é", "[é]", "[\\w.]", "[\\d-a]", "[[:alpha:]]", "(?i:b)", "\u{1f600}", "]", "-"];
    const atom = fc.constantFrom(...atoms, ...more);
    const quantifier = fc.constantFrom(
      "",
      "",
      "",
      "",
      "*",
      "+",
      "?",
      "{2}",
      "{0}",
      "{1,}",
      "{0,1}",
      "*?",
      "+?",
      "{2}+",
    );
    const pattern = fc.array(
      fc.tuple(atom, quantifier).map((pair) => pair.join("")),
      { minLength: 1, maxLength: 5 },
    );
    const unit = fc.constantFrom("a", "b", "c", "B", "1", ".", " ", "-", "]", "é", "\u{1f600}", "\v", "\u00a0", "\t");
    const texts = fc.array(fc.string({ unit, maxLength: 12 }), { maxLength: 20 });
    const numRuns = rounds(5_000);
    let compared = 0;
    fc.assert(
      fc.property(pattern, fc.constantFrom("", "", "|b"), texts, (pieces, alternative, lines) => {
        const source = pieces.join("") + alternative;
        let regex: RE2JS;
        try {
          regex = RE2JS.compile(source);
        } catch {
          return;
        }
        const shape = requiredShape(source);
        if (shape === undefined) return;
        for (const text of lines) {
          if (!regex.test(text)) continue;
          compared++;
          expect(shape.test(Buffer.from(text).toString("latin1")), `${source} in ${text}`).toBe(true);
          expect(shape.test(Buffer.from(text, "latin1").toString("latin1")) || /[^\0-\xff]/.test(text), source).toBe(
            true,
          );
        }
      }),
      { numRuns },
    );
    // Most texts do not match; that a share of them did is what makes this a test.
    expect(compared).toBeGreaterThan(numRuns / 50);
  });
});
