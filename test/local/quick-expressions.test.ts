import conditions from "dynalite/db/conditionParser.js";
import updates from "dynalite/db/updateParser.js";
import type { ExpressionContext, ExpressionParser } from "dynalite/expressions";
import { describe, expect, test, vi } from "vitest";
import { remembering } from "../../infra/local/engines/quick-expressions.ts";

type Given = Pick<ExpressionContext, "attrNames" | "attrVals" | "isKeyCondition">;

/** What a parser says, and, where it takes the expression, which names and values it has found no use for. */
function asked(parse: ExpressionParser["parse"], text: string, given: Given) {
  const unusedAttrNames = allOf(given.attrNames);
  const unusedAttrVals = allOf(given.attrVals);
  const context: ExpressionContext = {
    ...given,
    unusedAttrNames,
    unusedAttrVals,
    isReserved: (name) => name.toLowerCase() === "status",
    compare: (_, one, other) => JSON.stringify(one) > JSON.stringify(other),
  };
  try {
    const said = parse(text, { context });
    return typeof said === "string" ? { refused: said } : { said, unusedAttrNames, unusedAttrVals };
  } catch (error) {
    return { refused: String(error) };
  }
}

const allOf = (given: object = {}): Record<string, true> =>
  Object.fromEntries(Object.keys(given).map((name): [string, true] => [name, true]));

const names = { "#s": "status", "#t": "ttl", "#n": "a.b" };
const values = { ":a": { S: "x" }, ":b": { N: "5" }, ":l": { L: [{ S: "y" }] } };
const others = { ":a": { S: "other" }, ":b": { N: "-1" }, ":l": { L: [] } };
const ofOtherTypes = { ":a": { N: "1" }, ":b": { S: "z" }, ":l": { M: {} } };

const conditionTexts = [
  "attribute_not_exists(pk)",
  "#s = :a AND (attribute_not_exists(#t) OR #t < :b)",
  "NOT contains(#n, :a) and size(tags) > :b",
  "begins_with(sk, :a)",
  "begins_with(sk, :b)",
  "pk = :a and sk between :a and :b",
  "attribute_type(pk, :a)",
  "#s in (:a, :b, :l)",
  "status = :a",
  "#missing = :a",
  "a = :missing",
  "((a = :a))",
  "a.b[2].#t = :l",
  "nonsense(a)",
  "a =",
];
const updateTexts = [
  "SET #s = :a, n = n + :b REMOVE #t",
  "SET a = if_not_exists(a, :a), b = list_append(b, :l)",
  "SET a = :a, a.b = :b",
  "ADD counted :b DELETE tags :a",
  "SET a = a - :a",
  "SET a = :a SET b = :b",
  "REMOVE a[1], b",
  "SET status = :a",
];

describe("expressions that are remembered", () => {
  test.each([
    ["condition", conditions, conditionTexts],
    ["update", updates, updateTexts],
  ] as const)("a %s means what it means when it is parsed anew, whatever came before it", (_, parser, texts) => {
    const remembered = remembering(parser.parse);
    const given: Given[] = [
      ...[values, others, ofOtherTypes].flatMap((attrVals) => [{ attrNames: names, attrVals }, { attrVals }]),
      { attrNames: { ...names, "#s": "state" }, attrVals: values },
      { attrNames: names, attrVals: values, isKeyCondition: true },
      { attrNames: names },
      {},
    ];
    for (let round = 0; round < 2; round++) {
      for (const text of texts) {
        for (const each of given) {
          expect(asked(remembered, text, each), text).toEqual(asked(parser.parse, text, each));
        }
      }
    }
  });

  test("each request has its own: what dynalite does to one changes no other", () => {
    const remembered = remembering(updates.parse);
    const first: unknown = asked(remembered, "SET a = :a", { attrVals: values }).said;
    Object.assign(Object(first), { sections: [] });
    const second: unknown = asked(remembered, "SET a = :a", { attrVals: values }).said;
    Object(second).sections[0].path.push("changed");
    expect(asked(remembered, "SET a = :a", { attrVals: others })).toEqual(
      asked(updates.parse, "SET a = :a", { attrVals: others }),
    );
  });

  test("one that DynamoDB would refuse for its length is refused, and told so", () => {
    const clauses = (count: number) => Array.from({ length: count }, () => "#s = :a").join(" AND ");
    const parse = remembering(conditions.parse);
    expect(asked(parse, clauses(300), { attrNames: names, attrVals: values })).toHaveProperty("said");
    expect(asked(parse, clauses(400), { attrNames: names, attrVals: values })).toEqual({
      refused: expect.stringContaining("exceeded the maximum allowed size"),
    });
  });

  test("an expression is parsed once for all requests that differ by values alone", () => {
    const parse = vi.fn(conditions.parse);
    const remembered = remembering(parse);
    for (let number = 0; number < 5; number++)
      asked(remembered, "a = :a", { attrVals: { ":a": { N: String(number) } } });
    expect(parse).toHaveBeenCalledTimes(1);
  });

  test("names given twice and used by the expression before stay used", () => {
    const remembered = remembering(conditions.parse);
    const unusedAttrVals: Record<string, true> = { ":b": true };
    const context = { attrVals: values, unusedAttrVals, isReserved: () => false, compare: () => false };
    remembered("a = :a", { context });
    expect(unusedAttrVals).toEqual({ ":b": true });
    remembered("a = :a and b = :b", { context });
    expect(unusedAttrVals).toEqual({});
  });
});
