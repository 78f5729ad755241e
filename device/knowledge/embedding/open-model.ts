import type { EmbeddingModel } from "../../../shared/llm/embedding-model.ts";
import type { EmbeddingSetting } from "./embedding-setting.ts";

/** The model of a setting; what asks it is loaded only where one is set. */
export async function openEmbeddingModel({ baseUrl, model, key }: EmbeddingSetting): Promise<EmbeddingModel> {
  const { OpenAiEmbeddings } = await import("../../../shared/llm/openai-embeddings.ts");
  return new OpenAiEmbeddings({ baseUrl, model, apiKey: key ?? "none" });
}
