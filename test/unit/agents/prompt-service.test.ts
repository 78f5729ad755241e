import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { LangfusePrompts } from "../../../shared/llm/langfuse-prompts.ts";
import { agentHome } from "../../../shared/llm/prompts/agent-home.ts";
import { nowMs } from "../scouts/setting.ts";

async function service(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const asked: IncomingMessage[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    request.on("data", (chunk: Buffer) => bodies.push(chunk.toString()));
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const clock = { nowMs };
  const options = { url: `http://127.0.0.1:${port}`, publicKey: "pk", secretKey: "sk" };
  return { prompts: new LangfusePrompts(options, () => clock.nowMs), asked, bodies, clock };
}

const says = (response: ServerResponse, body: unknown, status = 200) => {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
};
const override = { name: agentHome.name, type: "text", version: 7, prompt: "Answer in verse.", labels: ["production"] };

test("a prompt of the service replaces ours, with its version; it is asked by name, and told nothing else", async () => {
  const { prompts, asked, bodies } = await service((_, response) => says(response, override));
  expect(await prompts.current(agentHome)).toEqual({
    name: "agent-home",
    version: "langfuse-7",
    text: "Answer in verse.",
  });
  expect(asked.map(({ method, url }) => [method, url])).toEqual([["GET", "/api/public/v2/prompts/agent-home"]]);
  expect(asked[0]?.headers.authorization).toBe(`Basic ${Buffer.from("pk:sk").toString("base64")}`);
  expect(bodies).toEqual([]);
});

test("it is asked again after five minutes, by one request however many ask", async () => {
  const { prompts, asked, clock } = await service((_, response) => says(response, override));
  await Promise.all([prompts.current(agentHome), prompts.current(agentHome)]);
  await prompts.current(agentHome);
  expect(asked).toHaveLength(1);
  clock.nowMs += 5 * 60_000;
  await prompts.current(agentHome);
  expect(asked).toHaveLength(2);
});

test.each([
  ["has no such prompt", (_: IncomingMessage, response: ServerResponse) => says(response, {}, 404)],
  ["fails", (_: IncomingMessage, response: ServerResponse) => says(response, {}, 500)],
  ["answers nonsense", (_: IncomingMessage, response: ServerResponse) => response.end("<html>")],
  [
    "has a chat prompt",
    (_: IncomingMessage, response: ServerResponse) => says(response, { ...override, type: "chat" }),
  ],
  [
    "sends elsewhere",
    (_: IncomingMessage, response: ServerResponse) => response.writeHead(302, { location: "/x" }).end(),
  ],
  ["hangs up", (request: IncomingMessage) => request.socket.destroy()],
  ["does not answer", () => {}],
])("the prompt of the code is used when the service %s", async (_, answer) => {
  const { prompts, asked } = await service(answer);
  expect(await prompts.current(agentHome)).toBe(agentHome);
  expect(await prompts.current(agentHome)).toBe(agentHome);
  expect(asked).toHaveLength(1);
});
