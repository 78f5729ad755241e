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

it.each([
  ["Friday in Portuguese", "lewd", "Até sexta-feira, na sexta eu pago."],
  ["Friday in Czech", "copy_goods", "Přijedeme v pátek večer."],
  ["this in Norwegian", "loan", "Dette er en hyggelig melding om dette."],
  ["a firm in Polish", "gambling", "Zakład pracy i zakłady chemiczne są zamknięte."],
  ["until in Italian", "discount", "Siamo aperti fino al 12 maggio."],
  ["women among friends in Spanish", "lewd", "Chicas, las mujeres de la familia comemos juntas el domingo."],
  ["women among friends in Portuguese", "lewd", "As mulheres da família almoçam no domingo."],
  ["women among friends in Italian", "adult", "Ragazze, ci vediamo domani."],
  ["women among friends in Polish", "lewd", "Kobiety z rodziny przyjadą w niedzielę."],
  ["women among friends in Russian", "lewd", "Девушки, встречаемся завтра в шесть."],
  ["mathematics", "fund_desk", "The interpolation has a bias; interpolate the trunk's data."],
  ["databases", "copy_goods", "Replication to the replica set lags; replicate it again."],
  ["a build tool", "bet_shop", "Run rake test, then raked results."],
])("a word of another trade is not accused: %s", (_what, concept, text) => {
  expect([...conceptCounts(fold(text)).keys()]).not.toContain(concept);
});
