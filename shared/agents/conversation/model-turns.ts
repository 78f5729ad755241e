import type { ModelTurn } from "../../llm/tool-model.ts";
import type { Conversation, Turn } from "./conversation.ts";
import { imageResult } from "./image-result.ts";
import { quotation } from "./quote.ts";

/** Set aside for an image in low detail, which is a fixed price; the dearest models take 2,833 (OpenAI, "Images and vision"). */
const imageTokens = 3_000;

/** The prompt of a step: instructions, the list of files right after them, then what was said, oldest first. */
export function modelTurns({ instructions, folder, turns }: Conversation): ModelTurn[] {
  const list: ModelTurn[] = folder ? [{ role: "user", text: quotation(folder, "files") }] : [];
  return [{ role: "system", text: instructions }, ...list, ...withImages(turns)];
}

/** A tool's turn holds text only (OpenAI API reference), so images follow the results of their step. */
function withImages(turns: readonly Turn[]): ModelTurn[] {
  const shown: ModelTurn[] = [];
  let images: ModelTurn[] = [];
  for (const turn of turns) {
    if (turn.role !== "result") {
      shown.push(...images);
      images = [];
    }
    const image = turn.role === "result" ? imageResult(turn.text) : undefined;
    if (turn.role === "result" && image) {
      const { nonce, callId } = turn;
      shown.push({ role: "tool", callId, text: quotation({ nonce, text: image.line }, "tool result, image below") });
      images.push({ role: "user", text: quotation({ nonce, text: image.line }, "image"), image: image.url });
    } else shown.push(modelTurn(turn));
  }
  return [...shown, ...images];
}

function modelTurn(turn: Turn): ModelTurn {
  switch (turn.role) {
    case "person":
      return { role: "user", text: turn.text.toWellFormed() };
    case "model":
      return { role: "assistant", text: turn.text, calls: turn.calls };
    case "result":
      return { role: "tool", callId: turn.callId, text: quotation(turn, "tool result") };
  }
}

/**
 * Tokens a prompt has at most, for setting aside: real texts have more than two bytes a token (JSON 2.2; a Chinese
 * character has three bytes and 0.6 tokens).
 */
export function mostTokens(turns: readonly ModelTurn[]): number {
  return tokensAt(turns, 2);
}

/** Tokens a prompt has about. */
export function expectedTokens(turns: readonly ModelTurn[]): number {
  return tokensAt(turns, 4);
}

function tokensAt(turns: readonly ModelTurn[], bytesPerToken: number): number {
  const images = turns.filter((turn) => turn.role === "user" && turn.image !== undefined).length;
  const words = JSON.stringify(turns, (key, value) => (key === "image" ? undefined : value));
  return Math.ceil(Buffer.byteLength(words) / bytesPerToken) + images * imageTokens;
}
