import { gzipSync } from "node:zlib";
import { Parser } from "htmlparser2";
import MarkdownIt from "markdown-it";
import { describe, expect, test } from "vitest";
import { describeContent, statsOf } from "./setting.ts";

describe("HTML", () => {
  const page = `<!doctype html><html lang="de"><head><title>A &amp; B</title>
<meta name="description" content="What it is &quot;about&quot;"><script>var a = "<h1>no</h1>";</script>
<style>h2{}</style></head><body><nav><a href="/">Home</a></nav><main><h1>One <em>two</em></h1>
<p>Some <b>text</b> here.<br>More<img src=x alt=y></p><h2>Three</h2><table><tr><td>1</td><td>2</td></tr></table>
<a href=# >link</a></main><footer>Foot</footer><script src="x.js"></script></body></html>`;

  test.each([undefined, 1, 7, 64])(
    "title, description, language, headings and counts, in pieces of %s bytes",
    (bytes) => {
      expect(statsOf("html", describeContent(page, {}, bytes))).toEqual({
        kind: "html",
        title: "A & B",
        description: 'What it is "about"',
        language: "de",
        headings: {
          count: 2,
          perLevel: [1, 1, 0, 0, 0, 0],
          first: [
            { level: 1, text: "One two" },
            { level: 2, text: "Three" },
          ],
        },
        links: 2,
        images: 1,
        scripts: 2,
        tables: 1,
        words: 12,
        mainTextChars: "One two Some text here. More Three 1 2 link".length,
      });
    },
  );

  test("counts agree with htmlparser2's own parser on broken markup", () => {
    const broken = `${page}<h3>x<h3>y<a>z<img><img/><table><script>1</script><title>no</title></h2>`.repeat(50);
    const names: string[] = [];
    const parser = new Parser({ onopentagname: (name) => void names.push(name) });
    parser.end(broken);
    const count = (name: string) => names.filter((each) => each === name).length;
    const stats = statsOf("html", describeContent(broken, {}, 1_000));
    expect([stats.links, stats.images, stats.scripts, stats.tables]).toEqual(
      ["a", "img", "script", "table"].map(count),
    );
    expect(stats.headings.perLevel.slice(0, 3)).toEqual(["h1", "h2", "h3"].map(count));
  });

  test("an attribute without an end costs no memory", () => {
    const stats = statsOf("html", describeContent(`<html><img src="data:${"A".repeat(5_000_000)}`, {}, 65_536));
    expect(stats.kind).toBe("html");
  });
});

describe("Markdown", () => {
  const text = `---
title: x
---
# One #

Some [link](http://a.example) and \`[no](code)\` and ![image](x.png "t") <https://b.example>.

Two
===

- a
- b
  - c

1. x
2. y

| a | b |
|---|---|
| 1 | 2 |

\`\`\`ts
# not a heading
[no](link)
\`\`\`

    indented code

> ## Quoted
`;

  test("agrees with markdown-it where both have a word for it", () => {
    const body = text.slice(text.indexOf("# One"));
    const tokens = new MarkdownIt().parse(body, {}).flatMap((token) => [token, ...(token.children ?? [])]);
    const count = (...types: string[]) => tokens.filter(({ type }) => types.includes(type)).length;
    const stats = statsOf("markdown", describeContent(text, { name: "x.md" }, 5));
    expect(stats).toMatchObject({
      codeBlocks: count("fence", "code_block"),
      links: count("link_open"),
      images: count("image"),
      tables: count("table_open"),
      frontMatter: "yaml",
      codeLanguages: ["ts"],
    });
    // A heading within a quotation is part of what is quoted.
    expect(stats.headings.count).toBe(count("heading_open") - 1);
    expect(stats.headings.first).toEqual([
      { level: 1, text: "One" },
      { level: 1, text: "Two" },
    ]);
    expect(stats.lists).toBe(2);
  });

  test("markers and brackets in hostile numbers take linear time", () => {
    for (const line of [
      "> ".repeat(4_000),
      "[".repeat(8_000),
      "](".repeat(4_000),
      "<".repeat(8_000),
      "`".repeat(4_001),
    ]) {
      expect(statsOf("markdown", describeContent(`${line}\n`.repeat(100), { name: "x.md" })).lines).toBe(100);
    }
  });
});

describe("text", () => {
  test("a log: levels counted, span of time as it is written", () => {
    const lines = Array.from(
      { length: 1_000 },
      (_, at) =>
        `2026-01-02T03:${String(Math.floor(at / 60)).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}Z ${["INFO", "WARN", "ERROR", "DEBUG"][at % 4]} message ${at}`,
    );
    expect(statsOf("text", describeContent(`${lines.join("\n")}\n`, {}, 999)).structure).toEqual({
      kind: "log",
      levels: { trace: 0, debug: 250, info: 250, warn: 250, error: 250, fatal: 0 },
      firstTime: "2026-01-02T03:00:00Z",
      lastTime: "2026-01-02T03:16:39Z",
    });
  });

  test.each([
    ["[a]\nx = 1\ny = hello there\n[b]\nz = 2\n", "ini"],
    ['[a]\nx = 1\ny = "s"\n[b.c]\nz = [1]\n', "toml"],
    ["a: 1\nb:\n  - c\n  - d\ne: f\n", "yaml"],
    ["DATABASE_URL=postgres://x\nDEBUG=1\n", "env"],
  ])("configuration is recognised: %j is %s", (text, format) => {
    expect(statsOf("text", describeContent(text)).structure).toEqual({ kind: "config", format });
  });

  test("source code: language and names of functions", () => {
    const python = "import os\n\nclass A:\n    def first(self):\n        return 1\n\ndef second(x):\n    return x\n";
    expect(statsOf("text", describeContent(python)).structure).toMatchObject({
      language: "python",
      functions: ["first", "second"],
    });
    const typescript = "export function one() {}\nconst two = (x: number) => x;\nexport const three = async () => 1;\n";
    expect(statsOf("text", describeContent(typescript, { name: "a.ts" })).structure).toMatchObject({
      language: "typescript",
      functions: ["one", "two", "three"],
    });
  });

  test("XML is text with its root element and namespaces", () => {
    const xml = '<?xml version="1.0"?><!-- c --><feed xmlns="http://www.w3.org/2005/Atom" xmlns:x="urn:x"><a/></feed>';
    const described = describeContent(xml);
    expect(described).toMatchObject({ contentType: "application/xml", extension: "xml" });
    expect(statsOf("text", described).structure).toEqual({
      kind: "xml",
      root: "feed",
      namespaces: [
        { prefix: "", uri: "http://www.w3.org/2005/Atom" },
        { prefix: "x", uri: "urn:x" },
      ],
    });
  });

  test.each([
    [
      "en",
      "The quick brown fox is not the one that you are looking for, and it was with this in mind that the man went to the house of the people who live there with you.",
    ],
    [
      "de",
      "Der schnelle braune Fuchs ist nicht der, den du suchst, und die Frau ging mit dem Hund auf die Straße, von der man sich erzählt, dass das Haus für sich steht und nicht zu sehen ist.",
    ],
    [
      "fr",
      "Le renard brun et rapide est dans la forêt pour les vacances, et des gens qui ne sont pas sur la route avec vous disent que ce est une belle maison au bord du lac.",
    ],
  ])("the language of prose is told: %s", (language, text) => {
    expect(statsOf("text", describeContent(text)).naturalLanguage).toBe(language);
  });

  test("lines, words and characters agree with splitting the text, in UTF-8 of every width", () => {
    const text = "a é 漢字 🙂\u00a0b\u3000c\r\nzwei\tdrei\n\nlast";
    for (const bytes of [1, 2, 3, 5, 100]) {
      expect(statsOf("text", describeContent(text, { name: "a.txt" }, bytes))).toMatchObject({
        lines: 4,
        words: text.split(/\p{White_Space}+/u).filter((word) => word !== "").length,
        characters: [...text].length,
        invalidBytes: 0,
      });
    }
  });

  test("other encodings are read, foreign bytes in UTF-8 are counted", () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("Grüße, Welt\nzwei\n", "utf16le")]);
    expect(statsOf("text", describeContent(utf16))).toMatchObject({ encoding: "utf-16le", lines: 2, characters: 17 });
    expect(describeContent(Buffer.from("Straße und Überfluß für alle, schöne Grüße aus Köln", "latin1"))).toMatchObject(
      {
        encoding: expect.stringMatching(/windows-125\d|iso-8859-/),
      },
    );
    const mixed = Buffer.concat([
      Buffer.from(`${"Grüße ".repeat(50)}\n`),
      Buffer.from([0xe9, 0x20, 0xff]),
      Buffer.from(" Ende\n"),
    ]);
    expect(statsOf("text", describeContent(mixed))).toMatchObject({ encoding: "utf-8", invalidBytes: 2 });
  });

  test("one line of fifty million characters", () => {
    const line = Buffer.alloc(50_000_000, "word ");
    expect(statsOf("text", describeContent(line, {}, 1_000_000))).toMatchObject({
      lines: 1,
      words: 10_000_000,
      longestLineBytes: 50_000_000,
    });
  });
});

describe("what the bytes say goes before what the name says", () => {
  test("a picture called text is a picture; an archive called JSON an archive", () => {
    const png = Buffer.from("89504e470d0a1a0a0000000d49484452000001400000002a0802000000", "hex");
    expect(describeContent(png, { name: "notes.txt", mediaType: "text/plain" })).toMatchObject({
      contentType: "image/png",
      extension: "png",
      stats: { kind: "binary", image: { width: 320, height: 42 } },
    });
    expect(describeContent(gzipSync("{}"), { name: "a.json" })).toMatchObject({ contentType: "application/gzip" });
    expect(describeContent(Buffer.from([0x7b, 0, 1, 2, 3, 255]), { name: "a.json" })).toMatchObject({
      contentType: "application/octet-stream",
      stats: { kind: "binary", format: "unknown" },
    });
  });

  test("text called a picture is text", () => {
    expect(describeContent("just some words", { name: "x.png" })).toMatchObject({
      contentType: "text/plain",
      extension: "txt",
    });
  });

  test("nothing at all is text without lines", () => {
    expect(describeContent("")).toMatchObject({ sizeBytes: 0, stats: { kind: "text", lines: 0, words: 0 } });
  });
});
