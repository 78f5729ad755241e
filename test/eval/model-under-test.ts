import type { ModelServer } from "../../infra/model/server.ts";
import { builtInModelName, startModel } from "../../infra/model/server.ts";
import type { ChatModel } from "../../shared/llm/chat-model.ts";
import { OpenAiModel } from "../../shared/llm/openai-model.ts";
import { OpenAiToolModel } from "../../shared/llm/openai-tool-model.ts";
import type { ToolModel } from "../../shared/llm/tool-model.ts";
import { EvaluationError } from "./evaluation-error.ts";

const openAiBaseUrl = "https://api.openai.com/v1";
const defaultModel = "gpt-4o-mini";

/** The model an evaluation asks, over HTTP like the product. */
export interface ModelUnderTest {
  readonly name: string;
  readonly builtIn: boolean;
  readonly chat: ChatModel;
  /** The same in a conversation with tools. */
  readonly conversing: ToolModel;
  close(): Promise<void>;
}

/**
 * The model the environment names (`OPENAI_API_KEY`, `OPENAI_BASE_URL`, `OPENAI_MODEL`), else the built-in one.
 *
 * @param named another model of the same server, or the built-in one
 */
export async function openModel(environment: NodeJS.ProcessEnv = process.env, named?: string): Promise<ModelUnderTest> {
  if (named === builtInModelName) return openBuiltIn();
  const apiKey = environment["OPENAI_API_KEY"]?.trim() ?? "";
  const baseUrl = environment["OPENAI_BASE_URL"]?.trim() ?? "";
  const model = named ?? environment["OPENAI_MODEL"]?.trim() ?? "";
  if (apiKey === "" && baseUrl === "") {
    if (named === undefined) return openBuiltIn();
    throw new EvaluationError(`To ask ${named}, set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own.`);
  }
  if (baseUrl !== "" && model === "") {
    throw new EvaluationError(
      "OPENAI_BASE_URL is set: name its model in OPENAI_MODEL, for example OPENAI_MODEL=llama3.1.",
    );
  }
  const name = model || defaultModel;
  const options = { apiKey: apiKey || "none", baseUrl: baseUrl || openAiBaseUrl, model: name };
  const close = async () => {};
  return { name, builtIn: false, chat: new OpenAiModel(options), conversing: new OpenAiToolModel(options), close };
}

async function openBuiltIn(): Promise<ModelUnderTest> {
  const apiKey = "eval";
  const server: ModelServer = await startModel({ apiKey });
  const options = { apiKey, baseUrl: server.url, model: builtInModelName };
  const models = { chat: new OpenAiModel(options), conversing: new OpenAiToolModel(options) };
  return { name: builtInModelName, builtIn: true, ...models, close: () => server.close() };
}
