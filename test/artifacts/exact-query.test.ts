import { describe, expect, test } from "vitest";
import { exactJson, parseExactJson } from "../../device/artifacts/exact-json.ts";
import { searchExactly } from "../../device/artifacts/tools/query/exact-query.ts";
import { tableRows } from "../../device/artifacts/tools/query/table-rows.ts";

const ask = (json: string, query: string) => exactJson(searchExactly(parseExactJson(json), query));

/** Ids that doubles cannot tell apart: 2^53, the integer after it, the greatest of 64 bits, the least. */
const [even, odd, greatest, least] = [
  "9007199254740992",
  "9007199254740993",
  "18446744073709551615",
  "-9223372036854775808",
];
const rows = `[{"id":${odd},"n":1},{"id":${even},"n":2},{"id":${greatest},"n":3},{"id":${least},"n":4},{"id":7,"n":5}]`;

describe("P5: an integer is what is written, to 64 bits and beyond", () => {
  test.each([
    ["[].id", `[${odd},${even},${greatest},${least},7]`],
    [`[?id == \`${odd}\`].n`, "[1]"],
    [`[?id == \`${even}\`].n`, "[2]"],
    [`[?id != \`${even}\`].n`, "[1,3,4,5]"],
    [`[?id > \`${even}\`].n`, "[1,3]"],
    [`[?id <= \`${even}\`].n`, "[2,4,5]"],
    ["sort_by(@, &id)[].id", `[${least},7,${even},${odd},${greatest}]`],
    ["max_by(@, &id).n", "3"],
    ["min_by(@, &id).n", "4"],
    ["max([].id)", greatest],
    ["sort([].id)", `[${least},7,${even},${odd},${greatest}]`],
    [`sum([?n < \`3\`].id)`, "18014398509481985"],
    ["[2].id + `1`", "18446744073709551616"],
    ["[2].id - [0].id", "18437736874454810622"],
    ["-[3].id", "9223372036854775808"],
    ["[3].id // `10`", "-922337203685477581"],
    ["abs([3].id)", "9223372036854775808"],
    ["to_string([0].id)", `"${odd}"`],
    [`to_number('${odd}')`, odd],
    ["type([0].id)", '"number"'],
    [`contains([].id, \`${odd}\`)`, "true"],
    ["{a: [0].id, b: `[9007199254740993, 1]`}", `{"a":${odd},"b":[${odd},1]}`],
    ["[*].[id, n] | [0]", `[${odd},1]`],
  ])("%s", (query, answer) => {
    expect(ask(rows, query)).toBe(answer);
  });

  test("numbers that a double holds stay numbers, however they are written", () => {
    expect(ask("[1.5, 1e3, 9007199254740991, -0.25]", "[]")).toBe("[1.5,1000,9007199254740991,-0.25]");
    expect(ask("[9007199254740991]", "[0] == `9007199254740991`")).toBe("true");
  });

  test("a number beyond all doubles is told as it is written, and not as nothing", () => {
    expect(ask("[1e400, -2E+999, 1e308, 1e-999]", "[]")).toBe('["1e400","-2E+999",1e+308,0]');
    expect(ask(`[${"9".repeat(310)}]`, "[0]")).toBe(`"${"9".repeat(310)}"`);
    const dialect = { delimiter: ",", quote: '"', hasHeader: true } as const;
    expect(exactJson(tableRows("a,b\n1e400,1e3\n", dialect))).toBe('[{"a":"1e400","b":1000}]');
  });

  test("a text that looks like one stays a text", () => {
    expect(ask(`{"id":"${odd}"}`, "id")).toBe(`"${odd}"`);
    expect(ask(`{"id":${odd}}`, `id == '${odd}'`)).toBe("false");
  });
});
