import type { AST } from "@eslint-community/regexpp";

/** Goes on behind a part, at a place of the text; false takes the matcher back. */
type Next = (at: number) => boolean;
type Step = (at: number, next: Next) => boolean;
/** A part of a pattern that takes one character. */
export type Leaf = Exclude<
  AST.QuantifiableElement,
  AST.Group | AST.CapturingGroup | AST.Backreference | AST.LookaheadAssertion
>;

class TooManySteps extends Error {}

/** Whether a part takes a character, given as its code; NaN, behind the text's end, is none. */
type Takes = (code: number) => boolean;
/** Many patterns have the same parts. */
const knownParts = new Map<string, Takes>();

/** Whether a part takes a character, asked of the language's own engine. */
export function takesOf({ raw }: Leaf, { ignoreCase, unicode, unicodeSets, dotAll }: AST.Flags): Takes {
  const flags = `${ignoreCase ? "i" : ""}${unicode ? "u" : ""}${unicodeSets ? "v" : ""}${dotAll ? "s" : ""}`;
  const key = `${flags}/${raw}`;
  const known = knownParts.get(key) ?? asked(new RegExp(`^${raw}$`, flags));
  knownParts.set(key, known);
  return known;
}

/** Each character is asked about once: there are millions of steps and a hundred characters. */
function asked(form: RegExp): Takes {
  const answers = new Map<number, boolean>();
  const common = new Int8Array(0x100);
  const answerTo = (code: number) => form.test(String.fromCharCode(code));
  return (code) => {
    if (code < common.length) {
      if (common[code] === 0) common[code] = answerTo(code) ? 1 : -1;
      return common[code] === 1;
    }
    const answer = answers.get(code) ?? (code >= 0 && answerTo(code));
    answers.set(code, answer);
    return answer;
  };
}

const isWord = asked(/^\w$/);
const isBreak = asked(/^[\n\r\u2028\u2029]$/);

/**
 * Matches by backtracking, as V8 does without its short cuts, and counts each look at a character. Steps are the same on
 * every machine; time is not. Texts hold no characters outside of Unicode's first plane.
 */
export class CountingMatcher {
  readonly #flags: AST.Flags;
  readonly #pattern: Step;
  readonly #captures = new Map<AST.CapturingGroup, readonly [from: number, to: number]>();
  #text = "";
  #steps = 0;
  #most = 0;

  constructor(pattern: AST.Pattern, flags: AST.Flags) {
    this.#flags = flags;
    this.#pattern = this.#anyOf(pattern.alternatives, 1);
  }

  /** Steps to look a text through: to the first match, with `g` to the last. It stops counting at `most`. */
  stepsOn(text: string, most: number): number {
    try {
      for (const _ of this.#matches(text, most));
    } catch (error) {
      if (!(error instanceof TooManySteps)) throw error;
    }
    return this.#steps;
  }

  /** Where the first match begins and ends. */
  firstIn(text: string): readonly [from: number, to: number] | undefined {
    return this.#matches(text, Number.POSITIVE_INFINITY).next().value ?? undefined;
  }

  *#matches(text: string, most: number): Generator<readonly [number, number], undefined> {
    [this.#text, this.#steps, this.#most] = [text, 0, most];
    const { sticky, global } = this.#flags;
    let end: number | undefined;
    const ended = (at: number) => {
      end = at;
      return true;
    };
    for (let start = 0; start <= text.length; ) {
      if (this.#captures.size > 0) this.#captures.clear();
      end = undefined;
      this.#pattern(start, ended);
      if (end !== undefined) yield [start, end];
      if (sticky || (end !== undefined && !global)) return;
      start = Math.max(start + 1, end ?? 0);
    }
  }

  #count(): void {
    this.#steps += 1;
    if (this.#steps > this.#most) throw new TooManySteps();
  }

  /** @param way 1 forwards, -1 backwards, as in a lookbehind */
  #anyOf(alternatives: readonly AST.Alternative[], way: 1 | -1): Step {
    const ways = alternatives.map(({ elements }) => {
      const steps = elements.map((each) => this.#stepOf(each, way));
      return (way === 1 ? steps : steps.reverse()).reduceRight<Step>(
        (rest, step) => (at, next) => step(at, (behind) => rest(behind, next)),
        (at, next) => next(at),
      );
    });
    const [only, ...others] = ways;
    if (only !== undefined && others.length === 0) return only;
    return (at, next) => {
      for (const each of ways) if (each(at, next)) return true;
      return false;
    };
  }

  #stepOf(node: AST.Element, way: 1 | -1): Step {
    switch (node.type) {
      case "Assertion":
        return this.#assertion(node);
      case "Quantifier":
        return isLeaf(node.element) ? this.#run(node, node.element, way) : this.#repeated(node, way);
      case "Group":
        return this.#anyOf(node.alternatives, way);
      case "CapturingGroup":
        return this.#captured(node, way);
      case "Backreference":
        return this.#again(node, way);
      default: {
        const takes = this.#taken(node, way);
        return (at, next) => takes(at) && next(at + way);
      }
    }
  }

  #taken(leaf: Leaf, way: 1 | -1): (at: number) => boolean {
    const takes = takesOf(leaf, this.#flags);
    return (at) => {
      this.#count();
      return takes(this.#text.charCodeAt(way === 1 ? at : at - 1));
    };
  }

  #run({ min, max, greedy }: AST.Quantifier, leaf: Leaf, way: 1 | -1): Step {
    const takes = this.#taken(leaf, way);
    if (greedy) {
      return (at, next) => {
        let count = 0;
        while (count < max && takes(at + way * count)) count += 1;
        for (; count >= min; count -= 1) if (next(at + way * count)) return true;
        return false;
      };
    }
    return (at, next) => {
      for (let count = 0; ; count += 1) {
        if (count >= min && next(at + way * count)) return true;
        if (count >= max || !takes(at + way * count)) return false;
      }
    };
  }

  #repeated({ min, max, greedy, element }: AST.Quantifier, way: 1 | -1): Step {
    const once = this.#stepOf(element, way);
    const from = (count: number): Step => {
      return (at, next) => {
        const again = () => count < max && once(at, (end) => (end !== at || count < min) && from(count + 1)(end, next));
        if (count < min) return again();
        return greedy ? again() || next(at) : next(at) || again();
      };
    };
    return from(0);
  }

  #captured(node: AST.CapturingGroup, way: 1 | -1): Step {
    const inner = this.#anyOf(node.alternatives, way);
    return (at, next) =>
      inner(at, (end) => {
        const before = this.#captures.get(node);
        this.#captures.set(node, way === 1 ? [at, end] : [end, at]);
        if (next(end)) return true;
        if (before === undefined) this.#captures.delete(node);
        else this.#captures.set(node, before);
        return false;
      });
  }

  #again({ resolved }: AST.Backreference, way: 1 | -1): Step {
    return (at, next) => {
      const [from, to] = [resolved].flat().flatMap((group) => [this.#captures.get(group) ?? []])[0] ?? [];
      const said = from === undefined ? "" : this.#text.slice(from, to);
      for (let count = 0; count <= said.length; count += 1) this.#count();
      const place = way === 1 ? at : at - said.length;
      return this.#text.startsWith(said, place) && next(at + way * said.length);
    };
  }

  #assertion(node: AST.Assertion): Step {
    if (node.kind === "lookahead" || node.kind === "lookbehind") {
      const inner = this.#anyOf(node.alternatives, node.kind === "lookahead" ? 1 : -1);
      return (at, next) => inner(at, () => true) !== node.negate && next(at);
    }
    return (at, next) => {
      this.#count();
      return this.#holds(node, at) && next(at);
    };
  }

  #holds(node: AST.EdgeAssertion | AST.WordBoundaryAssertion, at: number): boolean {
    const [before, after] = [this.#text.charCodeAt(at - 1), this.#text.charCodeAt(at)];
    if (node.kind === "word") return (isWord(before) !== isWord(after)) !== node.negate;
    const edge = node.kind === "start" ? before : after;
    return Number.isNaN(edge) || (this.#flags.multiline && isBreak(edge));
  }
}

export const isLeaf = (node: AST.Element): node is Leaf =>
  node.type === "Character" || node.type === "CharacterSet" || node.type === "CharacterClass";
