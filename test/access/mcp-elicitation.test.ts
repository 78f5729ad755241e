import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { type ClientCapabilities, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, onTestFinished, test } from "vitest";
import { elicitationApprover } from "../../device/access/mcp/elicitation-approver.ts";

test.each<[NonNullable<ClientCapabilities["elicitation"]>, boolean]>([
  [{}, true],
  [{ form: {} }, true],
  [{ form: {}, url: {} }, true],
  [{ url: {} }, false],
])("a client that declares elicitation %j can be asked by a form: %s", async (elicitation, can) => {
  const server = new Server({ name: "scouts", version: "1" }, { capabilities: {} });
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { approve: true } }));
  const [here, there] = InMemoryTransport.createLinkedPair();
  await server.connect(there);
  await client.connect(here);
  onTestFinished(() => client.close());
  const approver = elicitationApprover(() => server);
  const question = { kind: "write", why: "rule", action: "write a.md", paths: ["a.md"], reason: "a rule" } as const;

  expect(approver.canAsk()).toBe(can);
  expect(await approver.approve({ ...question, tool: "write_file", caller: "mcp:test/1" })).toBe(can);
});
