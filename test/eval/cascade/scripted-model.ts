import { itemBlock } from "../../../infra/model/triage/prompt.ts";
import { seededRandom } from "../../../infra/standins/seeded-random.ts";
import type { ChatModel } from "../../../shared/llm/chat-model.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import { decides } from "../../../shared/scouts/triage/cascade.ts";
import type { Case } from "./cases.ts";

/** Its errors among any mails that a cascade leaves to it differ from its share of error by fewer than so many. */
export const errorBound = 3;

/**
 * A model that is wrong about a known share of mails and bills the same for each.
 *
 * Which mails it is wrong about is drawn so that the share holds for whatever thresholds leave to it: mails never decided first,
 * mails that might be hidden and mails that might be shown are each put in order, the least sure first, and of each order every
 * so many-th is wrong, from a place the seed gives (systematic sampling). What thresholds leave is a beginning of each of the
 * three, and of a beginning of m mails with a share e fewer than 1 more or less than m × e are wrong.
 */
export function scriptedModel(
  cases: readonly Case[],
  { error, tokens, seed }: { readonly error: number; readonly tokens: number; readonly seed: number },
): ChatModel {
  const random = seededRandom(seed);
  const spamSaid = new Map<string, boolean>();
  for (const chain of chainsOf(cases)) {
    const start = random();
    for (const [at, { block, spam }] of chain.entries()) {
      const isWrong = Math.floor((at + 1) * error + start) > Math.floor(at * error + start);
      spamSaid.set(block, spam !== isWrong);
    }
  }
  return {
    async complete({ schema, user }) {
      const said = spamSaid.get(itemBlock(user.reveal()));
      if (said === undefined) throw new Error("The scripted model was asked about a mail it does not know.");
      const verdict = said
        ? { verdict: "spam", reason: "", reasonCode: "marketing", confidence: 0.99 }
        : { verdict: "relevant", reason: "", reasonCode: "personal", confidence: 0.99 };
      const usage = { inputTokens: tokens, outputTokens: 0 };
      return { value: new Transient(schema.parse(verdict)), usage, model: "scripted" };
    },
  };
}

function chainsOf(cases: readonly Case[]): Case[][] {
  const sure = (each: Case): boolean => decides(each.opinion, { hideFrom: 0, showUpTo: 1 });
  const hides = (each: Case): boolean => each.opinion.verdict.verdict === "spam";
  const byProbability = (one: Case, other: Case): number => one.opinion.spamProbability - other.opinion.spamProbability;
  const mayBe = cases.filter(sure);
  return [
    cases.filter((each) => !sure(each)),
    mayBe.filter(hides).sort(byProbability),
    mayBe.filter((each) => !hides(each)).sort((one, other) => byProbability(other, one)),
  ];
}
