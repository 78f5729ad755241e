import type { ModelServer } from "../../infra/model/server.ts";
import { builtInModelName, startModel } from "../../infra/model/server.ts";
import { builtInTasks } from "../../infra/model/tasks.ts";
import { loadClassifier } from "../../infra/model/triage/classifier.ts";
import type { ChatModel } from "../../shared/llm/chat-model.ts";
import { OpenAiModel } from "../../shared/llm/openai-model.ts";
import { EvaluationError } from "./evaluation-error.ts";

const openAiBaseUrl = "https://api.openai.com/v1";
const defaultModel = "gpt-4o-mini";

/** The model an evaluation asks, over HTTP like the product. */
export interface ModelUnderTest {
  readonly name: string;
  readonly builtIn: boolean;
  readonly chat: ChatModel;
  close(): Promise<void>;
}

/** The model the environment names (`OPENAI_API_KEY`, `OPENAI_BASE_URL`, `OPENAI_MODEL`), else the built-in one. */
export async function openModel(environment: NodeJS.ProcessEnv = process.env): Promise<ModelUnderTest> {
  const apiKey = environment["OPENAI_API_KEY"]?.trim() ?? "";
  const baseUrl = environment["OPENAI_BASE_URL"]?.trim() ?? "";
  const model = environment["OPENAI_MODEL"]?.trim() ?? "";
  if (apiKey === "" && baseUrl === "") return openBuiltIn();
  if (baseUrl !== "" && model === "") {
    throw new EvaluationError(
      "OPENAI_BASE_URL is set: name its model in OPENAI_MODEL, for example OPENAI_MODEL=llama3.1.",
    );
  }
  const name = model || defaultModel;
  const chat = new OpenAiModel({ apiKey: apiKey || "none", baseUrl: baseUrl || openAiBaseUrl, model: name });
  return { name, builtIn: false, chat, close: async () => {} };
}

async function openBuiltIn(): Promise<ModelUnderTest> {
  const apiKey = "eval";
  const server: ModelServer = await startModel({ apiKey, tasks: builtInTasks(loadClassifier()) });
  const chat = new OpenAiModel({ apiKey, baseUrl: server.url, model: builtInModelName });
  return { name: builtInModelName, builtIn: true, chat, close: () => server.close() };
}
