import { type AgentName, maxRunSteps, type RunStatus } from "../../../events/frames/agents.ts";
import { type RunRow, tokensOf } from "./run-row.ts";

/** What a run may take at most. */
export interface RunCaps {
  /** Steps: model calls, and the first hop. */
  readonly steps: number;
  /** Input and output of all its model calls. */
  readonly tokens: number;
  /** Time of workers; waiting for the device is not counted, it ends with the session. */
  readonly workMs: number;
  /** In millionths of a dollar. */
  readonly microUsd: number;
}

export const runCaps: RunCaps = { steps: maxRunSteps, tokens: 120_000, workMs: 10 * 60_000, microUsd: 250_000 };

/** Nobody looks on, and there are many of them: an item is read, a few things are looked up, and that is all. */
const categorizeCaps: RunCaps = { steps: 6, tokens: 30_000, workMs: 4 * 60_000, microUsd: 30_000 };

/** The caps of an agent, within those of every run. */
export function capsOf(agent: AgentName, caps: RunCaps): RunCaps {
  if (agent !== "categorize") return caps;
  return {
    steps: Math.min(caps.steps, categorizeCaps.steps),
    tokens: Math.min(caps.tokens, categorizeCaps.tokens),
    workMs: Math.min(caps.workMs, categorizeCaps.workMs),
    microUsd: Math.min(caps.microUsd, categorizeCaps.microUsd),
  };
}

/** Millionths of a dollar a token: the same number as dollars a million. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
}

/** @param text dollars for a million tokens, input and output: `0.15/0.60` */
export function parsePrices(text: string): TokenPrices {
  const [input = 0, output = 0] = text.split("/").map(Number);
  return { input, output };
}

/**
 * Why the run may not take another step, if so.
 *
 * @param expectedTokens of the next model call's prompt
 */
export function capReached(
  row: RunRow,
  caps: RunCaps,
  prices: TokenPrices,
  expectedTokens: number,
): Extract<RunStatus, "step_limit" | "token_limit" | "time_limit" | "cost_limit"> | undefined {
  if (row.step >= caps.steps) return "step_limit";
  if (tokensOf(row) + expectedTokens > caps.tokens) return "token_limit";
  if (row.workMs >= caps.workMs) return "time_limit";
  const cost = row.inputTokens * prices.input + row.outputTokens * prices.output;
  return cost + expectedTokens * prices.input > caps.microUsd ? "cost_limit" : undefined;
}
