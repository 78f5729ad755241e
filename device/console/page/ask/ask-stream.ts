import type { AskLine } from "../../ask/contract.ts";
import { answerForeign, answerOf, deviceAway, tabHeaders } from "../app/api.ts";

/** A line is an answer's text at most, escaped; a longer one is none of the device's. */
const longestLine = 4_000_000;

export interface Question {
  readonly text: string;
  readonly projectId?: string | undefined;
  /** The answer it goes on from. */
  readonly follows?: string | undefined;
  /** What goes along. */
  readonly attachments?: readonly string[] | undefined;
}

/** Asks, and calls back for each line of the answer. @throws ApiError, also when the stream ends before the answer does */
export async function ask(question: Question, signal: AbortSignal, onLine: (line: AskLine) => void): Promise<void> {
  const answer = await sent(question, signal);
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = (await reader?.read().catch(ended(signal))) ?? { done: true, value: undefined };
    if (signal.aborted) return;
    if (done || value === undefined || rest.length > longestLine) throw deviceAway();
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const each of lines) {
      const line = lineIn(each);
      onLine(line);
      if (line.type === "end" || line.type === "failed") return;
    }
  }
}

function lineIn(text: string): AskLine {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw error instanceof SyntaxError ? answerForeign() : error;
  }
}

async function sent(question: Question, signal: AbortSignal): Promise<Response> {
  const asked = fetch("/api/ask", {
    method: "POST",
    headers: { ...tabHeaders(), "content-type": "application/json" },
    body: JSON.stringify(question),
    signal,
  });
  const answer = await asked.catch(() => {
    throw deviceAway();
  });
  if (!answer.ok) await answerOf(Promise.resolve(answer));
  return answer;
}

/** A stream that is cut has no end; one that was left is wanted no more. */
const ended = (signal: AbortSignal) => (): never | undefined => {
  if (signal.aborted) return undefined;
  throw deviceAway();
};
