import type { AnsweredCall } from "../../agent/answer-calls.ts";
import type { AskedAgent } from "../../agent/ask-agent.ts";
import type { AgentEvents } from "../../agent/run-agent.ts";
import type { TextChange } from "../../agent/streamed-text.ts";
import type { Clock } from "../../connection/clock.ts";
import type { Charge } from "../../usage/price.ts";
import { failureOf } from "../failure.ts";
import { toldIfAny } from "../told.ts";
import type { AskLine, AskStep } from "./contract.ts";

/** A tab is shown so much of an answer, in UTF-16 code units; who writes more is not answering. */
export const shownOfAnswer = 200_000;
/** A stream that is silent for longer is a dead one. */
const beatMs = 15_000;
const longestAbout = 500;
const mostPlaces = 50;

export interface AnswerParts {
  /** Asks, and tells what happens meanwhile. */
  readonly run: (events: Partial<AgentEvents>) => Promise<AskedAgent>;
  /** What tokens come to. */
  readonly charge: (tokens: number) => Charge | null;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Hears of what nobody expected; a tab is told only that it happened. */
  readonly onProblem: (error: unknown) => void;
}

/**
 * What a tab hears of one answer, as it comes. What a slow reader has not taken yet is put together, so that it holds no more
 * than the answer itself.
 */
export async function* answerLines({ run, charge, clock, signal, onProblem }: AnswerParts): AsyncGenerator<AskLine> {
  const lines = new Waiting();
  const ended = run({
    text: (change) => lines.addText(change),
    answered: (call) => lines.add({ type: "step", step: stepOf(call) }),
    connection: (state) => lines.add({ type: "connection", state }),
  }).then(
    (result) => lines.end({ type: "end", end: endOf(result, charge(result.tokensUsed), lines.isCut) }),
    (error: unknown) => {
      const { status, body } = failureOf(error);
      if (status === 500) onProblem(error);
      lines.end({ type: "failed", error: body.error });
    },
  );
  try {
    while (!signal.aborted) {
      yield* lines.take();
      // The last may have come while the others were read.
      if (lines.isOver && lines.isEmpty) return;
      const isNews = await newsOrBeat(lines, clock, signal);
      if (!isNews && !signal.aborted) yield { type: "beat" };
    }
  } finally {
    // Whoever closes the device waits for what still runs.
    await ended;
  }
}

/** Lines that nobody has read yet. */
class Waiting {
  #lines: AskLine[] = [];
  #news = Promise.withResolvers<void>();
  #length = 0;
  isCut = false;
  isOver = false;

  add(line: AskLine): void {
    this.#lines.push(line);
    this.#wake();
  }

  addText({ kind, text: given }: TextChange): void {
    if (kind === "replace") {
      this.#length = 0;
      this.isCut = false;
    }
    const text = given.slice(0, shownOfAnswer - this.#length);
    if (text.length < given.length) this.isCut = true;
    this.#length += text.length;
    if (text === "" && kind === "append") return;
    const last = this.#lines.at(-1);
    if (last?.type === "text" && kind === "append") {
      this.#lines[this.#lines.length - 1] = { ...last, text: last.text + text };
    } else this.#lines.push({ type: "text", kind, text });
    this.#wake();
  }

  end(line: AskLine): void {
    this.isOver = true;
    this.add(line);
  }

  take(): AskLine[] {
    return this.#lines.splice(0);
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  news(): Promise<void> {
    return this.#news.promise;
  }

  #wake(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}

async function newsOrBeat(lines: Waiting, clock: Clock, signal: AbortSignal): Promise<boolean> {
  if (!lines.isEmpty) return true;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const cancel = clock.after(beatMs, () => resolve(false));
  const onAbort = () => resolve(false);
  signal.addEventListener("abort", onAbort, { once: true });
  void lines.news().then(() => resolve(true));
  try {
    return await promise;
  } finally {
    cancel();
    signal.removeEventListener("abort", onAbort);
  }
}

/** What a call was about, by the arguments that the actions have (events/agent-tools/actions.ts); a model may send anything in them. */
export function stepOf({ action, data, error, places }: AnsweredCall): AskStep {
  const textIn = (...names: readonly string[]) =>
    names.map((name) => data[name]).find((each) => typeof each === "string");
  const lineIn = (name: string) => {
    const value = data[name];
    return typeof value === "number" && Number.isSafeInteger(value) ? value : null;
  };
  return {
    action: action.slice(0, longestAbout).toWellFormed(),
    about: (textIn("relative_path", "path", "query", "pattern", "id") ?? "").slice(0, longestAbout).toWellFormed(),
    fromLine: lineIn("startLine"),
    toLine: lineIn("endLine"),
    error: error ?? null,
    places: places.slice(0, mostPlaces),
  };
}

const endOf = (
  { status, code, tokensUsed, answerId, evidence, attachments, notAllRead }: AskedAgent,
  charge: Charge | null,
  isCut: boolean,
) => ({
  status,
  why: toldIfAny(code ?? null),
  tokens: tokensUsed,
  charge,
  answerId,
  evidence,
  attachments,
  notAllRead,
  isCut,
});
