import { type HttpAnswer, json } from "../loopback-server.ts";

/** What is to be said: text, or a refusal. */
export interface Completion {
  readonly id: string;
  readonly model: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly text: string;
  readonly refused: boolean;
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number; readonly total_tokens: number };
}

const pieceCharacters = 24;

/** The whole completion at once (`chat.completion`). */
export function wholeAnswer({ id, model, created, text, refused, usage }: Completion): HttpAnswer {
  const message = { role: "assistant", content: refused ? null : text, refusal: refused ? text : null };
  return json(200, {
    id,
    object: "chat.completion",
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
    usage,
  });
}

/** The completion as server-sent events (`chat.completion.chunk`), the last one `[DONE]`. */
export function streamedAnswer(completion: Completion, includeUsage: boolean): HttpAnswer {
  const { id, model, created, text, refused, usage } = completion;
  const head = { id, object: "chat.completion.chunk", created, model };
  const event = (delta: object, finish: string | null): object => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(includeUsage ? { usage: null } : {}),
  });
  const events = [event({ role: "assistant", content: refused ? null : "", refusal: null }, null)];
  const letters = [...text];
  for (let start = 0; start < letters.length; start += pieceCharacters) {
    const piece = letters.slice(start, start + pieceCharacters).join("");
    events.push(event(refused ? { refusal: piece } : { content: piece }, null));
  }
  events.push(event({}, "stop"));
  if (includeUsage) events.push({ ...head, choices: [], usage });
  const body = [...events.map((each) => JSON.stringify(each)), "[DONE]"].map((data) => `data: ${data}\n\n`).join("");
  return { status: 200, headers: { "content-type": "text/event-stream", "cache-control": "no-cache" }, body };
}
