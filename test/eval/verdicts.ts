import { ScoutsError } from "../../events/errors.ts";
import { type Verdict, verdictSchema } from "../../events/proposals/verdict.ts";
import type { MailView } from "../../infra/model/triage/view.ts";
import type { ChatModel } from "../../shared/llm/chat-model.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { triagePrompt } from "../../shared/scouts/triage/triage-prompt.ts";
import { operatingPoint } from "../training/figures.ts";
import { progress } from "./progress.ts";

/** A model's answer about a mail, or the code of its failure to answer. */
export interface Judgement {
  readonly verdict?: Verdict;
  readonly failure?: string;
  /** As the worker acts: spam only at or above the operating point; no answer is no spam. */
  readonly saidSpam: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

const profile = new Transient({ name: "Inbox", purpose: "Show me what I should read or act on." });
const maxOutputTokens = 200;
const timeoutMs = 60_000;

/** The data ends before; that the same day is told each time makes answers comparable. */
const nowMs = Date.UTC(2026, 10, 22);

/** The pipeline's own prompt for a mail. */
export function promptFor(view: MailView): ReturnType<typeof triagePrompt> {
  const item = {
    subject: new Transient(view.subject),
    sender: new Transient({ name: view.sender, address: "" }),
    text: new Transient(view.body),
    ...(view.traits === undefined ? {} : { traits: view.traits }),
  };
  return triagePrompt("gmail", profile, item, nowMs);
}

/** Asks the model about one mail, with the pipeline's own prompt and schema. */
export async function judge(chat: ChatModel, view: MailView): Promise<Judgement> {
  try {
    const answer = await chat.complete({
      ...promptFor(view),
      schema: verdictSchema,
      schemaName: "triage_verdict",
      maxOutputTokens,
      timeoutMs,
    });
    const verdict = answer.value.reveal();
    return { verdict, saidSpam: verdict.verdict === "spam" && verdict.confidence >= operatingPoint, ...answer.usage };
  } catch (error) {
    if (!(error instanceof ScoutsError)) throw error;
    return { failure: error.code, saidSpam: false, inputTokens: 0, outputTokens: 0 };
  }
}

/** Judges many mails, some at a time, in order of the input. */
export async function judgeAll(
  chat: ChatModel,
  views: readonly MailView[],
  options: { concurrency: number; label: string },
): Promise<Judgement[]> {
  const judgements: Judgement[] = [];
  const step = progress(options.label, views.length);
  let next = 0;
  async function worker(): Promise<void> {
    for (let index = next++; index < views.length; index = next++) {
      const view = views[index];
      if (view) judgements[index] = await judge(chat, view);
      step();
    }
  }
  await Promise.all(Array.from({ length: options.concurrency }, worker));
  return judgements;
}
