import { createHash, timingSafeEqual } from "node:crypto";
import { type HttpAnswer, type HttpRequest, json, serveLoopback } from "../standins/loopback-server.ts";
import { nextTurn } from "./agent/next-turn.ts";
import { apiError, badRequest } from "./api-error.ts";
import { type ChatRequestBody, chatRequestSchema, imagesOf, textOf } from "./chat-request.ts";
import { type Completion, type CompletionCall, streamedAnswer, wholeAnswer } from "./completion.ts";
import { faultSource, type ModelFault, type ModelFaults } from "./faults.ts";
import { RateLimit } from "./rate-limit.ts";
import { builtInTasks, freeAnswer, type TaskTable } from "./tasks.ts";
import { promptTokens, textTokens } from "./token-count.ts";

/** What the built-in model calls itself in its answers. */
export const builtInModelName = "scouts-builtin-13";

/** An image of 5 MB as a data URL, and the text about it. */
const maxBodyBytes = 8 * 1024 * 1024;
const defaultSlowMs = 5_000;

export interface ModelOptions {
  /** 0 (default) takes any free port. */
  readonly port?: number;
  /** What a request must bring as `Authorization: Bearer …`. */
  readonly apiKey: string;
  /** Further names it answers to; default the model the product asks for by default. */
  readonly aliases?: readonly string[];
  /** Drawn at random, but for the seed; read at each request. */
  readonly faults?: ModelFaults;
  /** Requests beyond it are answered 429 with `Retry-After`. */
  readonly requestsPerMinute?: number;
  /** The jobs it knows, by schema name. */
  readonly tasks?: TaskTable;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

export interface ModelServer {
  /** Base URL as OpenAI's clients want it: `http://127.0.0.1:<port>/v1`. */
  readonly url: string;
  /** Chat completions asked for so far, faulty ones included. */
  requests(): number;
  close(): Promise<void>;
}

/**
 * Starts the built-in model behind OpenAI's HTTP interface (`POST /v1/chat/completions`, `GET /v1/models`).
 *
 * An answer depends on the request only. Throws `port_taken` when the port is.
 */
export async function startModel(options: ModelOptions): Promise<ModelServer> {
  const { apiKey, aliases = ["gpt-4o-mini"], faults = {}, tasks = builtInTasks(), clock = Date.now } = options;
  const nextFault = faultSource(faults);
  const limit = new RateLimit(options.requestsPerMinute ?? Number.POSITIVE_INFINITY, clock);
  const names = [builtInModelName, ...aliases];
  let requestCount = 0;

  function handle(request: HttpRequest): HttpAnswer {
    const route = `${request.method} ${request.url.pathname}`;
    if (!authorised(request.headers.authorization, apiKey)) {
      const message = "Incorrect API key provided.";
      return apiError(401, { message, type: "invalid_request_error", code: "invalid_api_key" });
    }
    if (route === "GET /v1/models") {
      const data = names.map((id) => ({ id, object: "model", created: 0, owned_by: "scouts" }));
      return json(200, { object: "list", data });
    }
    if (route === "POST /v1/chat/completions") return complete(request.body);
    const message = `Unknown request URL: ${route}.`;
    return apiError(404, { message, type: "invalid_request_error", code: "unknown_url" });
  }

  function complete(body: Buffer): HttpAnswer {
    requestCount += 1;
    const waitSeconds = limit.take();
    if (waitSeconds > 0) return rateLimited(waitSeconds);
    const request = chatRequestSchema.safeParse(parseJson(body));
    if (!request.success) {
      const issue = request.error.issues[0];
      return badRequest(issue?.message ?? "The body is no JSON object.", issue?.path.join(".") || undefined);
    }
    if (!names.includes(request.data.model)) {
      const message = `The model '${request.data.model}' does not exist here. There is: ${names.join(", ")}.`;
      return apiError(404, { message, type: "invalid_request_error", code: "model_not_found" });
    }
    const fault = nextFault();
    if (fault === "error500") return apiError(500, { message: "The server had an error.", type: "server_error" });
    if (fault === "error429") return rateLimited(faults.retryAfterSeconds ?? 1);
    const said = answerOf(request.data, tasks);
    if (said === undefined) {
      const message = `The built-in model has no such job; it knows: ${[...tasks.keys()].join(", ")}.`;
      return badRequest(message, "response_format.json_schema.name", "unknown_schema");
    }
    const completion = completionOf(request.data, faulty(said, fault), fault === "refusal", requestCount, clock());
    const answer = request.data.stream
      ? streamedAnswer(completion, request.data.stream_options?.include_usage === true)
      : wholeAnswer(completion);
    return fault === "slow" ? { ...answer, delayMs: faults.slowMs ?? defaultSlowMs } : answer;
  }

  const server = await serveLoopback(handle, {
    maxBodyBytes,
    ...(options.port === undefined ? {} : { port: options.port }),
  });
  return { url: `${server.url}/v1`, requests: () => requestCount, close: () => server.close() };
}

/** Words, or tools to call. */
interface ModelOutput {
  readonly text: string;
  readonly calls: readonly Omit<CompletionCall, "id">[];
}

/** The answer, or undefined when the schema names a job nobody has taught the model. */
function answerOf(request: ChatRequestBody, tasks: TaskTable): ModelOutput | undefined {
  if (request.tools && request.tools.length > 0) return inConversation(request);
  const text = answerText(request, tasks);
  return text === undefined ? undefined : { text, calls: [] };
}

function inConversation(request: ChatRequestBody): ModelOutput {
  const turn = nextTurn(request);
  if ("text" in turn) return { text: turn.text, calls: [] };
  return {
    text: "",
    calls: turn.calls.map(({ name, arguments: given }) => ({ name, arguments: JSON.stringify(given) })),
  };
}

function answerText(request: ChatRequestBody, tasks: TaskTable): string | undefined {
  const asked = request.messages.filter(({ role }) => role === "user");
  const prompt = asked.map(textOf).join("\n");
  const format = request.response_format;
  if (format?.type !== "json_schema" || !("json_schema" in format)) return freeAnswer(prompt);
  const task = tasks.get(format.json_schema.name);
  return task && JSON.stringify(task(prompt, asked.flatMap(imagesOf)));
}

function faulty({ text, calls }: ModelOutput, fault: ModelFault): ModelOutput {
  if (fault === "refusal") return { text: "I'm sorry, I cannot assist with that request.", calls: [] };
  if (fault !== "invalidJson") return { text, calls };
  const half = (whole: string) => whole.slice(0, whole.length >> 1);
  return { text: half(text), calls: calls.map((call) => ({ ...call, arguments: half(call.arguments) })) };
}

function completionOf(
  request: ChatRequestBody,
  { text, calls }: ModelOutput,
  refused: boolean,
  number: number,
  nowMs: number,
): Completion {
  const tools = request.tools ? [JSON.stringify(request.tools)] : [];
  const called = request.messages.flatMap(({ tool_calls: made }) => (made ? [JSON.stringify(made)] : []));
  const prompt = promptTokens({
    instructions: [...request.messages.filter(({ role }) => role === "system").map(textOf), ...tools],
    texts: [...request.messages.filter(({ role }) => role !== "system").map(textOf), ...called],
    imageCount: request.messages.flatMap(imagesOf).length,
  });
  const answer = textTokens(text + calls.map((call) => call.name + call.arguments).join(""));
  return {
    id: `chatcmpl-${String(number).padStart(8, "0")}`,
    model: builtInModelName,
    created: Math.floor(nowMs / 1000),
    text,
    refused,
    calls: calls.map((call, index) => ({ ...call, id: `call_${String(number).padStart(8, "0")}${index}` })),
    usage: { prompt_tokens: prompt, completion_tokens: answer, total_tokens: prompt + answer },
  };
}

function rateLimited(waitSeconds: number): HttpAnswer {
  const message = `Rate limit reached. Please try again in ${waitSeconds}s.`;
  const headers = { "retry-after": String(waitSeconds) };
  return apiError(429, { message, type: "requests", code: "rate_limit_exceeded" }, headers);
}

function authorised(header: string | undefined, apiKey: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(header ?? ""), digest(`Bearer ${apiKey}`));
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    // No JSON: the request is refused as such.
    return undefined;
  }
}
