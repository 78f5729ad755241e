import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../rounds.ts";
import { jsonFacts } from "./json-facts.ts";
import { describeContent, statsOf } from "./setting.ts";

const json = { name: "result.json" };
const pieceBytes = fc.integer({ min: 1, max: 70 });

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("statistics of JSON", () => {
  test("agree with a walk over the parsed value, however the text is cut into pieces", () => {
    const values = fc.jsonValue({ maxDepth: 6 });
    fc.assert(
      fc.property(values, fc.constantFrom(undefined, 1, "\t"), pieceBytes, (value, indent, bytes) => {
        const facts = jsonFacts(value);
        const stats = statsOf("json", describeContent(JSON.stringify(value, undefined, indent), json, bytes));
        expect(stats).toMatchObject({
          valid: true,
          types: facts.types,
          keys: facts.keys,
          items: facts.items,
          depth: facts.depth,
        });
        for (const { path, distinct } of stats.fields) {
          if (distinct !== undefined) expect([path, distinct.count]).toEqual([path, facts.distinct.get(path)?.size]);
        }
      }),
      { numRuns: rounds(1_000) },
    );
  });

  test("a text is called valid exactly when JSON.parse takes it", () => {
    const damaged = fc
      .tuple(
        fc.jsonValue({ maxDepth: 4 }),
        fc.nat(),
        fc.constantFrom("", ",", "]", "{", '"', "\\", "-", "0", ".", "e", ":", "\u0001", "tru"),
      )
      .map(([value, at, insert]) => {
        const text = JSON.stringify(value);
        const place = at % (text.length + 1);
        return text.slice(0, place) + insert + text.slice(place + (at % 3));
      });
    fc.assert(
      fc.property(damaged, pieceBytes, (text, bytes) => {
        fc.pre(text.isWellFormed() && text !== "");
        const { stats } = describeContent(text, json, bytes);
        expect(stats.kind === "json" && stats.valid).toBe(isJson(text));
      }),
      { numRuns: rounds(3_000) },
    );
  });

  test.each([
    ['{"a":1,,}', 7],
    ["[1,2", 4],
    ['{"a" 1}', 5],
    ["[01]", 2],
    ['["\\x"]', 3],
    ["[1]x", 3],
    ["", 0],
    ["nul", 0],
  ])("a broken text says at which byte: %s", (text, atByte) => {
    expect(statsOf("json", describeContent(`${text}`, json)).error?.atByte).toBe(atByte);
  });

  test("10,000 arrays in each other are counted; nothing overflows", () => {
    const depth = 10_000;
    const stats = statsOf("json", describeContent("[".repeat(depth) + "]".repeat(depth), {}, 777));
    expect(stats).toMatchObject({ valid: true, depth, types: { array: depth } });
    const open = statsOf("json", describeContent('{"a":'.repeat(depth), json));
    expect(open).toMatchObject({ valid: false, depth });
  });

  test("more than a hundred different values are many; estimates are within four standard errors", () => {
    const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, kind: `k${id % 100}`, word: `w${id % 101}` }));
    const { fields } = statsOf("json", describeContent(JSON.stringify(rows)));
    const field = (path: string) => fields.find((candidate) => candidate.path === path);
    expect(field("$[].id")).toMatchObject({ highCardinality: true, min: 0, max: 19_999 });
    expect(Math.abs((field("$[].id")?.distinct?.count ?? 0) - 20_000)).toBeLessThan(20_000 * 4 * 0.01625);
    expect(field("$[].kind")).toMatchObject({ highCardinality: false, distinct: { count: 100, isExact: true } });
    expect(field("$[].word")).toMatchObject({ highCardinality: true, distinct: { count: 101, isExact: true } });
    expect(field("$[].kind")?.samples).toEqual(["k0", "k1", "k2", "k3", "k4"]);
  });

  test("an object used as a map is described by one field for all its keys", () => {
    const map = Object.fromEntries(Array.from({ length: 5_000 }, (_, id) => [`user-${id}`, { name: `n${id}` }]));
    const stats = statsOf("json", describeContent(JSON.stringify(map)));
    expect(stats.fields.length + stats.fieldsLeftOut).toBeLessThan(2_001);
    expect(stats.topLevelKeys).toHaveLength(100);
    expect(Math.abs(stats.topLevelKeyCount.count - 5_000)).toBeLessThan(400);
    expect(stats.schema).toMatchObject({ additionalProperties: { properties: { name: { type: "string" } } } });
  });

  test("the inferred schema names types, properties and those that were always there", () => {
    const text = '[{"a":1,"b":null},{"a":2,"b":"x","c":[true]}]';
    expect(statsOf("json", describeContent(text)).schema).toEqual({
      type: "array",
      items: {
        type: "object",
        properties: {
          a: { type: "number" },
          b: { type: ["string", "null"] },
          c: { type: "array", items: { type: "boolean" } },
        },
        required: ["a", "b"],
      },
    });
  });

  test("keys named like an object's own machinery are keys", () => {
    const stats = statsOf("json", describeContent('{"__proto__":1,"constructor":2,"a":{"__proto__":3}}'));
    expect(stats.topLevelKeys).toEqual(["__proto__", "constructor", "a"]);
    expect(Object.getPrototypeOf(stats.schema)).toBe(Object.prototype);
  });

  test("a string of eight million characters costs no more than its beginning", () => {
    const stats = statsOf("json", describeContent(`{"a":"${"x".repeat(8_000_000)}","b":1}`, {}, 65_536));
    expect(stats).toMatchObject({ valid: true, keys: 2 });
    expect(JSON.stringify(stats).length).toBeLessThan(2_000);
  });
});

describe("statistics of JSON Lines", () => {
  test("rows are counted, a broken line is passed over and told", () => {
    const text = '{"a":1}\n{"a":\n{"a":2,"b":"x"}\n\n{"a":3}';
    for (const bytes of [1, 3, 100]) {
      const stats = statsOf("jsonl", describeContent(text, { name: "rows.jsonl" }, bytes));
      expect(stats).toMatchObject({ length: 3, badLines: 1, valid: false, topLevelKeys: ["a", "b"] });
      expect(stats.error?.atByte).toBe(13);
    }
  });

  test("without a name, values on lines of their own are rows", () => {
    expect(describeContent('{"a":1}\n{"a":2}\n')).toMatchObject({
      contentType: "application/jsonl",
      stats: { length: 2 },
    });
    expect(describeContent('{"a":1}\n')).toMatchObject({ contentType: "application/json" });
  });

  test("agree with parsing each line", () => {
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 2, maxLength: 20 }),
        pieceBytes,
        (rows, bytes) => {
          const text = rows.map((row) => JSON.stringify(row)).join("\n");
          const stats = statsOf("jsonl", describeContent(text, { name: "x.jsonl" }, bytes));
          const { types, keys, items } = jsonFacts(rows);
          expect(stats).toMatchObject({
            valid: true,
            length: rows.length,
            types: { ...types, array: types.array - 1 },
            keys,
            items: items - rows.length,
          });
        },
      ),
      { numRuns: rounds(150) },
    );
  });
});

describe("P5: numbers and lines are told as they are", () => {
  const rows = { name: "rows.jsonl" };

  test("integers beyond 2^53 keep every digit, and different ones are different", () => {
    const ids = ["9007199254740992", "9007199254740993", "18446744073709551615", "-9223372036854775808"];
    const stats = statsOf("jsonl", describeContent(ids.map((id) => `{"id":${id}}`).join("\n"), rows));
    expect(stats.fields.find(({ path }) => path === "$[].id")).toMatchObject({
      distinct: { count: 4, isExact: true },
      samples: ids.map((integer) => ({ integer })),
      min: { integer: "-9223372036854775808" },
      max: { integer: "18446744073709551615" },
    });
    expect(stats.types.number).toBe(4);
  });

  test.each([1, 7, 64, 4096])("nothing of a broken line is counted, in pieces of %i bytes", (bytes) => {
    const good = ['{"a":1,"b":[1,2]}', '{"a":2,"b":[3]}'];
    const broken = '{"a":9,"c":{"d":[7,7,7]},"e":tru}';
    const text = (lines: string[]) => `${lines.join("\n")}\n`;
    const clean = statsOf("jsonl", describeContent(text(good), rows, bytes));
    const mixed = statsOf("jsonl", describeContent(text([good[0] ?? "", broken, good[1] ?? ""]), rows, bytes));
    expect(mixed).toEqual({
      ...clean,
      valid: false,
      badLines: 1,
      error: { atByte: (good[0]?.length ?? 0) + 1 + broken.indexOf("tru"), reason: "a value is missing" },
    });
  });
});
