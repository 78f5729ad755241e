import { type Declaration, declarationsIn } from "./declarations.ts";
import { hides, unknownValue } from "./hiding.ts";

/** More style than this no letter has: mail programs drop sheets of a twentieth of it. */
const mostCharacters = 300_000;
const mostSelectorCharacters = 300;
const mostClasses = 30;

/** A value, and what it outweighs (CSS Cascade 4, §6). */
export interface Weighed {
  readonly value: string;
  readonly weight: number;
}

/** What an element is found by. */
export interface Named {
  readonly tag: string;
  readonly id: string;
  readonly classes: readonly string[];
}

/** Where a rule stands: it holds for every reader, or for some of them and at times. */
type Reach = "all" | "some" | "none";

interface Block {
  readonly kind: "rule" | "group" | "skipped";
  readonly reach: Reach;
  readonly selectors: readonly string[];
  readonly declarations: Declaration[];
}

/**
 * The rules of a letter's `<style>` blocks that tell which of its text is seen.
 *
 * What is seen by some of its readers is seen. So a rule hides only where it holds for all of them (no telephone's alone) and
 * names its elements simply: by tag, class or id. A rule that holds at times, or names elements by where they stand, may show
 * what another hides, and makes a colour that it sets unknown; it hides nothing.
 */
export class StyleSheet {
  readonly #rules = new Map<string, Map<string, Weighed>>();
  #order = 0;

  /** @param media as the `media` attribute of the element has it */
  add(css: string, media: string): void {
    const text = css.slice(0, mostCharacters).replace(/\/\*[\s\S]*?(?:\*\/|$)|<!--|-->/g, " ");
    const open: Block[] = [{ kind: "group", reach: reachOf(media), selectors: [], declarations: [] }];
    let from = 0;
    for (const { 0: mark, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|[{};]/g)) {
      if (mark.length > 1 || !"{};".includes(mark)) continue;
      const block = open.at(-1);
      const piece = text.slice(from, index);
      from = index + 1;
      if (mark === "{") open.push(blockOf(piece.trim(), block));
      else if (block?.kind === "rule") block.declarations.push(...declarationsIn(piece));
      if (mark === "}" && open.length > 1) this.#close(open.pop());
    }
    const last = open.at(-1);
    if (last?.kind === "rule") last.declarations.push(...declarationsIn(text.slice(from)));
    for (const block of open) this.#close(block);
  }

  /** Whether it says anything of any element. */
  get isEmpty(): boolean {
    return this.#rules.size === 0;
  }

  /** What is declared of an element, property by property. */
  of({ tag, id, classes }: Named): Map<string, Weighed> {
    const found = new Map<string, Weighed>();
    const names = ["", ...classes.slice(0, mostClasses).map((name) => `.${name}`), ...(id === "" ? [] : [`#${id}`])];
    for (const name of names) {
      for (const key of [`${tag}${name}`, name === "" ? "*" : name]) {
        for (const [property, weighed] of this.#rules.get(key) ?? []) keepHeavier(found, property, weighed);
      }
    }
    return found;
  }

  #close(block: Block | undefined): void {
    if (block?.kind !== "rule" || block.declarations.length === 0 || block.reach === "none") return;
    this.#order += 1;
    for (const selector of block.selectors) this.#keep(selector, block);
  }

  #keep(selector: string, { reach, declarations }: Block): void {
    const { key, specificity, isSimple } = named(selector);
    const rule = this.#rules.get(key) ?? new Map<string, Weighed>();
    for (const declaration of declarations) {
      const value = isSimple && reach === "all" ? declaration.value : doubtful(declaration);
      if (value === undefined) continue;
      const weight = weightOf(declaration.isImportant, specificity) + Math.min(this.#order, 99_999);
      keepHeavier(rule, declaration.property, { value, weight });
    }
    if (rule.size > 0) this.#rules.set(key, rule);
  }
}

/** A style of the element itself outweighs those that come from a sheet. */
export function addOwn(found: Map<string, Weighed>, style: string): void {
  for (const { property, value, isImportant } of declarationsIn(style)) {
    keepHeavier(found, property, { value, weight: weightOf(isImportant, ownSpecificity) });
  }
}

const ownSpecificity = 1e9;
const weightOf = (isImportant: boolean, specificity: number): number => ((isImportant ? 1e10 : 0) + specificity) * 1e5;

function keepHeavier(found: Map<string, Weighed>, property: string, weighed: Weighed): void {
  const before = found.get(property);
  if (before === undefined || weighed.weight >= before.weight) found.set(property, weighed);
}

/** What a declaration says where it is not known whether it holds; undefined where that is nothing. */
function doubtful({ property, value }: Declaration): string | undefined {
  if (/^(?:color|background)/.test(property)) return unknownValue;
  if (hides(property, value)) return undefined;
  // What is taken over from around it may be hidden there, where another rule shows it.
  return /^(?:inherit|unset|revert|smaller|larger)/.test(value) ? unknownValue : value;
}

function blockOf(prelude: string, outer: Block | undefined): Block {
  const reach = outer?.reach ?? "all";
  const block = (kind: Block["kind"], of: Reach, selectors: readonly string[] = []): Block => ({
    kind,
    reach: of,
    selectors,
    declarations: [],
  });
  // A rule within a rule, and what is in a block that is none for elements.
  if (outer?.kind !== "group") return block("skipped", reach);
  if (!prelude.startsWith("@")) return block("rule", reach, prelude.split(","));
  const [, name = "", condition = ""] = /^@([a-z-]{1,30})([\s\S]{0,1000})/i.exec(prelude) ?? [];
  if (/^media$/i.test(name)) return block("group", narrower(reach, reachOf(condition)));
  return /^(?:supports|layer|container|document|-moz-document)$/i.test(name)
    ? block("group", narrower(reach, "some"))
    : block("skipped", reach);
}

const narrower = (one: Reach, other: Reach): Reach => {
  if (one === "none" || other === "none") return "none";
  return one === "all" ? other : one;
};

/** Whom media (Media Queries 4, §2) mean: who reads on a screen of any kind, or some of them, or nobody. */
function reachOf(media: string): Reach {
  const queries = media
    .toLowerCase()
    .split(",")
    .map((query) => query.trim().replace(/^only\s+/, ""));
  if (queries.some((query) => query === "" || query === "all" || query === "screen")) return "all";
  return queries.every((query) => /^(?:print|speech|aural|braille|embossed|handheld|projection|tty|tv)$/.test(query))
    ? "none"
    : "some";
}

const name = String.raw`(?:[\w-]|[^\x00-\x7f]|\\.)+`;
const simple = new RegExp(`^(\\*|${name})?(?:([.#])(${name}))?$`);
const firstName = new RegExp(`[.#]${name}`);

/** The last element that a selector names: what its rule is found by, and whether that is all it says. */
function named(selector: string): { key: string; specificity: number; isSimple: boolean } {
  const written = selector.trim();
  if (written.length > mostSelectorCharacters) return { key: "*", specificity: mostSpecificity, isSimple: false };
  const specificity = specificityOf(written);
  const found = simple.exec(written);
  if (found) {
    const [, tag = "", mark = "", own = ""] = found;
    const element = tag === "*" && mark !== "" ? "" : tag.toLowerCase();
    return { key: `${element}${mark}${unescaped(own)}`, specificity, isSimple: true };
  }
  const bare = written.replace(/\[[^\]]*\]?/g, "[]").replace(/\([^()]*\)?/g, "");
  const last =
    bare
      .trim()
      .split(/[\s>+~]+/)
      .at(-1) ?? "";
  const key = firstName.exec(last)?.[0] ?? /^[a-z][\w-]*/i.exec(last)?.[0].toLowerCase() ?? "*";
  return { key: unescaped(key), specificity, isSimple: false };
}

const unescaped = (text: string): string => text.replace(/\\([^\da-f])/gi, "$1");

const mostSpecificity = 99e6;

/** Ids, then classes and their like, then elements (Selectors 4, §17). */
function specificityOf(selector: string): number {
  const count = (pattern: RegExp) => Math.min(selector.match(pattern)?.length ?? 0, 99);
  return count(/#/g) * 1e6 + count(/[.[]|(?<!:):(?!:)/g) * 1e3 + count(/(?:^|[\s>+~])[a-z]|::/gi);
}
