import { ScoutsError } from "../../../events/errors.ts";
import { ModelRefusal } from "./model-refusal.ts";

/** Our longest answer is a merged file of 16,000 tokens, with as many of thinking beside it. */
const maxAnswerBytes = 2 * 1024 * 1024;
/** A streamed token takes about 300 bytes of JSON. */
const maxStreamBytes = 16 * 1024 * 1024;
const maxRefusalBytes = 64 * 1024;

/**
 * `fetch` for what a model's server may answer: never more bytes than an answer can have, no redirect (the key would
 * go along), and JSON or a stream of events only.
 *
 * @throws ModelRefusal for what is no success; ScoutsError model_not_an_api, model_unavailable (half an answer),
 * model_answer_invalid (too large); what `fetch` throws
 */
export function boundedFetch(fetchImplementation: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await fetchImplementation(input, { ...init, redirect: "manual" });
    const { status, headers } = response;
    if (status >= 300 && status < 400) {
      await response.body?.cancel();
      throw new ScoutsError("model_not_an_api", { data: { status } });
    }
    if (!response.ok) throw new ModelRefusal(status, headers, (await readText(response, maxRefusalBytes)).text);
    if (/event-stream/i.test(headers.get("content-type") ?? "") && response.body) {
      return new Response(response.body.pipeThrough(limited(maxStreamBytes)), { status, headers });
    }
    const { text, whole } = await readText(response, maxAnswerBytes, opensObject);
    const answer = whole ? objectOf(text, status, headers) : tooLarge(text, status);
    // A server that does not stream answers whole, whatever it was asked for.
    const streamed = typeof init?.body === "string" && init.body.includes('"stream":true');
    if (!streamed) return new Response(text, { status, headers: { "content-type": "application/json" } });
    return new Response(asEvents(answer), { status, headers: { "content-type": "text/event-stream" } });
  };
}

/** An answer and a list of models are JSON objects; one server's list (Together's) is a bare array. */
const opensObject = (text: string): boolean => /^[\uFEFF\s]*(?:[[{]|$)/.test(text);

function tooLarge(text: string, status: number): never {
  throw new ScoutsError(opensObject(text) ? "model_answer_invalid" : "model_not_an_api", { data: { status } });
}

function objectOf(text: string, status: number, headers: Headers): object {
  if (!opensObject(text) || text.trim() === "") throw new ScoutsError("model_not_an_api", { data: { status } });
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (error) {
    // It began as JSON and ended too early: the connection was closed in the middle.
    throw new ScoutsError("model_unavailable", { data: { status }, cause: error });
  }
  if (typeof answer !== "object" || answer === null) throw new ScoutsError("model_not_an_api", { data: { status } });
  if ("error" in answer && answer.error) throw new ModelRefusal(status, headers, text);
  return answer;
}

/** Reads up to a bound, and no further than its beginning when that is not what is wanted. */
async function readText(
  response: Response,
  maxBytes: number,
  begins: (text: string) => boolean = () => true,
): Promise<{ readonly text: string; readonly whole: boolean }> {
  if (!response.body) return { text: "", whole: true };
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    text += decoder.decode(chunk, { stream: true });
    // Leaving the loop cancels the rest.
    if (bytes > maxBytes || !begins(text)) return { text, whole: false };
  }
  return { text: text + decoder.decode(), whole: true };
}

function limited(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) controller.error(new ScoutsError("model_answer_invalid"));
      else controller.enqueue(chunk);
    },
  });
}

/** A whole completion as the one event of a stream. */
function asEvents(answer: object): string {
  const choices = "choices" in answer && Array.isArray(answer.choices) ? answer.choices : undefined;
  if (!choices) throw new ScoutsError("model_not_an_api");
  const [choice] = choices;
  const delta = { ...choice?.message };
  if (Array.isArray(delta.tool_calls)) {
    delta.tool_calls = delta.tool_calls.map((call: object, index: number) => ({ ...call, index }));
  }
  const told = choice ? [{ index: 0, delta, finish_reason: choice.finish_reason ?? "stop" }] : [];
  return `data: ${JSON.stringify({ ...answer, choices: told })}\n\ndata: [DONE]\n\n`;
}
