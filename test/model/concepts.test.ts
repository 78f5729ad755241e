import fc from "fast-check";
import { expect, it } from "vitest";
import { conceptCounts, matchers } from "../../infra/model/triage/lexicon/concepts.ts";
import { fold, words } from "../../infra/model/triage/text.ts";

const letter = /\p{L}/u;

/** What a concept's count is, entry by entry, without an index. */
function countedOneByOne(folded: string): Map<string, number> {
  const tokens = words(folded);
  const text = ` ${folded.replace(/\s+/g, " ")} `;
  const begins = (phrase: string) =>
    [...text.matchAll(new RegExp(phrase.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "g"))].some(
      ({ index }) => !letter.test(phrase.charAt(0)) || !letter.test(text.charAt(index - 1)),
    );
  const counts = new Map<string, number>();
  for (const { concept, exact, stems, phrases, unspaced } of matchers) {
    const spoken = tokens.filter((token) => exact.has(token) || [...stems].some((stem) => token.startsWith(stem)));
    const found = [...phrases.filter(begins), ...unspaced.filter((run) => folded.includes(run))];
    if (spoken.length + found.length > 0) counts.set(concept, spoken.length + found.length);
  }
  return counts;
}

const entry = fc.constantFrom(
  ...matchers.flatMap(({ exact, stems, phrases, unspaced }) => [...exact, ...stems, ...phrases, ...unspaced]),
);
const between = fc.constantFrom(" ", " ", "\n", "-", "", "in", "é", "1", ". ", "\u{1d400}");

it("concepts are counted as their entries say, entry by entry", () => {
  const texts = fc.array(fc.tuple(entry, between), { maxLength: 12 }).map((parts) => fold(parts.flat().join("")));
  const isCounted = (text: string) => {
    expect([...conceptCounts(text)]).toEqual([...countedOneByOne(text)]);
  };
  fc.assert(fc.property(texts, isCounted), { numRuns: 60 });
});
