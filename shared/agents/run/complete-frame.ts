import type { RunStatus } from "../../../events/frames/agents.ts";
import type { RunComplete } from "../step/outbox.ts";
import type { RunRow } from "./run-row.ts";

/** The longest answer in characters: a frame has room for it. */
export const maxAnswerCharacters = 24_000;

/** How a run ended, as its device is told. */
export function completeFrame(
  { runId, status, code, tokens, toolCalls, prompt }: Ended,
  text: string,
): { readonly kind: "frame"; readonly frame: RunComplete } {
  const frame: RunComplete = {
    type: "run_complete",
    runId,
    status,
    text: text.slice(0, maxAnswerCharacters).toWellFormed(),
    tokensUsed: tokens,
    toolCalls,
    prompt: prompt ?? null,
    ...(code === undefined ? {} : { code }),
  };
  return { kind: "frame", frame };
}

interface Ended extends Pick<RunRow, "runId" | "code" | "toolCalls" | "prompt"> {
  readonly status: RunStatus;
  readonly tokens: number;
}
