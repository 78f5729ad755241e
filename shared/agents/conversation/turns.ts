import type { Exchanges } from "../../../events/frames/agents.ts";
import type { Prompt } from "../../llm/prompt.ts";
import { promptLabel } from "../../llm/prompt.ts";
import { head, headWithNote, shownCharacters } from "../../llm/shown-text.ts";
import type { SessionSealer } from "../../privacy/session-sealer.ts";
import { attachmentsAction } from "./agents.ts";
import type { Call, Conversation, Turn } from "./conversation.ts";
import { quote } from "./quote.ts";

/** The conversation as the person begins it, or goes on with it: what was said before comes first, the newest of it. */
export function begun(prompt: Prompt, message: string, earlier: Exchanges = []): Conversation {
  const turns: Turn[] = [...turnsOf(earlier), { role: "person", text: head(message, shownCharacters.question) }];
  return {
    v: 1,
    prompt: promptLabel(prompt),
    instructions: prompt.text,
    folder: null,
    turns,
    open: [],
    firstHop: false,
  };
}

function turnsOf(earlier: Exchanges): Turn[] {
  const turns: Turn[] = [];
  let left: number = shownCharacters.earlier;
  for (const { question, answer } of earlier.toReversed()) {
    const [asked, said] = [head(question, left), head(answer, left)];
    left -= asked.length + said.length;
    if (left < 0) break;
    turns.unshift({ role: "person", text: asked }, { role: "model", text: said, calls: [] });
  }
  return turns;
}

export interface Answered {
  readonly callId: string;
  readonly text: string;
  readonly error?: string;
}

/** The conversation while the device is asked what a run begins with: a list of files, if any, comes first of it. */
export function withFirstHops(before: Conversation, open: readonly Call[]): Conversation {
  if (open[0]?.name !== attachmentsAction) return { ...before, open: [...open], firstHop: true };
  const turns: Turn[] = [...before.turns, { role: "model", text: "", calls: [...open] }];
  return { ...before, turns, open: [...open] };
}

/**
 * The conversation with what the device answered. Every open call has its result, if only that there is none; what was
 * never asked is left out.
 */
export function withResults(sealer: SessionSealer, before: Conversation, answers: readonly Answered[]): Conversation {
  const byCall = new Map(answers.map((answer) => [answer.callId, answer]));
  const results = before.open.map((call) => resultOf(sealer, call, byCall.get(call.callId)));
  const [first, ...more] = results;
  if (before.firstHop && first) {
    const [, ...calls] = before.open;
    const found: Turn[] = more.length === 0 ? [] : [{ role: "model", text: "", calls }, ...more];
    const folder = { nonce: first.nonce, text: first.text };
    return { ...before, folder, turns: [...before.turns, ...found], open: [], firstHop: false };
  }
  return { ...before, turns: [...before.turns, ...results], open: [] };
}

/** A call that is answered here and not by the device. */
export function refusal(sealer: SessionSealer, callId: Call["callId"], text: string): Turn {
  return { role: "result", callId, ...quote(sealer, callId, text) };
}

function resultOf(sealer: SessionSealer, { callId, name }: Call, answer: Answered | undefined) {
  const text = answer ? shown(answer) : "The device gave no answer to this call.";
  return { role: "result" as const, callId, ...quote(sealer, name, text) };
}

function shown({ text, error }: Answered): string {
  const whole = error === undefined ? text : `${error}: ${text}`;
  return headWithNote(whole, shownCharacters.toolResult);
}
