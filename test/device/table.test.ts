import stringWidth from "string-width";
import { expect, test } from "vitest";
import { counted } from "../../cli/output/counted.ts";
import { shortened } from "../../cli/output/printable.ts";
import { table } from "../../cli/output/table.ts";

interface Row {
  readonly state: string;
  readonly path: string;
  readonly summary: string;
}
const rows: readonly Row[] = [
  { state: "current", path: "documents/2024/contracts/rent/agreement-final-signed.pdf", summary: "s".repeat(90) },
  { state: "pending", path: "a.md", summary: "" },
];

function shown(columns: number): string[] {
  const lines: string[] = [];
  const output = {
    line: (text = "") => void lines.push(text),
    json: () => {},
    style: (_: unknown, text: string) => text,
    columns,
  };
  table(output, rows, [
    { title: "STATE", cell: ({ state }) => state },
    { title: "PATH", cell: ({ path }) => path, least: 18, cutMiddle: true },
    { title: "SUMMARY", cell: ({ summary }) => summary, fills: true },
  ]);
  return lines;
}

test.each([200, 120, 80, 60, 50, 40, 30])("at %i columns no line is wider than the terminal", (columns) => {
  for (const line of shown(columns)) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
});

test("a path that does not fit shows both its ends", () => {
  const line = shown(60)[1] ?? "";
  expect(line).toMatch(/^current {2}docum\S*…\S*signed\.pdf {2}s+…$/);
  expect(shortened("src/components/deep/Button.test.ts", 20)).toBe("src/com…tton.test.ts");
  expect(shortened("東京都/大阪府/ファイル.txt", 12)).toMatch(/^東.*….*\.txt$/);
  expect(stringWidth(shortened("東京都/大阪府/ファイル.txt", 12))).toBeLessThanOrEqual(12);
});

test("where even the least widths do not fit, rows become cards", () => {
  expect(shown(40)).toEqual([
    "STATE    current",
    expect.stringMatching(/^PATH {5}docum.*….*signed\.pdf$/),
    expect.stringMatching(/^SUMMARY {2}s+…$/),
    "",
    "STATE    pending",
    "PATH     a.md",
  ]);
});

test("what is copied from a card, an id or a ref, is whole there however narrow the terminal is", () => {
  const id = "hAkAlXPixbKMIlh4XnMsZPJTO7qUwFYvWwY8bICU9_k";
  const lines: string[] = [];
  const output = {
    line: (text = "") => void lines.push(text),
    json() {},
    style: (_: unknown, text: string) => text,
    columns: 30,
  };
  table(
    output,
    [{ id, summary: "s".repeat(90) }],
    [
      { title: "SUMMARY", cell: ({ summary }) => summary, fills: true },
      { title: "REF", cell: (row) => row.id },
    ],
  );
  expect(lines).toEqual([expect.stringMatching(/^SUMMARY {2}s+…$/), `REF      ${id}`]);
});

test("one of a thing is not many", () => {
  expect([0, 1, 2, 1_234].map((count) => counted(count, "message"))).toEqual([
    "0 messages",
    "1 message",
    "2 messages",
    "1,234 messages",
  ]);
});
