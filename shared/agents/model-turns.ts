import type { ModelTurn } from "../ports/tool-model.ts";
import type { Conversation, Turn } from "./conversation.ts";
import { quotation } from "./quote.ts";

/** The prompt of a step: instructions, the list of files right after them, then what was said, oldest first. */
export function modelTurns({ instructions, folder, turns }: Conversation): ModelTurn[] {
  const list: ModelTurn[] = folder ? [{ role: "user", text: quotation(folder, "files") }] : [];
  return [{ role: "system", text: instructions }, ...list, ...turns.map(modelTurn)];
}

function modelTurn(turn: Turn): ModelTurn {
  switch (turn.role) {
    case "person":
      return { role: "user", text: turn.text };
    case "model":
      return { role: "assistant", text: turn.text, calls: turn.calls };
    case "result":
      return { role: "tool", callId: turn.callId, text: quotation(turn, "tool result") };
  }
}

/**
 * Tokens a prompt has at most, for setting aside: real texts have more than two bytes a token (JSON 2.2, Chinese 1.9 a
 * character of three bytes).
 */
export function mostTokens(turns: readonly ModelTurn[]): number {
  return Math.ceil(bytesOf(turns) / 2);
}

/** Tokens a prompt has about. */
export function expectedTokens(turns: readonly ModelTurn[]): number {
  return Math.ceil(bytesOf(turns) / 4);
}

function bytesOf(turns: readonly ModelTurn[]): number {
  return Buffer.byteLength(JSON.stringify(turns));
}
