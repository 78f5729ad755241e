import { describe, expect, test } from "vitest";
import { ScoutsError } from "../../../events/errors.ts";
import { shippedClassifier } from "../../../infra/model/triage/shipped.ts";
import { opinionOf } from "../../../infra/model/triage/verdict.ts";
import type { MailView } from "../../../infra/model/triage/view.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import { decides, type FirstJudge, type FirstOpinion, sureness } from "../../../shared/scouts/triage/cascade.ts";
import { askForVerdict, spamThreshold, type TriagePorts } from "../../../shared/scouts/triage/triage.ts";
import { promptOf, unwantedMail, wantedMail } from "../../model/messages.ts";
import { ada, inbox, nowMs, ref } from "./setting.ts";

const hidden: FirstOpinion = {
  model: "first-1",
  verdict: { verdict: "spam", reason: "Sells.", reasonCode: "marketing", confidence: 0.996 },
  spamProbability: 0.996,
  isUnderstood: true,
  purposeOdds: 0,
};
const shown: FirstOpinion = {
  ...hidden,
  verdict: { verdict: "relevant", reason: "Asks.", reasonCode: "personal", confidence: 0.97 },
  spamProbability: 0.03,
};

describe("what the first judge is sure of", () => {
  test("either way there is a threshold of its own, and to hide takes more than a verdict needs to count", () => {
    expect(sureness.hideFrom).toBeGreaterThan(spamThreshold);
    expect([hidden, shown].map((each) => decides(each))).toEqual([true, true]);
    expect(decides({ ...hidden, spamProbability: 0.994 })).toBe(false);
    expect(decides({ ...shown, spamProbability: 0.101 })).toBe(false);
    expect(decides(hidden, { hideFrom: 0.997, showUpTo: 0.5 })).toBe(false);
    expect(decides(shown, { hideFrom: 0.5, showUpTo: 0.02 })).toBe(false);
  });

  test("it decides nothing about a mail it cannot read, however it scores", () => {
    expect(decides({ ...hidden, isUnderstood: false })).toBe(false);
    expect(decides({ ...shown, isUnderstood: false })).toBe(false);
  });

  test.each(["phishing", "scam", "malware", "account_or_security"] as const)(
    "%s has a genuine or a forged twin: the language model judges it, whichever way it looks",
    (reasonCode) => {
      expect(decides({ ...hidden, verdict: { ...hidden.verdict, reasonCode } })).toBe(false);
      expect(decides({ ...shown, verdict: { ...shown.verdict, reasonCode } })).toBe(false);
    },
  );

  test("where the scout's purpose speaks against it, it is not sure", () => {
    expect(decides({ ...hidden, purposeOdds: -0.6 })).toBe(false);
    expect(decides({ ...shown, purposeOdds: 0.6 })).toBe(false);
    expect(decides({ ...hidden, purposeOdds: 0.6 })).toBe(true);
    expect(decides({ ...shown, purposeOdds: -0.6 })).toBe(true);
  });
});

describe("the built-in model as first judge", () => {
  const classifier = shippedClassifier();
  const decided = (view: MailView | undefined) => view !== undefined && decides(opinionOf(classifier, promptOf(view)));
  const { pills } = unwantedMail;
  const letter = wantedMail["German, personal"];

  test("it hides plain advertising, shows a plain letter and leaves a forged notice to the model", () => {
    expect(decided(pills)).toBe(true);
    expect(decided(letter)).toBe(true);
    expect(decided(unwantedMail["an account about to be lost"])).toBe(false);
  });

  test("without a sender, a subject or a language it knows, the model judges", () => {
    for (const view of [pills, letter]) {
      if (!view) throw new Error("the messages have changed");
      expect(decided({ ...view, sender: "" })).toBe(false);
      expect(decided({ ...view, subject: "" })).toBe(false);
      expect(decided({ ...view, subject: "ਸਤ ਸ੍ਰੀ ਅਕਾਲ", body: "ਤੁਹਾਡਾ ਦਿਨ ਵਧੀਆ ਰਹੇ ਅਤੇ ਜਲਦੀ ਮਿਲਦੇ ਹਾਂ" })).toBe(false);
    }
  });
});

describe("asking for a verdict", () => {
  const scout = {
    row: { userId: ada, scoutId: inbox, sourceType: "inbox", createdAt: nowMs, revision: 0 },
    profile: new Transient({ name: "n", purpose: "p" }),
  } as unknown as Parameters<typeof askForVerdict>[1];
  const content = {
    ref: ref("a"),
    subject: new Transient("Subject"),
    sender: new Transient({ name: "Ada", address: "ada@example.com" }),
    text: new Transient("Text"),
  } as unknown as Parameters<typeof askForVerdict>[2];

  function portsWith(opinion: FirstOpinion | undefined, fails = false) {
    const prompts: string[] = [];
    const model: TriagePorts["model"] = {
      async complete({ schema, user }) {
        prompts.push(user.reveal());
        if (fails) throw new ScoutsError("model_refused");
        const verdict = { verdict: "relevant", reason: "", reasonCode: "other", confidence: 0.9 };
        return {
          value: new Transient(schema.parse(verdict)),
          usage: { inputTokens: 100, outputTokens: 10 },
          model: "m",
        };
      },
    };
    const first: FirstJudge | undefined = opinion && { judge: async () => new Transient(opinion) };
    return { prompts, ports: { model, clock: () => nowMs, ...(first && { first }) } };
  }

  test("what is decided first costs no token, and names who decided", async () => {
    const { prompts, ports } = portsWith(hidden);
    const { verdict, answer, prompt } = await askForVerdict(ports, scout, content, 1_000);
    expect(verdict.reveal()).toEqual(hidden.verdict);
    expect(answer).toEqual({ usage: { inputTokens: 0, outputTokens: 0 }, model: "first-1" });
    expect([prompt, prompts]).toEqual(["none", []]);
  });

  test.each([
    ["it is not sure", { ...hidden, spamProbability: 0.9 }],
    ["the home has none", undefined],
  ])("the model is asked as ever where %s", async (_, opinion) => {
    const { prompts, ports } = portsWith(opinion);
    const { answer, prompt } = await askForVerdict(ports, scout, content, 1_000);
    expect(answer).toEqual({ usage: { inputTokens: 100, outputTokens: 10 }, model: "m" });
    expect(prompt).toMatch(/^scout-triage-system@/);
    expect(prompts).toHaveLength(1);
  });

  test("a model that fails is no reason to go by an opinion that was not sure", async () => {
    const { ports } = portsWith({ ...hidden, spamProbability: 0.97 }, true);
    await expect(askForVerdict(ports, scout, content, 1_000)).rejects.toMatchObject({ code: "model_refused" });
  });
});
