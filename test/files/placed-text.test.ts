import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { PlacedText } from "../../device/files/text/placed-text.ts";
import { TextPlacer } from "../../device/files/text/text-places.ts";

/** Of each kind of encoding one, with characters of one, two and more bytes. */
const encodings = [
  { label: "utf-8", bomBytes: 0, characters: ["a", "é", "漢", "🙂"] },
  { label: "utf-8", bomBytes: 3, characters: ["a", "é", "漢", "🙂"] },
  { label: "utf-16le", bomBytes: 2, characters: ["a", "漢", "🙂", "\u0a0a"] },
  { label: "utf-16be", bomBytes: 2, characters: ["a", "漢", "🙂", "\u0a0a"] },
  { label: "windows-1252", bomBytes: 0, characters: ["a", "é"] },
  { label: "shift_jis", bomBytes: 0, characters: ["a", "漢", "ソ"] },
  { label: "gb18030", bomBytes: 0, characters: ["a", "漢", "你", "€"] },
] as const;

const cases = encodings.flatMap((encoding) =>
  (["\n", "\r\n", "\r"] as const).map((ending) => ({ ...encoding, ending })),
);
const marks: Record<number, number[]> = { 0: [], 3: [0xef, 0xbb, 0xbf], 2: [0xff, 0xfe] };
const written = (text: string, label: string, bomBytes: number) =>
  Buffer.concat([
    Buffer.from(label === "utf-16be" ? [0xfe, 0xff] : (marks[bomBytes] ?? [])),
    iconv.encode(text, label),
  ]);

/** Lines with their endings. */
const linesOf = (text: string, ending: string) =>
  text.match(ending === "\r" ? /[^\r]*\r|[^\r]+$/g : /[^\n]*\n|[^\n]+$/g) ?? [];

describe("C4: any part of a text of any size is the part of the whole", () => {
  test.each(cases)(
    "$label, mark of $bomBytes bytes, ending $ending",
    async ({ label, bomBytes, characters, ending }) => {
      const unit = fc.constantFrom(...characters, ending);
      await fc.assert(
        fc.asyncProperty(
          fc.array(unit, { maxLength: 120 }).map((units) => units.join("")),
          fc.integer({ min: 1, max: 40 }),
          fc.nat(140),
          fc.integer({ min: 1, max: 60 }),
          async (text, pieceBytes, at, count) => {
            const bytes = written(text, label, bomBytes);
            const placer = new TextPlacer({ label, bomBytes });
            for (let from = 0; from < bytes.length; from += pieceBytes)
              placer.add(bytes.subarray(from, from + pieceBytes));
            const places = placer.finish();
            // Few bytes at a time, so that what is read crosses pieces.
            const placed = new PlacedText(places, async (start, end) =>
              bytes.subarray(start, Math.min(end, start + pieceBytes)),
            );
            const lines = linesOf(text, text.includes("\n") ? "\n" : "\r");
            expect([placed.totalUnits, placed.totalLines]).toEqual([text.length, lines.length]);

            const byUnit = await placed.fromUnit(at, count);
            expect(Math.abs(byUnit.startUnit - Math.min(at, text.length))).toBeLessThanOrEqual(1);
            expect(byUnit.text).toBe(text.slice(byUnit.startUnit, byUnit.startUnit + count));

            const line = (at % (lines.length + 2)) + 1;
            const before = lines.slice(0, line - 1).join("");
            const byLine = await placed.fromLine(line, count);
            expect(byLine).toEqual({
              text: text.slice(before.length, before.length + count),
              startUnit: before.length,
            });

            const within = at % (text.length + 1);
            const first = lines.findIndex((_, index) => lines.slice(0, index + 1).join("").length > within);
            if (first !== -1) expect(await placed.lineOf(within)).toBe(first + 1);
          },
        ),
        { numRuns: 150 },
      );
    },
  );

  test("what is kept to find places does not grow with the lines", () => {
    const placer = new TextPlacer({ label: "utf-8", bomBytes: 0 });
    const piece = Buffer.from("a\n".repeat(128 * 1024));
    for (let pieces = 0; pieces < 40; pieces++) placer.add(piece);
    const { places, end } = placer.finish();
    expect(end).toEqual({ byte: 40 * piece.length, unit: 40 * piece.length, breaks: 20 * piece.length });
    expect(places.length).toBeLessThanOrEqual(41);
  });
});
