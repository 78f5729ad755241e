import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countTokens } from "../../device/access/reading/token-count.ts";
import { extractContext, renderList } from "../../device/artifacts/description/context.ts";
import { compileTemplate } from "../../device/artifacts/description/template.ts";
import { previewOf } from "../../device/artifacts/preview/preview.ts";
import { maxQueriedBytes } from "../../device/artifacts/thresholds.ts";
import { rounds } from "../rounds.ts";
import { artifactsSetting, describeContent, metadataOf, originOf } from "./setting.ts";

const preview = (content: string, maxTokens = 400, name = "") =>
  previewOf(describeContent(content, { name }), maxTokens);

describe("previews", () => {
  test("of JSON are JSON, within the budget, for any value", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 7, stringUnit: "binary" }),
        fc.constantFrom(undefined, 1),
        fc.integer({ min: 8, max: 300 }),
        async (value, indent, maxTokens) => {
          const shown = await preview(JSON.stringify(value, undefined, indent), maxTokens, "x.json");
          expect(() => JSON.parse(shown)).not.toThrow();
          expect(await countTokens(shown)).toBeLessThanOrEqual(maxTokens);
        },
      ),
      { numRuns: rounds(5_000) },
    );
  }, 240_000);

  test("of JSON that is cut off or broken anywhere are JSON as well", async () => {
    const text = JSON.stringify({ a: [1, -2.5e3, 'x\\"y\u00e9', null, { b: [true, {}] }], c: "z" });
    for (let end = 0; end <= text.length; end++) {
      for (const broken of [text.slice(0, end), `${text.slice(0, end)}}],,x`]) {
        const shown = await preview(broken, 400, "x.json");
        expect(() => JSON.parse(shown)).not.toThrow();
      }
    }
  });

  test("show the first rows of an array, a hundred at most, and count the rest", async () => {
    const shown: unknown[] = JSON.parse(
      await preview(JSON.stringify(Array.from({ length: 5_000 }, (_, at) => at)), 10_000),
    );
    expect(shown).toEqual([...Array.from({ length: 100 }, (_, at) => at), "… 4900 more of 5000"]);
  });

  test("count what lies behind the beginning that was kept", async () => {
    const text = JSON.stringify({
      items: Array.from({ length: 40_000 }, (_, id) => ({ id, name: `name ${id}` })),
      total: 1,
    });
    const shown = JSON.parse(await preview(text));
    expect(shown.items.at(-1)).toMatch(/^… \d+ more of 40000$/);
    expect(shown.items[0]).toEqual({ id: 0, name: "name 0" });
  });

  test("of JSON Lines are an array of the first rows", async () => {
    const shown = JSON.parse(await preview('{"a":1}\n{"a":2}\n'));
    expect(shown).toEqual([{ a: 1 }, { a: 2 }]);
  });

  test("of text are its first three hundred characters, of a page its title and text, of a table its first rows", async () => {
    expect(await preview("word ".repeat(1_000))).toBe(`${"word ".repeat(60)}…`);
    expect(await preview("<html><title>T</title><nav>menu</nav><main><p>Body text</p></main>")).toBe("T\n\nBody text");
    const table = `a,b\n${Array.from({ length: 500 }, (_, at) => `${at},x`).join("\n")}\n`;
    const shown = (await preview(table, 2_000)).split("\n");
    expect([shown[0], shown[1], shown.length, shown.at(-1)]).toEqual(["a,b", "0,x", 102, "… 500 rows in all"]);
  });

  test("nested ten thousand deep do not overflow", async () => {
    expect(JSON.parse(await preview("[".repeat(10_000) + "]".repeat(10_000)))).toBeDefined();
  });
});

describe("what a model is told of an artifact", () => {
  const contextOf = async (content: unknown) => {
    const { artifacts } = artifactsSetting();
    return extractContext(metadataOf(await artifacts.keep(content, originOf("call"))));
  };

  test("JSON: keys, fields with many values, how to query the largest list", async () => {
    const context = await contextOf({ items: Array.from({ length: 500 }, (_, id) => ({ id, kind: "a" })), total: 500 });
    expect(context).toContain('JSON object with keys "items", "total"');
    expect(context).toMatch(/Many different values: \$\.items\[\]\.id \(~4\d\d|~5\d\d\)/);
    expect(context).not.toContain("$.items[].kind (~");
    expect(context).toContain("`items[0:5]`");
  });

  test("P2: an artifact larger than a query takes is not advised to be queried, one of just that size is", async () => {
    const { artifacts } = artifactsSetting();
    const metadata = metadataOf(await artifacts.keep(Array(30_000).fill({ a: 1 }), originOf("call")));
    const above = extractContext({ ...metadata, sizeBytes: maxQueriedBytes + 1 });
    expect(above).toMatch(/Next: artifact_grep .*, or artifact_read a part; artifact_query takes up to 64 MB\./);
    expect(extractContext({ ...metadata, sizeBytes: maxQueriedBytes })).toContain("Next: artifact_query");
  });

  test("a log: levels and how to go on; Markdown: the first five headings", async () => {
    const log = Array.from(
      { length: 50 },
      (_, at) => `2026-01-02T03:04:${at + 10} ${at % 5 ? "INFO" : "ERROR"} x`,
    ).join("\n");
    expect(await contextOf(log)).toMatch(/log of 50 lines.*info 40, error 10.*\n.*artifact_grep/);
    const headings = Array.from(
      { length: 9 },
      (_, at) => `## Part ${at}\n\ntext with a [link](http://x.example)\n`,
    ).join("\n");
    const markdown = await contextOf(headings);
    expect(markdown).toContain("## Part 4");
    expect(markdown).not.toContain("## Part 5");
  });

  test("a list of artifacts by the built-in template, and by one's own", async () => {
    const { artifacts } = artifactsSetting();
    const kept = [
      metadataOf(await artifacts.keep("one two", originOf("a"))),
      metadataOf(await artifacts.keep({ x: 1 }, originOf("b"))),
    ];
    expect(renderList(kept).split("\n")).toEqual([
      "thr_1/task_1/a.txt  7 bytes  text, 1 line, 2 words",
      'thr_1/task_1/b.json  11 bytes  JSON object with keys "x", depth 1',
    ]);
    expect(renderList(kept, { list: "{{#artifacts}}<{{tool}}>{{/artifacts}}" })).toBe("<list_tasks><list_tasks>");
    expect(renderList([])).toBe("No artifacts.");
  });
});

describe("templates", () => {
  test("values, lists, missing parts, names within names", () => {
    const render = compileTemplate("{{a.b}}:{{#list}}{{.}},{{/list}}{{^none}}nothing{{/none}}{{#on}}yes{{/on}}");
    expect(render({ a: { b: 1 }, list: ["x", 2], on: true })).toBe("1:x,2,nothingyes");
  });

  test("nothing is run, and nothing inherited is reached", () => {
    const render = compileTemplate(
      "[{{constructor}}][{{a.__proto__}}][{{a.toString}}][{{#constructor}}x{{/constructor}}]",
    );
    expect(render({ a: {} })).toBe("[][][][]");
    expect(compileTemplate("{{x}}")({ x: "{{y}}", y: "no" })).toBe("{{y}}");
  });

  test.each(["{{#a}}", "{{/a}}", "{{#a}}{{#b}}{{/a}}{{/b}}"])("%s is refused", (template) => {
    expect(() => compileTemplate(template)).toThrow("The template cannot be read.");
  });

  test("what it makes is bounded", () => {
    const list = Array.from({ length: 300 }, () => "x");
    const render = compileTemplate("{{#l}}{{#l}}{{#l}}xxxxxxxxxx{{/l}}{{/l}}{{/l}}");
    expect(() => render({ l: list })).toThrow("more than");
  });
});
