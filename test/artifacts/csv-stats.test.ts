import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../rounds.ts";
import { describeContent, statsOf } from "./setting.ts";

const csv = { name: "table.csv" };

function written(rows: readonly (readonly string[])[], delimiter: string, ending: string): string {
  const cell = (text: string) =>
    /[",;\t|\r\n]/.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text;
  return rows.map((row) => row.map(cell).join(delimiter)).join(ending) + ending;
}

describe("statistics of separated values", () => {
  test("agree with the table they were written from, however it is cut into pieces", () => {
    const cell = fc.oneof(
      fc.constantFrom("a", "b c", 'say "x"', "1,5", "line\nbreak", "é", "x|y"),
      fc.integer().map(String),
      fc.constant(""),
    );
    const table = fc
      .integer({ min: 2, max: 6 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 3, maxLength: 30 }),
      );
    fc.assert(
      fc.property(table, fc.constantFrom("\n", "\r\n"), fc.integer({ min: 1, max: 40 }), (rows, ending, bytes) => {
        const width = rows[0]?.length ?? 0;
        const names = Array.from({ length: width }, (_, at) => `name_${at}`);
        const stats = statsOf("csv", describeContent(written([names, ...rows], ",", ending), csv, bytes));
        expect(stats).toMatchObject({
          rows: rows.length,
          columnCount: width,
          raggedRows: 0,
          brokenQuotes: 0,
          hasHeader: true,
        });
        for (const [at, column] of stats.columns.entries()) {
          const values = rows.map((row) => row[at] ?? "");
          const given = values.filter((value) => value !== "");
          expect(column).toMatchObject({
            name: `name_${at}`,
            nulls: values.length - given.length,
            distinct: { count: new Set(given).size, isExact: true },
          });
          expect(column.highCardinality).toBe(new Set(given).size > rows.length / 2);
        }
      }),
      { numRuns: rounds(500) },
    );
  });

  test.each([
    [";", "a;b;c\n1;2;3\n4;5;6\n"],
    ["\t", "a\tb\tc\n1\t2\t3\n4\t5\t6\n"],
    ["|", "a|b|c\n1|2|3\n4|5|6\n"],
    [",", "a,b,c\r\n1,2,3\r\n4,5,6"],
  ])("the delimiter is told by the text: %j", (delimiter, text) => {
    expect(statsOf("csv", describeContent(text))).toMatchObject({
      delimiter,
      rows: 2,
      columnCount: 3,
      hasHeader: true,
    });
  });

  test("types are inferred: whole numbers, numbers, dates, truth values, text", () => {
    const text =
      "n,x,day,ok,word,none\n1,1.5,2026-01-02,true,a,\n-2,2e3,2026-01-03T10:00:00Z,false,1a,\n3,4,2026-02-01,TRUE,b,\n";
    const { columns } = statsOf("csv", describeContent(text, csv));
    expect(columns.map(({ type }) => type)).toEqual(["integer", "number", "date", "boolean", "text", "empty"]);
    expect(columns[0]).toMatchObject({ min: -2, max: 3 });
    expect(columns[1]).toMatchObject({ min: 1.5, max: 2_000 });
  });

  test.each(["9".repeat(400), `-${"9".repeat(400)}`, `${"9".repeat(400)}.5`])(
    "of numbers no double holds neither the least nor the greatest is told: %#",
    (huge) => {
      const { columns, rows } = statsOf("csv", describeContent(`n,m\n1,1\n${huge},2\n3,3\n`, csv));
      const facts = columns.map(({ min, max }) => ({ min, max }));
      expect([rows, facts]).toEqual([3, [{}, { min: 1, max: 3 }]]);
    },
  );

  test("a table without names is not robbed of its first row", () => {
    expect(statsOf("csv", describeContent("1,2\n3,4\n5,6\n", csv))).toMatchObject({ hasHeader: false, rows: 3 });
  });

  test("a quote that nothing closes does not swallow the rest of the table", () => {
    const rows = Array.from({ length: 100_000 }, (_, at) => `${at},plain words here,${at % 7}`);
    rows[10] = '10,"never closed,3';
    const stats = statsOf("csv", describeContent(`id,words,n\n${rows.join("\n")}\n`, csv, 65_536));
    expect(stats).toMatchObject({ rows: 100_000, columnCount: 3, brokenQuotes: 1, raggedRows: 0 });
  });

  test("a broken quote at the end of a small table is a plain character", () => {
    expect(statsOf("csv", describeContent('a,b\n1,2\n3,"x\n', csv))).toMatchObject({ rows: 2, brokenQuotes: 1 });
  });

  test("a cell of three million characters is one cell", () => {
    const stats = statsOf("csv", describeContent(`a,b\n1,2\n${"x".repeat(3_000_000)},4\n5,6\n`, csv, 65_536));
    expect(stats).toMatchObject({ rows: 3, raggedRows: 0, columns: [{ name: "a" }, { name: "b", type: "integer" }] });
  });

  test("blank lines and ragged rows are counted apart", () => {
    expect(statsOf("csv", describeContent("a,b\n1,2\n\n3\n4,5,6\n", csv))).toMatchObject({
      rows: 3,
      blankLines: 1,
      raggedRows: 2,
    });
  });

  test("estimates of many values are within three per cent", () => {
    const rows = Array.from({ length: 50_000 }, (_, at) => `${at},v${at % 30_000}`);
    const { columns } = statsOf("csv", describeContent(`id,v\n${rows.join("\n")}\n`, csv, 65_536));
    expect(Math.abs((columns[0]?.distinct.count ?? 0) - 50_000)).toBeLessThan(1_500);
    expect(Math.abs((columns[1]?.distinct.count ?? 0) - 30_000)).toBeLessThan(900);
  });
});

test("P5: a column of integers beyond 2^53 has its least and greatest to the digit", () => {
  const ids = ["9007199254740993", "9007199254740992", "18446744073709551615"];
  const stats = statsOf("csv", describeContent(`id,n\n${ids.map((id, at) => `${id},${at}`).join("\n")}\n`, csv));
  expect(stats.columns[0]).toMatchObject({
    type: "integer",
    distinct: { count: 3, isExact: true },
    min: { integer: ids[1] ?? "" },
    max: { integer: ids[2] ?? "" },
    samples: ids,
  });
});
