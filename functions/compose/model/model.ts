import { OpenAiModel } from "../../../shared/llm/openai-model.ts";
import { linked, setting } from "../../environment.ts";
import { once } from "../../once.ts";

export const model = once(
  () =>
    new OpenAiModel({
      apiKey: linked("ModelApiKey").value,
      baseUrl: setting("OPENAI_BASE_URL"),
      model: setting("OPENAI_MODEL"),
    }),
);
