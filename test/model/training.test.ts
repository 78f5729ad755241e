import { describe, expect, test } from "vitest";
import { featuresOf, hash } from "../../infra/model/triage/features.ts";
import { rawOdds, sigmoid } from "../../infra/model/triage/linear-model.ts";
import { decodeModel } from "../../infra/model/triage/model-file.ts";
import { calibrate } from "../training/calibrate.ts";
import type { LabelledMail } from "../training/corpus.ts";
import { encodeModel } from "../training/encode-model.ts";
import { confusionOf, figuresOf } from "../training/figures.ts";
import { fitLogistic } from "../training/fit/logistic.ts";
import { ratedWords } from "../training/fit/rated-words.ts";
import { leftOutGroups, withoutGroup, withoutLanguage } from "../training/left-out.ts";
import { letters, lettersSource } from "../training/letters.ts";
import { mayTrain } from "../training/licence.ts";
import { madeMail } from "../training/templates.ts";
import { train } from "../training/trainer.ts";
import { examplesOf, type TrainingExample } from "../training/training-set.ts";
import { unwantedMail, wantedMail } from "./messages.ts";

const examples: TrainingExample[] = [...Array(40).keys()].map((number) => {
  const spam = number % 2 === 1;
  const mails = Object.values(spam ? unwantedMail : wantedMail);
  const view = mails[number % mails.length] ?? { subject: "", sender: "", body: "" };
  return {
    id: `m${number}`,
    source: number < 20 ? "first" : "second",
    cluster: `c${number % 10}`,
    spam,
    kind: undefined,
    language: "en",
    shingles: [],
    features: featuresOf(view),
  };
});

describe("logistic regression", () => {
  const row = (value: number) => ({ columns: Int32Array.of(0), values: Float64Array.of(value) });

  test("finds the weights where the gradient of the penalised loss is zero", () => {
    const rows = [row(-2), row(-1), row(1), row(2)];
    const labels = [0, 1, 0, 1];
    const penalty = Float64Array.of(0.5);
    const [weight = 0, intercept = 0] = fitLogistic({
      rows,
      labels,
      weights: [1, 1, 1, 1],
      columnCount: 1,
      penalty,
      priorMean: Float64Array.of(0.3),
    });
    const errors = rows.map(
      ({ values }, index) => sigmoid(weight * (values[0] ?? 0) + intercept) - (labels[index] ?? 0),
    );
    const slope = errors.reduce(
      (sum, error, index) => sum + error * (rows[index]?.values[0] ?? 0),
      0.5 * (weight - 0.3),
    );
    expect(Math.abs(slope)).toBeLessThan(0.01);
    expect(Math.abs(errors.reduce((sum, error) => sum + error, 0))).toBeLessThan(0.01);
  });

  test("a row that counts twice is the row given twice", () => {
    const shape = { columnCount: 1, penalty: Float64Array.of(1), priorMean: Float64Array.of(0) };
    const twice = fitLogistic({ ...shape, rows: [row(1), row(-1)], labels: [1, 0], weights: [2, 1] });
    const repeated = fitLogistic({ ...shape, rows: [row(1), row(1), row(-1)], labels: [1, 1, 0], weights: [1, 1, 1] });
    expect(twice[0]).toBeCloseTo(repeated[0] ?? 0, 6);
  });

  test("a feature never seen keeps its prior", () => {
    const [, unseen] = fitLogistic({
      rows: [row(1), row(-1)],
      labels: [1, 0],
      weights: [1, 1],
      columnCount: 2,
      penalty: Float64Array.of(1, 1),
      priorMean: Float64Array.of(0, 0.7),
    });
    expect(unseen).toBeCloseTo(0.7, 6);
  });
});

describe("training", () => {
  test("the same mail gives the same weights", () => {
    expect(train(examples)).toEqual(train(examples));
  });

  test("what can be named and what the words say are two opinions: neither changes the other", () => {
    const unnamed = examples.map((example) => ({ ...example, features: { ...example.features, signals: new Map() } }));
    const wordless = examples.map((example) => ({
      ...example,
      features: { ...example.features, vocabulary: { keys: new Uint32Array(), values: new Float32Array() } },
    }));
    const whole = train(examples);
    expect(train(unnamed).words).toEqual(whole.words);
    expect(train(wordless).signals).toEqual(whole.signals);
  });

  test("what only one source says is no word to go by, unless it was rated", () => {
    const onlyFirst = examples.map((example) => ({ ...example, source: "first" }));
    const rated = ratedWords();
    expect([...train(onlyFirst).words.rows.keys()].filter((key) => !rated.has(key))).toEqual([]);
    expect([...train(examples).words.rows.keys()].filter((key) => !rated.has(key)).length).toBeGreaterThan(0);
  });

  test("no mail changes what words are rated", () => {
    expect(train(examples.slice(0, 8)).ratings).toEqual(train(examples).ratings);
  });

  test("the file holds the model within its rounding", () => {
    const model = train(examples);
    const file = {
      format: 5,
      kinds: {},
      name: "test",
      arguments: "",
      trainedOn: {},
      figures: {},
      calibration: { slope: 1, offset: 0 },
      ...encodeModel(model),
    };
    const decoded = decodeModel(JSON.parse(JSON.stringify(file))).model;
    for (const { features } of examples) expect(rawOdds(decoded, features)).toBeCloseTo(rawOdds(model, features), 1);
    expect([...decoded.words.rows.keys()].every((key) => model.words.rows.has(key))).toBe(true);
    expect(decoded.ratings.rows.size).toBe(model.ratings.rows.size);
  });

  test("what may not be trained on is known by source", () => {
    for (const source of ["phishing_pot", "nazario", "ccert_zh", "mailman_i18n", "prestashop_mails"]) {
      expect(mayTrain({ source })).toBe(false);
    }
    expect(mayTrain({ source: "spamassassin" })).toBe(true);
  });
});

describe("held-out scores", () => {
  const mail = (id: string, source: string, more: Partial<LabelledMail> = {}): LabelledMail => ({
    id,
    source,
    subset: "",
    cluster: id,
    spam: false,
    kind: "",
    language: "",
    invented: [],
    shingles: [1, 2, 3, 4].map((each) => hash(`${id} ${each}`)),
    view: { subject: "Hello", sender: "Ada <ada@example.org>", body: "a letter" },
    ...more,
  });

  test("a source is judged without itself, without its clusters and without copies of its mail elsewhere", () => {
    const held = [mail("a", "first"), mail("b", "first", { cluster: "shared" })];
    const others = [
      mail("c", "second"),
      mail("d", "second", { cluster: "shared" }),
      mail("e", "second", { shingles: held[0]?.shingles ?? [] }),
    ];
    const left = withoutGroup(held, examplesOf([...held, ...others]));
    expect(left.map(({ id }) => id)).toEqual(["c"]);
  });

  test("a language is judged without what is written in it, and without copies of its mail elsewhere", () => {
    const held = [mail("a", "first", { language: "pl" })];
    const others = [
      mail("b", "second", { language: "pl" }),
      mail("c", "second", { language: "cs" }),
      mail("d", "second", { language: "cs", shingles: held[0]?.shingles ?? [] }),
      mail("e", "first"),
    ];
    const left = withoutLanguage("pl", held, examplesOf([...held, ...others]));
    expect(left.map(({ id }) => id)).toEqual(["c", "e"]);
  });

  test("a letter of the project's own that says what a mail left out says is not learned from", () => {
    const own = letters()
      .filter(({ shingles }) => shingles.length > 10)
      .slice(0, 20);
    const copied = own[7];
    const left = withoutGroup([mail("a", "first", { shingles: copied?.shingles ?? [] })], examplesOf(own));
    expect(left.map(({ id }) => id)).toEqual(own.filter((each) => each !== copied).map(({ id }) => id));
  });

  test("lists are left out together, and what is never trained on is judged by one model that knows all the rest", () => {
    const mails = ["usrp_users", "r_lists", "nazario", "ccert_zh", "enron_spam"].map((source) => mail(source, source));
    expect(leftOutGroups(mails).map(({ held }) => held.map(({ source }) => source))).toEqual([
      ["usrp_users", "r_lists"],
      ["nazario", "ccert_zh"],
      ["enron_spam"],
    ]);
  });

  test("an invented sender or subject is never learned from", () => {
    const sender = "Zebedee Quux <zebedee@invented.example>";
    const view = { subject: "xylophone", sender, body: "a letter" };
    for (const id of ["1", "2", "3", "4", "5", "6"]) {
      const [example] = examplesOf([mail(id, "s", { invented: ["from", "subject"], view })]);
      const nothing = featuresOf({ ...view, subject: "", sender: "" });
      const signals = (features: typeof nothing) =>
        [...features.signals.keys()].filter((name) => !name.startsWith("sender"));
      expect(example?.features.vocabulary).toEqual(nothing.vocabulary);
      expect(example && signals(example.features)).toEqual(signals(nothing));
    }
  });

  test("made-up mail is the same for a seed, of every kind in every language, wanted and unwanted", () => {
    const made = madeMail(2, 7);
    expect(madeMail(2, 7)).toEqual(made);
    for (const language of ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "zh", "ja", "ko"]) {
      const kinds = new Set(made.filter((each) => each.language === language).map(({ kind }) => kind));
      for (const kind of ["phishing", "advertising", "receipt", "notice", "newsletter", "personal"] as const) {
        expect(kinds, language).toContain(kind);
      }
    }
    expect(made.every(({ view }) => !/[{}]/.test(view.subject + view.body))).toBe(true);
  });

  test("the project's letters are whole mails of every kind in a dozen languages, each once", () => {
    const own = letters();
    for (const language of ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "tr", "zh", "ja", "ko"]) {
      expect(new Set(own.filter((each) => each.language === language).map(({ kind }) => kind)).size, language).toBe(7);
    }
    const texts = own.map(({ view }) => view.body);
    expect(new Set(texts).size).toBe(texts.length);
    expect(own.every(({ view }) => view.sender !== "" && view.body !== "")).toBe(true);
    expect(own.every(({ spam, kind }) => spam === ["advertising", "phishing", "fraud"].includes(kind))).toBe(true);
  });

  test("the project's letters count four times as much as a source", () => {
    const total = (source: string) =>
      examplesOf([...Array(2_000).keys()].map((number) => mail(String(number), source))).reduce(
        (sum, { weight = 1 }) => sum + weight,
        0,
      );
    expect(total(lettersSource)).toBeCloseTo(4 * total("another"), 6);
  });

  test("calibration meets the share of spam it is made for", () => {
    const scored = [...Array(400).keys()].map((number) => ({
      score: (number % 40) / 10 - 2,
      spam: number % 40 > 15 + (number % 17),
    }));
    const { slope, offset } = calibrate(scored, scored.filter(({ spam }) => spam).length / scored.length);
    const expected = scored.reduce((sum, { score: value }) => sum + sigmoid(slope * value + offset), 0);
    expect(expected).toBeCloseTo(scored.filter(({ spam }) => spam).length, 3);
    expect(slope).toBeGreaterThan(0);
  });

  test("figures are counted, and nothing is made up where there is nothing to count", () => {
    const decisions = [
      { spam: true, saidSpam: true },
      { spam: true, saidSpam: false },
      { spam: false, saidSpam: true },
      { spam: false, saidSpam: false },
    ];
    expect(figuresOf(confusionOf(decisions))).toEqual({
      mails: 4,
      falsePositives: 1,
      precision: 0.5,
      recall: 0.5,
      f1: 0.5,
    });
    expect(figuresOf(confusionOf([{ spam: false, saidSpam: false }]))).toMatchObject({
      precision: null,
      recall: null,
      f1: null,
    });
  });
});
