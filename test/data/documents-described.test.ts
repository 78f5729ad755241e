import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { Parser } from "htmlparser2";
import MarkdownIt from "markdown-it";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { Description } from "../../device/artifacts/description/describe.ts";
import { jsonFacts } from "../artifacts/json-facts.ts";
import { describeContent, statsOf } from "../artifacts/setting.ts";
import { dataFolder, hasData } from "./published.ts";

/** Real documents beside the checkout with what other programs say of them (poppler, Pillow, Python, pandoc). */
const folder = new URL("documents/dev/", dataFolder);

const listed = z.object({ path: z.string(), stored_as: z.string().optional() });

function expected<S extends z.ZodRawShape>(kind: string, shape: S) {
  const text = hasData ? readFileSync(new URL(`EXPECTED/${kind}.jsonl`, folder), "utf8") : "";
  const schema = listed.extend(shape);
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => schema.parse(JSON.parse(line)));
}

function load({ path, stored_as: stored }: z.infer<typeof listed>): Buffer {
  const bytes = readFileSync(new URL(stored ?? path, folder));
  return stored === undefined ? bytes : gunzipSync(bytes);
}

/** Described with its name, in pieces. */
const described = (row: z.infer<typeof listed>): Description => describeContent(load(row), { name: row.path }, 50_000);

/** What differs, file by file: the list must be empty, or what is said to differ. */
function differing<R extends { path: string }>(rows: readonly R[], check: (row: R) => void): string[] {
  return rows.flatMap((row) => {
    try {
      check(row);
      return [];
    } catch (error) {
      return [`${row.path}: ${error instanceof Error ? error.message.split("\n")[0] : ""}`];
    }
  });
}

describe.skipIf(!hasData)("statistics of real documents agree with other programs'", () => {
  test("JSON: valid or not as Python says; types, keys, items and depth as a walk says", () => {
    const rows = expected("json", { python_json: z.string(), suite_expectation: z.string().optional() });
    expect(rows.length).toBeGreaterThan(100);
    const wrong = differing(rows, (row) => {
      const { stats } = described(row);
      const isValid = stats.kind === "json" && stats.valid;
      // What the suite leaves open (encodings) may be decided either way.
      if (row.suite_expectation !== "either") expect(isValid).toBe(row.python_json === "accept");
      if (row.python_json !== "accept" || stats.kind !== "json") return;
      const text = load(row).toString("utf8");
      const facts = jsonFacts(JSON.parse(text));
      // A key given twice is one key of the parsed value.
      const isRepeated = stats.keys > facts.keys;
      if (isRepeated) expect(row.path).toMatch(/duplicat|same_key/);
      else
        expect(stats).toMatchObject({ types: facts.types, keys: facts.keys, items: facts.items, depth: facts.depth });
    });
    expect(wrong).toEqual([]);
  });

  test("CSV: records, columns, empty cells, distinct values, least and greatest as Python says", () => {
    const column = z.object({
      name: z.string(),
      non_empty: z.number(),
      numeric: z.number(),
      distinct: z.number(),
      min: z.number().optional(),
      max: z.number().optional(),
    });
    const rows = expected("csv", {
      records: z.number(),
      delimiter: z.string(),
      columns_assuming_header: z.array(column).optional(),
    });
    // One is a text with hardly a comma in it, and is called so.
    const tables = rows.filter(({ path }) => path.endsWith(".csv"));
    const wrong = differing(tables, (row) => {
      const stats = statsOf("csv", described(row));
      expect(stats.rows + stats.blankLines + (stats.hasHeader ? 1 : 0)).toBe(row.records);
      expect([stats.delimiter, stats.hasHeader, stats.brokenQuotes]).toEqual([row.delimiter, true, 0]);
      for (const [at, wanted] of (row.columns_assuming_header ?? []).entries()) {
        const found = stats.columns[at];
        expect([found?.name, stats.rows - (found?.nulls ?? 0)]).toEqual([wanted.name.trim(), wanted.non_empty]);
        expect(Math.abs((found?.distinct.count ?? 0) - wanted.distinct)).toBeLessThanOrEqual(wanted.distinct * 0.03);
        if (wanted.numeric > 0 && wanted.numeric === wanted.non_empty) {
          expect([found?.min, found?.max]).toEqual([wanted.min, wanted.max]);
        }
      }
    });
    expect(wrong).toEqual([]);
  });

  test("images: size as Pillow says", () => {
    const rows = expected("image", {
      format: z.string().nullish(),
      width: z.number().optional(),
      height: z.number().optional(),
    });
    const known = rows.filter(({ format }) => typeof format === "string");
    const wrong = differing(known, (row) => {
      expect(statsOf("binary", described(row)).image).toEqual({ width: row.width, height: row.height });
    });
    expect(wrong).toEqual([]);
  });

  test("PDF: pages as poppler says, but for files that are no PDF any more", () => {
    const rows = expected("pdf", { pages: z.number().nullish() }).filter(({ pages }) => typeof pages === "number");
    const wrong = differing(rows, (row) => {
      expect(statsOf("binary", described(row)).pdf?.pages).toBe(row.pages);
    });
    // One in a hundred: object streams packed in ways that are not unpacked here.
    expect(wrong.length / rows.length).toBeLessThanOrEqual(0.01);
  });

  test("HTML: titles as Python says; links, images, tables, headings as htmlparser2's own parser counts", () => {
    const rows = expected("html", { title_tag: z.string() });
    const wrong = differing(rows, (row) => {
      const names: string[] = [];
      const parser = new Parser({ onopentagname: (name) => void names.push(name) });
      parser.end(load(row).toString("utf8"));
      const count = (name: string) => names.filter((each) => each === name).length;
      const stats = statsOf("html", describeContent(load(row), {}, 50_000));
      const title = row.title_tag.replace(/\s+/g, " ").trim();
      // Python's reading adds the titles of drawings to the page's.
      expect(title.startsWith(stats.title) && (stats.title !== "" || title === "")).toBe(true);
      expect([stats.links, stats.images, stats.tables, stats.scripts]).toEqual(
        ["a", "img", "table", "script"].map(count),
      );
      expect(stats.headings.perLevel).toEqual(["h1", "h2", "h3", "h4", "h5", "h6"].map(count));
    });
    expect(wrong).toEqual([]);
  });

  test("Markdown: lines and headings as Python counts them; links, images and tables as markdown-it", () => {
    const rows = expected("md", { lines: z.number(), atx_headings: z.number() });
    const off = { links: 0, images: 0, tables: 0, lists: 0, of: 0 };
    const wrong = differing(rows, (row) => {
      const text = load(row).toString("utf8");
      const tokens = new MarkdownIt().parse(text, {}).flatMap((token) => [token, ...(token.children ?? [])]);
      const count = (...types: string[]) =>
        tokens.filter(({ type, level }) => types.includes(type) && (!type.includes("_list_") || level === 0)).length;
      const stats = statsOf("markdown", described(row));
      expect([stats.lines, stats.headings.count]).toEqual([row.lines, row.atx_headings]);
      const pairs = {
        links: count("link_open"),
        images: count("image"),
        tables: count("table_open"),
        lists: count("bullet_list_open", "ordered_list_open"),
      };
      for (const key of ["links", "images", "tables", "lists"] as const) off[key] += Math.abs(stats[key] - pairs[key]);
      off.of += pairs.links + pairs.images + pairs.tables + pairs.lists;
    });
    expect(wrong).toEqual([]);
    expect(off.images + off.tables).toBe(0);
    // Addresses named elsewhere in the text, and lists that only CommonMark's full rules tell apart.
    expect((off.links + off.lists) / off.of).toBeLessThan(0.02);
  });

  test("text, logs and configuration: lines and words", () => {
    const shape = { lines: z.number(), utf8: z.boolean() };
    const rows = ["txt", "log", "config"].flatMap((kind) => expected(kind, shape).map((row) => ({ ...row, kind })));
    const wrong = differing(rows, (row) => {
      const { stats } = described(row);
      if (stats.kind !== "text") {
        expect(row.path).toMatch(/\.json$/);
        return;
      }
      if (!row.utf8) {
        expect(stats.encoding).toBe("big5");
        return;
      }
      const words = load(row)
        .toString("utf8")
        .split(/\p{White_Space}+/u)
        .filter((word) => word !== "");
      expect([stats.lines, stats.words]).toEqual([row.lines, words.length]);
      if (row.kind === "log") expect(stats.structure.kind).toBe("log");
    });
    expect(wrong).toEqual([]);
  });

  test("office documents are told apart by what is in them", () => {
    const wrong = differing(expected("docx", {}), (row) => {
      const { stats } = describeContent(load(row));
      expect(["docx", "ole"]).toContain(stats.kind === "binary" ? stats.format : stats.kind);
    });
    expect(wrong).toEqual([]);
  });
});
