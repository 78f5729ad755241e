import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { threadsFor } from "../../device/files/backends/fs/fs-searcher.ts";
import { compileQuery, grepQuery } from "../../device/files/grep/grep-query.ts";
import { indexOfNeedle, needleOf } from "../../device/files/grep/needle.ts";
import { ripgrepByDefault } from "../../device/files/grep/ripgrep.ts";
import { rounds } from "../rounds.ts";

describe("a needle", () => {
  it("is told by the byte that texts hold most seldom", () => {
    expect(needleOf(Buffer.from("handleRequest"))).toMatchObject({ rareByte: "q".charCodeAt(0), rareAt: 8 });
    expect(needleOf(Buffer.from("  "))).toMatchObject({ rareByte: 0x20, rareAt: 0 });
  });

  it("is found where `indexOf` finds it", () => {
    const few = fc.uint8Array({ max: 3, maxLength: 40 });
    const needles = fc.uint8Array({ max: 3, minLength: 1, maxLength: 4 });
    const finds = fc.property(few, needles, fc.nat(45), (text, bytes, from) => {
      const [haystack, needle] = [Buffer.from(text), Buffer.from(bytes)];
      expect(indexOfNeedle(haystack, needleOf(needle), from)).toBe(haystack.indexOf(needle, from));
    });
    fc.assert(finds, { numRuns: rounds(2_000) });
  });
});

describe("who helps with a search", () => {
  const query = (pattern: string, syntax: "literal" | "regex") => compileQuery(grepQuery(pattern, { syntax }));

  it.each([
    [1, 0, 1, 1, false],
    [2, 0, 1, 2, false],
    [4, 3, 3, 4, "rg"],
    [16, 4, 4, 4, "rg"],
  ])(
    "with %d cores: %d threads for a literal, %d for a regex with one in it, %d without, and ripgrep: %s",
    (cores, forLiteral, forRegexWithLiteral, forRegex, ripgrep) => {
      expect(threadsFor(query("x", "literal"), cores)).toBe(forLiteral);
      expect(threadsFor(query("x+y", "regex"), cores)).toBe(forRegexWithLiteral);
      expect(threadsFor(query("[a-z]", "regex"), cores)).toBe(forRegex);
      expect(ripgrepByDefault(cores)).toBe(ripgrep);
    },
  );
});
