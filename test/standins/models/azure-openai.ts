import { json } from "../../../infra/standins/loopback-server.ts";
import { openAi } from "./openai.ts";
import { openAiError, type ServerProfile } from "./profile.ts";

/**
 * Azure OpenAI, its v1 API: what is asked for is a deployment's name.
 *
 * - Path, key: learn.microsoft.com, "Azure OpenAI in Microsoft Foundry Models v1 API", with OpenAI's own client.
 * - Schema keywords refused: learn.microsoft.com, "Structured outputs", unsupported type-specific keywords.
 * - Content filter: learn.microsoft.com, "Content filtering"; a stream begins with a piece that holds its findings on
 *   the prompt, and no choice.
 */
export const azureOpenAi: ServerProfile = {
  ...openAi,
  name: "Azure OpenAI",
  basePath: "/openai/v1",
  model: "triage-deployment",
  answeredModel: "gpt-4o-mini-2024-07-18",
  unauthorised: () =>
    json(401, {
      error: {
        code: "401",
        message:
          "Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.",
      },
    }),
  unknownModel: () =>
    json(404, {
      error: {
        code: "DeploymentNotFound",
        message:
          "The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again.",
      },
    }),
  unknownPath: () => json(404, { error: { code: "404", message: "Resource not found" } }),
  refusal: (body) => (/bomb/.test(JSON.stringify(body.messages)) ? filtered : openAi.refusal(body)),
  streamHead: `data: ${JSON.stringify({ id: "", object: "", created: 0, model: "", choices: [], prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] })}\n\n`,
};

const filtered = json(400, {
  error: {
    ...JSON.parse(
      String(
        openAiError(
          400,
          "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
        ).body,
      ),
    ).error,
    type: null,
    param: "prompt",
    code: "content_filter",
    status: 400,
    innererror: {
      code: "ResponsibleAIPolicyViolation",
      content_filter_result: { violence: { filtered: true, severity: "medium" } },
    },
  },
});
