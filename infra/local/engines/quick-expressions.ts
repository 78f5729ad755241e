import conditions from "dynalite/db/conditionParser.js";
import updates from "dynalite/db/updateParser.js";
import type { ExpressionParser } from "dynalite/expressions";

type Names = Readonly<Record<string, unknown>>;

/** A parsed expression with holes where the values of the request stood. */
interface Template {
  readonly shape: unknown;
  readonly usedNames: readonly string[];
  readonly usedValues: readonly string[];
}

/** The place of a value in a {@link Template}. */
class Hole {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A home asks with about a hundred; each is kept with its names and the types of its values. */
const mostTemplates = 1_000;
/** DynamoDB refuses a longer one, and dynalite does not: what passes here has to pass there. */
const longestExpression = 4096;
/** What is parsed under these depends on the values, not on their types alone. */
const looksAtValues = /between|attribute_type/i;

/**
 * Has dynalite parse each condition and each update once. Its parsers, generated ones without memory, took an eighth of the time
 * of a busy home's main thread, for the same few expressions again and again. What an expression means depends on its text,
 * on the names given and on the types of the values; each request gets a copy of its own with its own values.
 */
export function hastenExpressions(): void {
  for (const parser of [conditions, updates]) {
    if (hastened.has(parser)) continue;
    hastened.add(parser);
    parser.parse = remembering(parser.parse);
  }
}

/** dynalite is one in a process, homes may be several. */
const hastened = new WeakSet<ExpressionParser>();

/**
 * A parser that answers as the given one does, and remembers. What is refused is not remembered: it is parsed each time.
 *
 * @param parse one of dynalite's; it returns a string where an expression is understood and refused, and throws where it is not
 */
export function remembering(parse: ExpressionParser["parse"]): ExpressionParser["parse"] {
  const templates = new Map<string, Template>();
  return (text, options) => {
    const { context } = options;
    const { attrNames = {}, attrVals = {} } = context;
    if (text.length > longestExpression)
      return `Expression size has exceeded the maximum allowed size; expression size: ${text.length}`;
    if (looksAtValues.test(text)) return parse(text, options);
    const key = JSON.stringify([text, context.isKeyCondition === true, attrNames, typesOf(attrVals)]);
    let template = templates.get(key);
    if (template === undefined) {
      // What an expression before this one has used is none of its own uses.
      const unusedAttrNames = allOf(attrNames);
      const unusedAttrVals = allOf(attrVals);
      const parsed = parse(text, { ...options, context: { ...context, unusedAttrNames, unusedAttrVals } });
      if (typeof parsed === "string") return parsed;
      template = {
        shape: withHoles(parsed, new Map(Object.entries(attrVals).map(([name, value]) => [value, name]))),
        usedNames: Object.keys(attrNames).filter((name) => !(name in unusedAttrNames)),
        usedValues: Object.keys(attrVals).filter((name) => !(name in unusedAttrVals)),
      };
      if (templates.size >= mostTemplates) templates.clear();
      templates.set(key, template);
    }
    for (const name of template.usedNames) delete context.unusedAttrNames?.[name];
    for (const name of template.usedValues) delete context.unusedAttrVals?.[name];
    return filled(template.shape, attrVals);
  };
}

const allOf = (given: Names): Record<string, true> =>
  Object.fromEntries(Object.keys(given).map((name): [string, true] => [name, true]));

/** Of each value the types it names: `{"S":"…"}` is of type S. */
const typesOf = (values: Names): unknown[] =>
  Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "object" && value !== null
      ? Object.entries(value).map(([type, of]) => [type, of === null])
      : value,
  ]);

function withHoles(node: unknown, names: ReadonlyMap<unknown, string>): unknown {
  if (typeof node !== "object" || node === null) return node;
  const name = names.get(node);
  if (name !== undefined) return new Hole(name);
  return mapped(node, (child) => withHoles(child, names));
}

function filled(shape: unknown, values: Names): unknown {
  if (typeof shape !== "object" || shape === null) return shape;
  if (shape instanceof Hole) return values[shape.name];
  return mapped(shape, (child) => filled(child, values));
}

/** A copy of the same kind: dynalite's maps of paths have no prototype. */
function mapped(node: object, change: (child: unknown) => unknown): unknown {
  if (Array.isArray(node)) return node.map(change);
  const copy: Record<string, unknown> = Object.getPrototypeOf(node) === null ? Object.create(null) : {};
  for (const [name, child] of Object.entries(node)) copy[name] = change(child);
  return copy;
}
