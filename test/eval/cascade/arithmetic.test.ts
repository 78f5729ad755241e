import { describe, expect, test } from "vitest";
import { sureness } from "../../../shared/scouts/triage/cascade.ts";
import { unwantedMail, wantedMail } from "../../model/messages.ts";
import { casesOf } from "./cases.ts";
import { measureCascade } from "./measure.ts";
import { errorBound, scriptedModel } from "./scripted-model.ts";

/** The messages of the tests, with 1 to 20 of their lines each under another subject. */
const mails = [
  ...Object.values(unwantedMail).map((view) => ({ view, spam: true })),
  ...Object.values(wantedMail).map((view) => ({ view, spam: false })),
].flatMap(({ view, spam }) =>
  Array.from({ length: 20 }, (_, index) => ({
    view: { ...view, subject: `${view.subject} ${index}`, body: view.body.slice(0, 60 + index * 40) },
    spam,
  })),
);
const cases = casesOf(mails);
const tokens = 700;

describe("the arithmetic of a cascade", () => {
  test.each([
    [0, 1],
    [0.03, 1],
    [0.1, 2],
    [0.37, 3],
    [1, 4],
  ])("at every threshold a model wrong about %d of mails (seed %d) does as worked out", async (error, seed) => {
    const chat = scriptedModel(cases, { error, tokens, seed });
    for (const hideFrom of [0.7, 0.9, 0.98, 0.999, 2]) {
      for (const showUpTo of [-1, 0.01, 0.05, 0.3]) {
        const figures = await measureCascade(cases, chat, { hideFrom, showUpTo }, { error, tokens });
        expect(figures.tokens).toBe(figures.predicted.tokens);
        expect(Math.abs(figures.wrong - figures.predicted.wrong)).toBeLessThan(errorBound);
      }
    }
  });

  test("with a model that is never wrong only what was decided first can be, and it saves what it decides", async () => {
    const known = { error: 0, tokens };
    const chat = scriptedModel(cases, { ...known, seed: 1 });
    const figures = await measureCascade(cases, chat, sureness, known);
    expect(figures.decided).toBeGreaterThan(0);
    expect(figures.wrong).toBe(figures.decidedWrong);
    expect(figures.tokens).toBe((cases.length - figures.decided) * tokens);
  });
});
