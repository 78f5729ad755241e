import { type ESTree, parseSync, Visitor } from "vite";

/** A regular expression as it stands in code. */
export interface Expression {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

/** Stands for what a template puts in and its file does not say: a name, a word of a list, or how often. */
const unknownPart = "1";

/**
 * Every regular expression of one file: literals, and what `RegExp` makes of a text or a template. One that is given to
 * `split` is told as if it had the flag `g`, as it is looked for to the end.
 */
export function expressionsIn(path: string, text: string): Expression[] {
  const { program } = parseSync(path, text);
  const constants = constantsIn(program);
  const ofSplit = new Set<ESTree.Node>();
  const found: Expression[] = [];
  const add = (node: ESTree.Node, source: string, flags: string) => {
    const line = text.slice(0, node.start).split("\n").length;
    found.push({ path, line, source, flags: ofSplit.has(node) && !flags.includes("g") ? `${flags}g` : flags });
  };
  const made = ({ callee, arguments: [first, second] }: ESTree.NewExpression | ESTree.CallExpression) => {
    if (callee.type !== "Identifier" || callee.name !== "RegExp" || first === undefined) return;
    const source = textOf(first, constants);
    if (source !== undefined) add(first, source, (second && textOf(second, constants)) ?? "");
  };
  new Visitor({
    CallExpression(node) {
      made(node);
      const { callee, arguments: given } = node;
      const isSplit = callee.type === "MemberExpression" && !callee.computed && callee.property.name === "split";
      if (isSplit) for (const each of given) ofSplit.add(each);
    },
    NewExpression: made,
    Literal(node) {
      if ("regex" in node) add(node, node.regex.pattern, node.regex.flags);
    },
  }).visit(program);
  return found;
}

/** Constants of a file that are texts, by name. */
function constantsIn(program: ESTree.Program): ReadonlyMap<string, string> {
  const constants = new Map<string, string>();
  new Visitor({
    VariableDeclarator({ id, init }) {
      const value = id.type === "Identifier" && init ? textOf(init, constants) : undefined;
      if (id.type === "Identifier" && value !== undefined) constants.set(id.name, value);
    },
  }).visit(program);
  return constants;
}

function textOf(node: ESTree.Node, constants: ReadonlyMap<string, string>): string | undefined {
  if (node.type === "Literal") return /string|number/.test(typeof node.value) ? String(node.value) : undefined;
  if (node.type === "TemplateLiteral") return joined(node, constants, ({ cooked, raw }) => cooked ?? raw);
  if (node.type === "TaggedTemplateExpression") return joined(node.quasi, constants, ({ raw }) => raw);
  return undefined;
}

function joined(
  { quasis, expressions }: ESTree.TemplateLiteral,
  constants: ReadonlyMap<string, string>,
  said: (value: ESTree.TemplateElement["value"]) => string,
): string {
  const known = (node: ESTree.Expression) => (node.type === "Identifier" ? constants.get(node.name) : undefined);
  return quasis
    .map(({ value }, index) => {
      const behind = expressions[index];
      return `${said(value)}${behind === undefined ? "" : (known(behind) ?? unknownPart)}`;
    })
    .join("");
}
