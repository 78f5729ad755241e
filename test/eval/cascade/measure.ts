import type { ChatModel } from "../../../shared/llm/chat-model.ts";
import { decides, type Sureness } from "../../../shared/scouts/triage/cascade.ts";
import { type Interval, wilson } from "../intervals.ts";
import { judge } from "../verdicts.ts";
import type { Case } from "./cases.ts";

/** A cascade at one pair of thresholds, as it came out and as the arithmetic has it. */
export interface CascadeFigures {
  readonly mails: number;
  /** Decided by the built-in model, and how many of them wrongly. */
  readonly decided: number;
  readonly decidedWrong: number;
  readonly decided95: Interval | null;
  /** Wrong in all, of them wanted mails hidden. */
  readonly wrong: number;
  readonly wantedHidden: number;
  readonly wrong95: Interval | null;
  readonly tokens: number;
  /** `decidedWrong + asked × error` and `asked × tokens`. */
  readonly predicted: { readonly wrong: number; readonly tokens: number };
}

/** Takes all mails through a cascade. `error` and `tokens` are what is known of the model. */
export async function measureCascade(
  cases: readonly Case[],
  chat: ChatModel,
  sureness: Sureness,
  known: { readonly error: number; readonly tokens: number },
): Promise<CascadeFigures> {
  let [decided, decidedWrong, wrong, wantedHidden, tokens] = [0, 0, 0, 0, 0];
  for (const { view, spam, opinion } of cases) {
    const isFirst = decides(opinion, sureness);
    const answer = isFirst ? undefined : await judge(chat, view);
    const saidSpam = answer ? answer.saidSpam : opinion.verdict.verdict === "spam";
    if (answer) tokens += answer.inputTokens + answer.outputTokens;
    if (isFirst) decided += 1;
    if (saidSpam === spam) continue;
    wrong += 1;
    if (isFirst) decidedWrong += 1;
    if (saidSpam) wantedHidden += 1;
  }
  const mails = cases.length;
  const asked = mails - decided;
  return {
    ...{ mails, decided, decidedWrong, wrong, wantedHidden, tokens },
    decided95: wilson(decided, mails),
    wrong95: wilson(wrong, mails),
    predicted: { wrong: decidedWrong + asked * known.error, tokens: asked * known.tokens },
  };
}
