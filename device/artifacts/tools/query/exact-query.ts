import { compile, TreeInterpreter } from "@jmespath-community/jmespath";
import { type ExactJson, parseExactJson } from "../../exact-json.ts";
import { exactFunctions, registerExactFunctions } from "./exact-functions.ts";

type Node = ReturnType<typeof compile>;
type Data = Parameters<typeof TreeInterpreter.search>[1];

registerExactFunctions();

/**
 * A JMESPath query on {@link ExactJson}. The library knows doubles only, so what compares and calculates is handed to
 * functions of ours, and integers in the query's literals are read exactly.
 * @throws Error as the library does, for a query that is none or does not fit the data
 */
export function searchExactly(data: ExactJson, query: string): ExactJson {
  const { text, literals } = withoutLiterals(query);
  const node = exactNode(compile(text), literals);
  // The library hands values through as they are; only its types say that there is no bigint.
  return TreeInterpreter.search(node, data as Data) as ExactJson;
}

/** A literal, to the end of the query where it does not end itself. */
const literalForm = /`(?:[^`\\]|\\(?:.|$))*(`?)/gs;
const longInteger = /\d{16}/;
const standIn = (index: number) => `\u0000literal ${index}`;

function withoutLiterals(query: string): { text: string; literals: ReadonlyMap<string, ExactJson> } {
  const literals = new Map<string, ExactJson>();
  // One that holds a long integer is compiled as a number of its own that stands for it.
  const text = query.replace(literalForm, (literal, end) => {
    if (end === "" || !longInteger.test(literal)) return literal;
    const name = standIn(literals.size);
    try {
      literals.set(name, parseExactJson(literal.slice(1, -1).replaceAll("\\`", "`")));
    } catch (error) {
      // Not JSON: the library says what it makes of it.
      if (error instanceof SyntaxError) return literal;
      throw error;
    }
    return `\`${JSON.stringify(name)}\``;
  });
  return { text, literals };
}

const comparators = new Set(["GT", "GTE", "LT", "LTE"]);
const keyed = new Set(["sort_by", "max_by", "min_by"]);
const call = (name: string, children: readonly Node[]) => ({ type: "Function", name, children }) as Node;
const literal = (value: unknown) => ({ type: "Literal", value }) as Node;

/** The same expression with our functions in the places of the library's arithmetic. */
function exactNode(node: Node, literals: ReadonlyMap<string, ExactJson>): Node {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    return isNode(value) ? exactNode(value, literals) : value;
  };
  if (node.type === "Literal") {
    const { value } = node;
    return typeof value === "string" && literals.has(value) ? literal(literals.get(value)) : node;
  }
  const own: Node = { ...node };
  for (const [key, value] of Object.entries(own)) Reflect.set(own, key, inner(value));
  if (own.type === "Comparator" && comparators.has(own.name)) {
    return call("exact_compare", [own.left, own.right, literal(own.name)]);
  }
  if (own.type === "Arithmetic") return call("exact_arithmetic", [own.left, own.right, literal(own.operator)]);
  if (own.type === "Unary") return call("exact_arithmetic", [literal(0), own.operand, literal(own.operator)]);
  if (own.type !== "Function" || !exactFunctions.has(own.name)) return own;
  const [subject, expression] = own.children;
  if (!keyed.has(own.name) || own.children.length !== 2 || !subject || expression?.type !== "ExpressionReference") {
    return call(`exact_${own.name}`, own.children);
  }
  // The keys are made by the library, which knows variables and the root; we only put them in order.
  return call(`exact_${own.name}`, [subject, call("map", [expression, subject])]);
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;
