import { RegExpParser } from "@eslint-community/regexpp";
import { attacksOn } from "./attacks.ts";
import { CountingMatcher } from "./counting-matcher.ts";

const parser = new RegExpParser();

export function read(source: string, flagText: string) {
  const flags = parser.parseFlags(flagText);
  const { unicode, unicodeSets } = flags;
  const pattern = parser.parsePattern(source, 0, source.length, { unicode, unicodeSets });
  return { matcher: new CountingMatcher(pattern, flags), attacks: attacksOn(pattern, flags) };
}

/** How often the repeated part of an attack stands in a text: so many characters at least, and so many times. */
const short = { characters: 20, times: 4, longer: 8 };
const long = { characters: 600, times: 12, longer: 2 };
/** A quarter more steps a character may come from a text's beginning and end; twice the steps do not. */
const fromSize = 1.4;
/** With so many, whatever the length, a text of some megabytes takes seconds. */
const mostSteps = 1_000;

/** Ends of an attack that are looked at with a long text; what is slow with a short text alone is bounded, and is so with each. */
const mostLooks = 2;

/**
 * A text on which an expression takes more steps a character the longer the text is, or very many; undefined where none is
 * found. Quadratic is told from linear by making the text longer.
 */
export function slownessOf(source: string, flags: string): string | undefined {
  const { matcher, attacks } = read(source, flags);
  for (const { start, pump, ends } of attacks) {
    let looks = 0;
    for (const end of ends) {
      const costOf = (times: number) => {
        const text = `${start}${pump.repeat(times)}${end}`;
        return matcher.stepsOn(text, text.length * mostSteps) / text.length;
      };
      const grows = ({ characters, times, longer }: typeof short) => {
        const few = Math.max(times, Math.ceil(characters / pump.length));
        const cost = costOf(few * longer);
        return cost >= mostSteps || cost > costOf(few) * fromSize;
      };
      if (!grows(short)) continue;
      if (grows(long)) return [start, pump, end].map((part) => JSON.stringify(part)).join(" ");
      looks += 1;
      if (looks === mostLooks) break;
    }
  }
  return undefined;
}
