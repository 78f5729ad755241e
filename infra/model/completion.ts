import { type HttpAnswer, json } from "../standins/loopback-server.ts";

/** A tool call, its arguments as JSON. */
export interface CompletionCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** What is to be said: text, calls, or a refusal. */
export interface Completion {
  readonly id: string;
  readonly model: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly text: string;
  readonly refused: boolean;
  readonly calls: readonly CompletionCall[];
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number; readonly total_tokens: number };
}

const pieceCharacters = 24;

/** The whole completion at once (`chat.completion`). */
export function wholeAnswer({ id, model, created, text, refused, calls, usage }: Completion): HttpAnswer {
  const content = refused || calls.length > 0 ? null : text;
  const asked = calls.length > 0 ? { tool_calls: calls.map(wireCall) } : {};
  const message = { role: "assistant", content, refusal: refused ? text : null, ...asked };
  return json(200, {
    id,
    object: "chat.completion",
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(calls) }],
    usage,
  });
}

/** The completion as server-sent events (`chat.completion.chunk`), the last one `[DONE]`. */
export function streamedAnswer(completion: Completion, includeUsage: boolean): HttpAnswer {
  const { id, model, created, text, refused, calls, usage } = completion;
  const head = { id, object: "chat.completion.chunk", created, model };
  const event = (delta: object, finish: string | null): object => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(includeUsage ? { usage: null } : {}),
  });
  const events = [event({ role: "assistant", content: refused || calls.length > 0 ? null : "", refusal: null }, null)];
  for (const [index, call] of calls.entries()) {
    const { id, type, function: named } = wireCall(call);
    events.push(event({ tool_calls: [{ index, id, type, function: { name: named.name, arguments: "" } }] }, null));
    for (let start = 0; start < named.arguments.length; start += pieceCharacters) {
      const piece = named.arguments.slice(start, start + pieceCharacters);
      events.push(event({ tool_calls: [{ index, function: { arguments: piece } }] }, null));
    }
  }
  const letters = [...text];
  for (let start = 0; start < letters.length; start += pieceCharacters) {
    const piece = letters.slice(start, start + pieceCharacters).join("");
    events.push(event(refused ? { refusal: piece } : { content: piece }, null));
  }
  events.push(event({}, finishOf(calls)));
  if (includeUsage) events.push({ ...head, choices: [], usage });
  const body = [...events.map((each) => JSON.stringify(each)), "[DONE]"].map((data) => `data: ${data}\n\n`).join("");
  return { status: 200, headers: { "content-type": "text/event-stream", "cache-control": "no-cache" }, body };
}

function wireCall({ id, name, arguments: given }: CompletionCall) {
  return { id, type: "function", function: { name, arguments: given } };
}

function finishOf(calls: readonly CompletionCall[]): string {
  return calls.length > 0 ? "tool_calls" : "stop";
}
