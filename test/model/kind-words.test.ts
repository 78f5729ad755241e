import { describe, expect, test } from "vitest";
import { isUnsure } from "../../infra/model/triage/doubt.ts";
import { type Features, featuresOf, keysOfEntry } from "../../infra/model/triage/features.ts";
import { kindOf } from "../../infra/model/triage/kinds/kind-of.ts";
import { type KindWords, oddsOfKinds, oddsOfWord, wordOdds } from "../../infra/model/triage/kinds/kind-words.ts";
import { type MailKind, mailKinds, unwantedKinds, wantedKinds } from "../../infra/model/triage/kinds/mail-kinds.ts";
import { fold } from "../../infra/model/triage/text.ts";
import { trainKindWords } from "../training/fit/kind-words-trainer.ts";
import { ratedWords, ratings } from "../training/fit/rated-words.ts";
import type { Example } from "../training/trainer.ts";

const verify = 1;
const shipped = 2;
const discount = 3;

/** Words as numbers, with what each says for some kinds. */
function wordsOf(weights: Readonly<Record<number, Partial<Record<MailKind, number>>>>): KindWords {
  const keys = Object.keys(weights).map(Number);
  return {
    intercepts: new Float32Array(mailKinds.length),
    rows: new Map(keys.map((key, place) => [key, place * mailKinds.length])),
    weights: Float32Array.from(keys.flatMap((key) => mailKinds.map((kind) => weights[key]?.[kind] ?? 0))),
  };
}

const said = (...keys: number[]): Features["vocabulary"] => ({
  keys: Uint32Array.from(keys),
  values: new Float32Array(keys.length).fill(1),
});

describe("what words say of a mail's kind", () => {
  const words = wordsOf({
    [verify]: { transactional: 3, phishing: 3 },
    [shipped]: { transactional: 3 },
    [discount]: { newsletter: 2, advertising: 4 },
  });

  test("a word of notices and of forged ones speaks for either, and hardly for or against the mail", () => {
    expect(Math.abs(wordOdds(words, said(verify)))).toBeLessThan(0.5);
    const odds = oddsOfKinds(words, said(verify));
    expect(odds.get("transactional")).toBe(odds.get("phishing"));
    expect(odds.get("transactional")).toBeGreaterThan(odds.get("advertising") ?? 0);
  });

  test("what follows it decides: beside a word of real notices it speaks for the mail", () => {
    const alone = wordOdds(words, said(shipped));
    expect(wordOdds(words, said(shipped, verify))).toBeLessThan(alone);
    expect(alone).toBeLessThan(0);
    expect(wordOdds(words, said(discount))).toBeGreaterThan(0);
  });

  test("a word's own direction is that of a mail with nothing else in it", () => {
    for (const key of [verify, shipped, discount]) {
      const [little = 0, nothing = 0] = [
        wordOdds(words, { keys: Uint32Array.of(key), values: Float32Array.of(1e-3) }),
        wordOdds(words, said()),
      ];
      expect(oddsOfWord(words, key)).toBeCloseTo((little - nothing) / 1e-3, 1);
    }
    expect(oddsOfWord(words, 99)).toBe(0);
  });
});

describe("learning words by kind", () => {
  const options = {
    penalty: 0.1,
    rated: new Map<number, readonly number[]>(),
    minMailsOfRated: 1,
    minMails: 1,
    minMailsOfMixedSources: 0,
    minSources: 1,
  };
  const rated = (kind: MailKind, odds: number): readonly number[] =>
    mailKinds.map((each) => (each === kind ? odds : 0));
  const mail = (kind: MailKind | undefined, spam: boolean, ...keys: number[]): Example => ({
    source: "one",
    spam,
    kind,
    features: { signals: new Map(), vocabulary: said(...keys) },
  });
  const told = mailKinds.flatMap((kind, place) =>
    Array.from({ length: 4 }, () => mail(kind, unwantedKinds.includes(kind), 10 + place)),
  );

  test("each kind's own word is known for it", () => {
    const learned = trainKindWords(told, options);
    for (const [place, kind] of mailKinds.entries()) {
      const odds = [...oddsOfKinds(learned, said(10 + place))].sort(([, one], [, other]) => other - one);
      expect(odds[0]?.[0]).toBe(kind);
    }
  });

  test("of a mail whose kind is not known, whether it is wanted is learned all the same", () => {
    const untold = [
      ...told,
      ...Array.from({ length: 4 }, () => [mail(undefined, true, 30), mail(undefined, false, 31)]).flat(),
    ];
    const learned = trainKindWords(untold, options);
    expect(wordOdds(learned, said(30))).toBeGreaterThan(1);
    expect(wordOdds(learned, said(31))).toBeLessThan(-1);
  });

  test("a kind that contradicts the label is not believed", () => {
    const learned = trainKindWords([...told, ...Array.from({ length: 4 }, () => mail("personal", true, 40))], options);
    expect(wordOdds(learned, said(40))).toBeGreaterThan(0);
  });

  test("what unwanted and wanted mail say alike weighs nothing", () => {
    const both = [mail("personal", false, 50, 10), mail("advertising", true, 50, 14)];
    const learned = trainKindWords([...told, ...both, ...both], options);
    const weightOf = (key: number): number => {
      const row = learned.rows.get(key) ?? -1;
      return Math.max(...learned.weights.subarray(row, row + mailKinds.length).map(Math.abs));
    };
    expect(weightOf(50)).toBeLessThan(0.2 * weightOf(11));
  });

  test("a rated word weighs as it is rated until mail says otherwise, and a rare one is known by its rating alone", () => {
    const [seldom, often, contradicted] = [70, 71, 72];
    const known = {
      ...options,
      penalty: 1,
      minMails: 5,
      rated: new Map([seldom, contradicted].map((key) => [key, rated("fraud", 2)])),
    };
    const says = (key: number) => [mail("list", false, key), mail("list", false, key)];
    const lists = Array.from({ length: 40 }, () => says(contradicted)).flat();
    const both = [mail("fraud", true, seldom), mail("list", false, seldom), ...says(often)];
    const learned = trainKindWords([...told, ...both, ...lists], known);
    expect(oddsOfWord(learned, seldom)).toBeGreaterThan(0.3);
    expect(learned.rows.has(often), "too rare to be learned").toBe(false);
    expect(oddsOfWord(learned, contradicted)).toBeLessThan(-1);
  });

  test("the search ends where it should: of every kind as many mails are expected as there are", () => {
    const shared = [60, 61, 62, 63].flatMap((key) => [mail("list", false, key, 11), mail("phishing", true, key, 15)]);
    const all = [...told, ...shared, ...shared];
    const learned = trainKindWords(all, options);
    const shares = all.map(({ features }) => {
      const odds = [...oddsOfKinds(learned, features.vocabulary).values()].map(Math.exp);
      const total = odds.reduce((sum, each) => sum + each, 0);
      return odds.map((each) => each / total);
    });
    for (const [place, kind] of mailKinds.entries()) {
      const expected = shares.reduce((sum, share) => sum + (share[place] ?? 0), 0);
      expect(expected, kind).toBeCloseTo(all.filter((each) => each.kind === kind).length, 1);
    }
  });
});

describe("words that were rated", () => {
  const all = ratings();

  test("each has one rating, in the form in which mail is read", () => {
    const entriesRated = all.map(({ entry }) => entry);
    expect(new Set(entriesRated).size).toBe(entriesRated.length);
    expect(entriesRated.filter((entry) => entry !== fold(entry))).toEqual([]);
    expect(entriesRated.filter((entry) => keysOfEntry(entry).length === 0 || entry.split(" ").length > 2)).toEqual([]);
  });

  test("speak for their own kind most, and for its side", () => {
    const words = ratedWords();
    const [mortgage = -1] = keysOfEntry("mortgage");
    const weights = words.get(mortgage) ?? [];
    const of = (kind: MailKind): number => weights[mailKinds.indexOf(kind)] ?? 0;
    expect(of("advertising")).toBeGreaterThan(of("phishing"));
    expect(of("phishing")).toBeGreaterThan(of("list"));
    expect(of("list")).toBe(0);
  });
});

describe("what ratings tell of a mail", () => {
  const view = {
    subject: "Der Apfelbaum",
    sender: "Anna Holm <anna@holm.example>",
    body: "Der Apfelbaum im Garten braucht einen Schnitt, sagt der Nachbar.",
  };
  const features = featuresOf(view);
  const [key = -1] = keysOfEntry("apfelbaum");
  const nothing = wordsOf({});
  const rated = (kind: MailKind, odds: number): KindWords => wordsOf({ [key]: { [kind]: odds } });

  test("of which kind a wanted mail is, where its signals leave that open", () => {
    const even = new Map([["", 0]]);
    const kinds = { personal: even, list: even, newsletter: even, transactional: even };
    const kindBy = (ratings: KindWords) => kindOf(view, features, { kinds, words: nothing, ratings }, false);
    for (const kind of wantedKinds) expect(kindBy(rated(kind, 3))).toBe(kind);
    expect(kindBy(rated("fraud", 3)), "it is wanted, whatever its words are rated").toBe("personal");
  });

  test("a ground to accuse it, but a weak one", () => {
    const readable = wordsOf(Object.fromEntries([...features.vocabulary.keys].map((each) => [each, {}])));
    const isUnsureBy = (ratings: KindWords) =>
      isUnsure(view, { intercept: 0, signals: new Map(), words: readable, ratings }, features);
    expect(isUnsureBy(nothing)).toBe(true);
    expect(isUnsureBy(rated("fraud", 2))).toBe(true);
    expect(isUnsureBy(rated("fraud", 20))).toBe(false);
    expect(isUnsureBy(rated("list", 20))).toBe(true);
  });
});

describe("a text whose words the weights do not know", () => {
  const model = { intercept: 0, signals: new Map([["broken words", 3]]), words: wordsOf({}), ratings: wordsOf({}) };
  const isUnsureOf = (body: string): boolean => {
    const view = { subject: "Zvanje", sender: "Anna Holm <anna@holm.example>", body };
    const features = featuresOf(view);
    return isUnsure(
      view,
      { ...model, signals: new Map([...features.signals.keys()].map((name) => [name, 3])) },
      features,
    );
  };
  const unknown = "Ndị enyi m hụrụ n'anya, anyị ga-ezukọ echi n'ụtụtụ iji kwurịta ihe banyere ụlọ ahụ";

  test("is judged by nobody where its language is unknown", () => expect(isUnsureOf(unknown)).toBe(true));

  test("is judged where its writer took apart what a filter would know", () => {
    expect(isUnsureOf(`${unknown} mo rtgage`)).toBe(false);
  });
});
