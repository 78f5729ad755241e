import { expect, test } from "vitest";
import { textTokens } from "../../../infra/model/token-count.ts";
import { agentTools } from "../../../shared/agents/conversation/tools.ts";

test("15: what a model is told of its tools is short, as every step of a question pays for it", () => {
  const tools = agentTools("home");
  expect(tools.length).toBeGreaterThan(10);
  const tokens = textTokens(JSON.stringify(tools));
  expect(tokens).toBeLessThan(2_600);
  expect(JSON.stringify(tools)).not.toMatch(/"(?:\$schema|pattern|maxLength)":(?!\{)/);
});
