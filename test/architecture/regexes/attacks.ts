import type { AST } from "@eslint-community/regexpp";
import { isLeaf, type Leaf, takesOf } from "./counting-matcher.ts";

/** A text that a pattern may be slow on: a beginning, something again and again, and one of the ends. */
export interface Attack {
  readonly start: string;
  readonly pump: string;
  readonly ends: readonly string[];
}

/** Of each kind of character that patterns tell apart there is one here. */
const ordinary = " \t\n\r\u2028aAzZfbx0159_-./\\:;,!?\"'`~@#$%^&*()[]{}<>|=+\u00a0é中…“”»\u0000";
/** What most patterns cannot end with: a sign few take, alone and around the end of a line. */
const refused = ["", "\u0000", "\n\u0000", "\u2028\u0000", "\u0000\n\u0000"];
const mostEnds = 14;
/** A part that is repeated at most so often takes no time worth a look. */
const longRun = 20;
/** Kinds of which each two are tried by turns. */
const mostByTurns = 4;

/** Long runs of what each long run of a pattern takes, behind what comes before it, and of what comes before it. */
export function attacksOn(pattern: AST.Pattern, flags: AST.Flags): readonly Attack[] {
  const leaves = pattern.alternatives.flatMap(({ elements }) => elements.flatMap(leavesIn));
  const takes = new Map(leaves.map((leaf) => [leaf.raw, takesOf(leaf, flags)]));
  const takenBy = ({ raw }: Leaf, char: string) => takes.get(raw)?.(char.charCodeAt(0)) === true;
  const kinds = kindsOf(new Set([...ordinary, ...leaves.flatMap(charactersOf)]), [...takes.values()]);
  const wordOf = (node: AST.Element, way = 0): string => {
    if (isLeaf(node)) return kinds.find((char) => takenBy(node, char)) ?? "";
    if (node.type === "Quantifier") return wordOf(node.element, way).repeat(node.min);
    if (node.type === "Backreference")
      return [node.resolved]
        .flat()
        .slice(0, 1)
        .map((each) => wordOf(each))
        .join("");
    if (node.type === "Assertion" || !("alternatives" in node)) return "";
    return (node.alternatives[way]?.elements ?? []).map((each) => wordOf(each)).join("");
  };

  const ends = [...new Set([...refused, ...kinds])].slice(0, mostEnds);
  const attacks = new Map<string, Attack>();
  const add = (start: string, pump: string) => {
    if (pump !== "") attacks.set(JSON.stringify([start, pump]), { start, pump, ends });
  };
  const addRun = ({ element }: AST.Quantifier, before: string) => {
    const own = leavesIn(element);
    const taken = kinds.filter((char) => own.some((leaf) => takenBy(leaf, char)));
    for (const start of new Set([before, "", "\u0000"])) for (const char of taken) add(start, char);
    for (const [index, char] of taken.slice(0, mostByTurns).entries()) {
      for (const other of taken.slice(index + 1, mostByTurns)) add(before, `${char}${other}`);
    }
    for (const way of waysOf(element)) add(before, wordOf(element, way));
    add("", before);
    add("", `${before}${wordOf(element)}`);
  };
  const visit = (alternatives: readonly AST.Alternative[], start: string) => {
    for (const { elements } of alternatives) {
      let before = start;
      for (const element of elements) {
        if (element.type === "Quantifier" && element.max > longRun) addRun(element, before);
        visit(alternativesOf(element), before);
        before += wordOf(element);
      }
    }
  };
  visit(pattern.alternatives, "");
  return [...attacks.values()];
}

function alternativesOf(node: AST.Element): readonly AST.Alternative[] {
  if (node.type === "Quantifier") return alternativesOf(node.element);
  return "alternatives" in node ? node.alternatives : [];
}

const waysOf = (node: AST.Element) => (isLeaf(node) ? [0] : alternativesOf(node).keys());

function leavesIn(node: AST.Element): Leaf[] {
  if (isLeaf(node)) return [node];
  if (node.type === "Quantifier") return leavesIn(node.element);
  return alternativesOf(node).flatMap(({ elements }) => elements.flatMap(leavesIn));
}

/** Characters that a part names itself. */
function charactersOf(leaf: Leaf): string[] {
  const parts = leaf.type === "CharacterClass" ? leaf.elements : [leaf];
  const codes = parts.flatMap((part) =>
    part.type === "Character" ? [part.value] : part.type === "CharacterClassRange" ? [part.min.value] : [],
  );
  return codes.filter((code) => code <= 0xffff).map((code) => String.fromCharCode(code));
}

/** One character of each kind that the parts of a pattern tell apart. */
function kindsOf(characters: ReadonlySet<string>, takes: readonly ((code: number) => boolean)[]): string[] {
  const kinds = new Map<string, string>();
  for (const char of characters) {
    const kind = [
      ...takes.map((each) => each(char.charCodeAt(0))),
      /\w/.test(char),
      /[\n\r\u2028\u2029]/.test(char),
    ].join();
    if (!kinds.has(kind)) kinds.set(kind, char);
  }
  return [...kinds.values()];
}
