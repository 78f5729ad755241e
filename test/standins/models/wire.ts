import { type HttpAnswer, json } from "../../../infra/standins/loopback-server.ts";
import type { ChatBody, ModelOutput, ServerProfile } from "./profile.ts";

/** What a model says in one answer, thinking included. */
export interface CompleteOutput {
  readonly thinking: string;
  readonly text: string;
  readonly calls: NonNullable<ModelOutput["calls"]>;
  readonly finish: string;
  readonly promptTokens: number;
  readonly outputTokens: number;
}

const head = { id: "chatcmpl-1", created: 0 };

/** The answer at once. */
export function whole(profile: ServerProfile, spoken: CompleteOutput): HttpAnswer {
  const { thinking, text, calls, finish } = spoken;
  const message = {
    role: "assistant",
    content: calls.length > 0 ? null : `${inContent(profile, thinking, text)}${text}`,
    ...beside(profile, thinking),
    ...(calls.length > 0 ? { tool_calls: calls.map(wireCall) } : {}),
  };
  return json(200, {
    ...head,
    object: "chat.completion",
    model: profile.answeredModel,
    choices: [{ index: 0, message, finish_reason: finish }],
    usage: usageOf(spoken),
  });
}

/** The answer in pieces, calls whole as most servers send them. */
export function streamed(profile: ServerProfile, body: ChatBody, spoken: CompleteOutput): HttpAnswer {
  const { thinking, text, calls, finish } = spoken;
  const chunk = (delta: object, reason: string | null = null) => ({
    ...head,
    object: "chat.completion.chunk",
    model: profile.answeredModel,
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  const content = `${inContent(profile, thinking, text)}${text}`;
  const events: object[] = [
    chunk({ role: "assistant", content: "" }),
    ...(thinking === "" ? [] : [chunk(beside(profile, thinking))]),
    ...(content.match(/[\s\S]{1,7}/g) ?? []).map((piece) => chunk({ content: piece })),
    ...calls.map((call, index) => chunk({ tool_calls: [{ index, ...wireCall(call, index) }] })),
    chunk({}, finish),
  ];
  if (body.stream_options?.include_usage) {
    events.push({ ...chunk({}), choices: [], usage: usageOf(spoken) });
  }
  const lines = [...events.map((event) => JSON.stringify(event)), "[DONE]"].map((data) => `data: ${data}\n\n`);
  return {
    status: 200,
    headers: { "content-type": "text/event-stream" },
    body: (profile.streamHead ?? "") + lines.join(""),
  };
}

const wireCall = ({ name, arguments: given }: NonNullable<ModelOutput["calls"]>[number], index: number) => ({
  id: `call_${index}`,
  type: "function",
  function: { name, arguments: given },
});

const usageOf = ({ promptTokens, outputTokens }: CompleteOutput) => ({
  prompt_tokens: promptTokens,
  completion_tokens: outputTokens,
  total_tokens: promptTokens + outputTokens,
});

function inContent(profile: ServerProfile, thinking: string, text: string): string {
  if (thinking === "" || profile.thinkingIn !== "content") return "";
  return text === "" ? `<think>${thinking}` : `<think>${thinking}</think>\n\n`;
}

function beside({ thinkingIn }: ServerProfile, thinking: string): object {
  if (thinking === "" || thinkingIn === "hidden" || thinkingIn === "content") return {};
  return { [thinkingIn]: thinking };
}
