import { describe, expect, test } from "vitest";
import { featuresOf } from "../../infra/model/triage/features.ts";
import { score, sigmoid } from "../../infra/model/triage/linear-model.ts";
import { decodeModel } from "../../infra/model/triage/model-file.ts";
import { calibrate } from "../training/calibrate.ts";
import { encodeModel } from "../training/encode-model.ts";
import { confusionOf, figuresOf } from "../training/figures.ts";
import { crossValidate, type GroupedExample, leaveOneSourceOut } from "../training/folds.ts";
import { mayTrain } from "../training/licence.ts";
import { fitLogistic } from "../training/logistic.ts";
import { type Example, train } from "../training/trainer.ts";
import { unwantedMail, wantedMail } from "./messages.ts";

const examples: GroupedExample[] = [...Array(40).keys()].map((number) => {
  const spam = number % 2 === 1;
  const mails = Object.values(spam ? unwantedMail : wantedMail);
  const view = mails[number % mails.length] ?? { subject: "", sender: "", body: "" };
  return { source: number < 20 ? "first" : "second", cluster: `c${number % 10}`, spam, features: featuresOf(view) };
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

  test("the file holds the model within its rounding", () => {
    const model = train(examples);
    const file = {
      format: 1,
      name: "test",
      arguments: "",
      trainedOn: {},
      figures: {},
      calibration: { slope: 1, offset: 0 },
      ...encodeModel(model),
    };
    const decoded = decodeModel(JSON.parse(JSON.stringify(file))).model;
    for (const { features } of examples) expect(score(decoded, features)).toBeCloseTo(score(model, features), 1);
    expect([...decoded.vocabulary.keys()].every((key) => model.vocabulary.has(key))).toBe(true);
  });

  test("what may not be trained on is known by source", () => {
    expect(mayTrain({ source: "phishing_pot" })).toBe(false);
    expect(mayTrain({ source: "spamassassin" })).toBe(true);
  });
});

describe("held-out scores", () => {
  test("no cluster is on both sides, nothing refused is trained on, everything is scored once", () => {
    const seen: Set<Example>[] = [];
    const held = crossValidate(examples, {
      folds: 4,
      seed: 1,
      mayTrain: ({ source }) => source === "first",
      learn: (training) => {
        seen.push(new Set(training));
        return train(training);
      },
    });
    expect(held.length).toBe(examples.length);
    expect(new Set(held.map(({ example }) => example))).toEqual(new Set(examples));
    for (const training of seen) {
      const clusters = new Set(examples.filter((example) => training.has(example)).map(({ cluster }) => cluster));
      const left = examples.filter((example) => example.source === "first" && !training.has(example));
      expect(left.some(({ cluster }) => clusters.has(cluster))).toBe(false);
      expect([...training].every(({ source }) => source === "first")).toBe(true);
    }
  });

  test("a source is scored without itself and without its near-duplicates elsewhere", () => {
    const trainings: Example[][] = [];
    leaveOneSourceOut(
      examples.map((example, index) => ({
        ...example,
        cluster: index === 25 ? "c3" : `own ${index}`,
        ...(index === 3 ? { cluster: "c3" } : {}),
      })),
      {
        minSpam: 1,
        learn: (training) => {
          trainings.push([...training]);
          return train(training);
        },
      },
    );
    expect(trainings.map((training) => training.length)).toEqual([19, 19]);
    expect(trainings.map((training) => new Set(training.map(({ source }) => source)))).toEqual([
      new Set(["second"]),
      new Set(["first"]),
    ]);
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
