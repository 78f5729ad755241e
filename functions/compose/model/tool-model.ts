import { OpenAiToolModel } from "../../../shared/llm/openai-tool-model.ts";
import { linked, setting } from "../../environment.ts";
import { once } from "../../once.ts";

export const toolModel = once(
  () =>
    new OpenAiToolModel({
      apiKey: linked("ModelApiKey").value,
      baseUrl: setting("OPENAI_BASE_URL"),
      model: setting("OPENAI_MODEL"),
    }),
);
