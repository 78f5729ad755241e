import { type HttpAnswer, type HttpRequest, json, serveLoopback } from "../../../infra/standins/loopback-server.ts";
import { type ChatBody, chatBodySchema, type ModelOutput, type ServerProfile } from "./profile.ts";
import { streamed, whole } from "./wire.ts";

export interface ModelServer {
  /** Base URL as OpenAI's clients want it. */
  readonly url: string;
  /** Chat completions asked for so far, refused ones included. */
  readonly requests: readonly ChatBody[];
  close(): Promise<void>;
}

/** Starts a server that takes and refuses requests as its profile does; what its model says is given. */
export async function startModelServer(
  profile: ServerProfile,
  says: (body: ChatBody) => ModelOutput,
  apiKey = "k",
): Promise<ModelServer> {
  const requests: ChatBody[] = [];
  const server = await serveLoopback((request) => answer(request));

  function answer({ method, url, headers, body }: HttpRequest): HttpAnswer {
    const path = url.pathname;
    if (profile.needsKey && headers.authorization !== `Bearer ${apiKey}`) return profile.unauthorised();
    if (method === "GET" && path === `${profile.basePath}/models`) {
      return json(200, { object: "list", data: [{ id: profile.model, object: "model", created: 0, owned_by: "x" }] });
    }
    if (method !== "POST" || path !== `${profile.basePath}/chat/completions`) return profile.unknownPath(path);
    const asked = chatBodySchema.parse(JSON.parse(body.toString("utf8")));
    requests.push(asked);
    const refused = asked.model === profile.model ? profile.refusal(asked) : profile.unknownModel(asked.model);
    if (refused) return refused;
    const said = spoken(profile, asked, says(asked));
    return asked.stream ? streamed(profile, asked, said) : whole(profile, said);
  }

  return { url: `${server.url}${profile.basePath}`, requests, close: () => server.close() };
}

/** What is said within the cap: thinking first, and an answer in the model's own way where nothing holds it. */
function spoken(profile: ServerProfile, body: ChatBody, said: ModelOutput) {
  const caps = profile.caps.flatMap((name) => body[name] ?? []);
  const cap = Math.min(Number.POSITIVE_INFINITY, ...caps);
  const thought = Math.min(profile.thinkingTokens, cap);
  const cutShort = cap <= profile.thinkingTokens;
  const thinking = thought > 0 ? "Hmm, {maybe}. ".repeat(3) : "";
  const held = profile.enforces.includes(body.response_format?.type ?? "");
  const told = /JSON schema/i.test(JSON.stringify(body.messages));
  const text = said.text ?? "";
  const loosely = told ? `Sure! Here it is:\n\n\`\`\`json\n${text}\n\`\`\`` : `In short: ${text.replace(/[{}"]/g, "")}`;
  const isAnswer = said.text !== undefined && text.startsWith("{");
  const content = held || !isAnswer ? text : loosely;
  return {
    thinking,
    text: cutShort ? "" : content,
    calls: cutShort ? [] : (said.calls ?? []),
    finish: cutShort ? "length" : said.calls?.length ? "tool_calls" : "stop",
    promptTokens: Math.ceil(JSON.stringify(body.messages).length / 4),
    outputTokens: thought + Math.ceil(content.length / 4),
  };
}
