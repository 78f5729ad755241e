import { describe, expect, test } from "vitest";
import { parsePatch } from "../../device/access/edits/patches/parse-patch.ts";
import { isPlaceholder } from "../../device/access/edits/placeholder.ts";
import { AccessError } from "../../device/access/errors.ts";
import { textStructureOf } from "../../device/artifacts/sniff/text-structure.ts";
import { noteOfText, noteText } from "../../device/work/folder/note-file.ts";
import { describeText } from "../../infra/model/file/describe-text.ts";
import { findCredentials } from "../../shared/privacy/redaction/find-credentials.ts";

/** Each took seconds to hours, and takes milliseconds; a busy machine has its time. */
const mostMs = 3_000;
const spaces = (count: number) => " ".repeat(count);

const hostile: readonly (readonly [what: string, read: () => unknown])[] = [
  [
    "a comment, blanks, and a line that ends where only Unicode ends one",
    () => isPlaceholder(`// a${spaces(3_000)}\u2028b`),
  ],
  ["a fence of nothing else", () => parsePatch("`".repeat(100_000))],
  ["a note of blank lines with a letter at the end", () => noteOfText(`# a\n\nb${"\n".repeat(200_000)}c`, "a.md")],
  ["a note's heading of blanks", () => noteOfText(`# ${spaces(2_000)}x\u2028y`, "a.md")],
  ["a note that ends with lines and a letter", () => noteText({ title: "a", markdown: `${"\n".repeat(200_000)}c` })],
  ["a document's heading of blanks", () => describeText({ path: "a.md", text: `# ${spaces(900)}${"x".repeat(130)}` })],
  ["a document of comments that do not end", () => describeText({ path: "a.md", text: "<!--".repeat(50_000) })],
  ["a document of links that do not end", () => describeText({ path: "a.md", text: "[".repeat(200_000) })],
  ["settings of blanks", () => describeText({ path: "a.yaml", text: `name:${spaces(20_000)}x"y` })],
  ["JSON of quotes", () => describeText({ path: "a.json", text: '"\\'.repeat(50_000) })],
  [
    "a password of words that can be read in two ways",
    () => findCredentials(`password: "${"passwordexample".repeat(16)}z"`),
  ],
  [
    "a Secret of Kubernetes in JSON with a text that does not end",
    () => findCredentials(`{"kind":"Secret","${'\\"'.repeat(100_000)}`),
  ],
  ...["kind: Secret\n", "data:\n kind: Secret\n  a: b\n", "kind: Secret ", '"kind":"Secret",', '{"kind":"Secret",'].map(
    (piece) =>
      [`Secrets of Kubernetes, as ${JSON.stringify(piece)}`, () => findCredentials(piece.repeat(30_000))] as const,
  ),
];

describe("a text made to be slow is read at once", () => {
  test.for(hostile)("%s", ([, read]) => {
    const began = performance.now();
    try {
      read();
    } catch (error) {
      if (!(error instanceof AccessError)) throw error;
    }
    expect(performance.now() - began).toBeLessThan(mostMs);
  });
});

describe("what people write is read as before", () => {
  test.for([
    ["// ... rest of the code unchanged ...", true],
    ["   /* existing code */  ", true],
    ["  {/* … remaining methods … */}", true],
    ["<!-- the rest of your content remains the same -->", true],
    ["// the rest is history", false],
    [`// ... rest of the code ${"and ".repeat(40)}...`, false],
    ["return rest; // rest of code", false],
  ] as const)("a line that stands for code left out: %s", ([line, expected]) => {
    expect(isPlaceholder(line)).toBe(expected);
  });

  const hunk = "@@ -1 +1 @@\n-a\n+b\n";
  test.for([
    ["```diff", "```"],
    ["\n  ~~~~", "~~~~  \n\n"],
    ["````", "```"],
  ])("a patch between %j and %j", ([begin, end]) => {
    expect(parsePatch(`${begin}\n${hunk}${end}`, { path: "f" })).toEqual(parsePatch(hunk, { path: "f" }));
  });

  test.for([
    ["# Learn C#\n\nSoon.\n", { title: "Learn C#", markdown: "Soon." }],
    ["# Title ##\r\n\r\nText\n\n", { title: "Title", markdown: "Text" }],
    ["#\tTitle", { title: "Title", markdown: "" }],
    ["Text alone\n", { title: "a", markdown: "Text alone" }],
  ] as const)("a note %j", ([text, expected]) => {
    expect(noteOfText(text, "notes/a.md")).toEqual(expected);
  });

  test("a note's title is the same after it was a file", () => {
    for (const title of ["Learn C#", "Issue #12", "#1"]) {
      expect(noteOfText(noteText({ title, markdown: "x" }), "n.md").title).toBe(title);
    }
  });

  test("a document by its front matter, its headings and its links", () => {
    const text = [
      "---",
      "title: 'Late frost'",
      "description:",
      "  What to cover in the garden, and when.",
      "---",
      "# Late frost",
      "## Tools for C# ##",
      "See [the list](https://example.org/a_(b)) first.",
    ].join("\n");
    expect(describeText({ path: "a.md", text })).toBe(
      "Late frost. What to cover in the garden, and when. Sections: Tools for C#.",
    );
  });

  test.for([
    ["#!/bin/sh", "shell"],
    ["#! /usr/bin/env python3.11", "python"],
    ["#!/usr/bin/env node --enable-source-maps", "javascript"],
    ["#!/usr/bin/perl -w", "perl"],
    ["#!/usr/bin/awk -f script", undefined],
  ] as const)("a program by its first line: %s", ([line, language]) => {
    const found = textStructureOf(`${line}\nx\ny\n`, "");
    expect(found.kind === "code" ? found.language : undefined).toBe(language);
  });
});
