import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { applyHunks } from "../../device/access/edits/edit-file.ts";
import { normalised } from "../../device/access/edits/lines/normalise.ts";
import { parsePatch } from "../../device/access/edits/patches/parse-patch.ts";
import { isAccessError } from "../../device/access/errors.ts";
import { dataRows, hasData } from "../data/published.ts";
import { rounds } from "../rounds.ts";
import { naughtyStrings, Tally } from "./vectors.ts";

const tally = new Tally("edits/patches, mutated (seed 17)");
const row = z.object({
  id: z.string(),
  kind: z.string(),
  current: z.string(),
  patch: z.string(),
  expected_if_exact: z.string().nullish(),
});
const exact = hasData
  ? dataRows("edits/patches.jsonl.gz", row).filter(({ kind, current }) => kind === "exact" && current.length < 60_000)
  : [];

function applied(current: string, patch: string): { text: string } | { refused: string } {
  try {
    const [file] = parsePatch(patch, { path: "f" }).files;
    if (file?.kind !== "update") return { refused: "not an update" };
    return { text: Buffer.from(applyHunks(Buffer.from(current), file.hunks).bytes).toString() };
  } catch (error) {
    if (isAccessError(error)) return { refused: error.code };
    throw error;
  }
}

const isChange = (line: string) => /^[ +-]/.test(line) && !/^(?:---|\+\+\+) /.test(line);

/** Lines a patch wants gone or kept, and those it wants to be there, read off the patch by its own letter. */
function wanted(patch: string): { before: string[]; after: string[] }[] {
  return patch
    .split(/^@@.*$/m)
    .slice(1)
    .map((hunk) => {
      const lines = hunk.split("\n").filter(isChange);
      const side = (sign: string) =>
        lines.filter((line) => line[0] === " " || line[0] === sign).map((line) => line.slice(1).replace(/\r$/, ""));
      return { before: side("-"), after: side("+") };
    });
}

/** Lines up to spelling: white space and typographic punctuation, in which a patch and its file may differ. */
const spelled = (text: string) => text.split(/\r?\n/).map(normalised);

/** Whether `lines` stand together somewhere in the text. */
function holds(text: readonly string[], lines: readonly string[]): boolean {
  return text.some((_, at) => lines.every((line, n) => text[at + n] === line));
}

const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

describe.skipIf(!hasData)("mutated patches of real repositories", () => {
  test("a patch whose context or removed lines were altered is refused, or every line it wants stood there", () => {
    const mutation = fc.record({
      which: fc.nat(exact.length - 1),
      at: place,
      kind: fc.constantFrom("alter", "drop", "repeat", "swap", "cut", "insert"),
      text: fc.constantFrom(...naughtyStrings.filter((text) => !/[\r\n]/.test(text))),
    });
    fc.assert(
      fc.property(mutation, ({ which, at, kind, text }) => {
        const { current = "", patch = "", expected_if_exact: expected } = exact[which] ?? {};
        const lines = patch.split("\n");
        const changes = lines.flatMap((line, n) => (isChange(line) ? [n] : []));
        const n = changes[Math.floor(at * changes.length)] ?? 0;
        const line = lines[n] ?? "";
        const other = lines[n + 1] ?? "";
        if (kind === "alter") lines[n] = `${line[0]}${text}${line.slice(1)}`;
        else if (kind === "drop") lines.splice(n, 1);
        else if (kind === "repeat") lines.splice(n, 0, line);
        else if (kind === "swap") lines.splice(n, 2, other, line);
        else if (kind === "insert") lines.splice(n, 0, ` ${text}`);
        const mutant = kind === "cut" ? patch.slice(0, Math.floor(at * patch.length)) : lines.join("\n");
        const result = applied(current, mutant);
        if ("refused" in result) return void tally.add("refused");
        tally.add(result.text === expected ? "same text" : "applied by its letter");
        const [before, after] = [spelled(current), spelled(result.text)];
        for (const hunk of wanted(mutant)) {
          // All its lines stood in the text, and now the others stand there together: nothing was guessed.
          const stood = hunk.before.every((line) => before.includes(normalised(line)));
          expect(stood, mutant.slice(0, 600)).toBe(true);
          expect(holds(after, hunk.after.map(normalised)), mutant.slice(0, 600)).toBe(true);
        }
      }),
      { numRuns: rounds(4_000), seed: 17 },
    );
    expect(tally.get("refused")).toBeGreaterThan(rounds(500));
  });

  test("a patch for another file of the same kind is refused, or its lines stood there", () => {
    fc.assert(
      fc.property(fc.nat(exact.length - 1), fc.nat(exact.length - 1), (one, two) => {
        const { current = "" } = exact[one] ?? {};
        const { patch = "" } = exact[two] ?? {};
        if (one === two) return;
        const result = applied(current, patch);
        if ("refused" in result) return void tally.add("another file's, refused");
        const before = spelled(current);
        for (const hunk of wanted(patch))
          expect(hunk.before.every((each) => before.includes(normalised(each)))).toBe(true);
        tally.add("another file's, fits");
      }),
      { numRuns: rounds(1_000), seed: 17 },
    );
  });
});

test("any text as a patch is refused by a code, or changes nothing it does not name", () => {
  const current = "one\ntwo\nthree\n";
  const heads = [
    "",
    "--- a/f\n+++ b/f\n",
    "*** Begin Patch\n*** Update File: f\n",
    "@@ -1,3 +1,3 @@\n",
    "<<<<<<< SEARCH\n",
  ];
  const piece = fc.oneof(
    fc.constantFrom(...naughtyStrings),
    fc.string({ unit: "binary", maxLength: 30 }),
    fc.constantFrom(
      "@@ -1 +1 @@",
      "-one",
      "+1",
      " two",
      "=======",
      ">>>>>>> REPLACE",
      "*** End Patch",
      "\\ No newline at end of file",
      "@@ -99999999999999999999,1 +0,0 @@",
      "@@ -1,999999999 +1 @@",
    ),
  );
  fc.assert(
    fc.property(fc.constantFrom(...heads), fc.array(piece, { maxLength: 12 }), (head, pieces) => {
      const patch = head + pieces.join("\n");
      const result = applied(current, patch);
      if ("refused" in result) expect(result.refused).toMatch(/^[a-z_ ]+$/);
      else {
        const [kept, named] = [current.split("\n"), patch.split("\n").map((line) => line.slice(1))];
        for (const line of kept) if (!named.includes(line)) expect(result.text.split("\n"), patch).toContain(line);
        for (const line of result.text.split("\n")) expect([...kept, ...named], patch).toContain(line);
      }
      tally.add("refused" in result ? "any text, refused" : "any text, applied");
    }),
    { numRuns: rounds(5_000), seed: 17 },
  );
});
