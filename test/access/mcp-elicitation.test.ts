import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { type ClientCapabilities, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, onTestFinished, test } from "vitest";
import { elicitationApprover } from "../../device/access/mcp/elicitation-approver.ts";

const question = {
  ...({ kind: "write", why: "rule", action: "write a.md", paths: ["a.md"], reason: "a rule" } as const),
  ...{ tool: "write_file", caller: "mcp:test/1" },
};

/** A server whose client declares how it can ask; `answer` is what its person is made to say, as it goes over the wire. */
async function connected(elicitation: NonNullable<ClientCapabilities["elicitation"]>, answer: unknown) {
  const server = new Server({ name: "scouts", version: "1" }, { capabilities: {} });
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: {} }));
  const [here, there] = InMemoryTransport.createLinkedPair();
  await server.connect(there);
  await client.connect(here);
  // The SDK's client would refuse to send what a careless one does.
  const receive = here.onmessage;
  here.onmessage = (message, extra) => {
    if (!("method" in message && message.method === "elicitation/create" && "id" in message)) receive?.(message, extra);
    else void here.send(JSON.parse(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: answer })));
  };
  onTestFinished(() => client.close());
  return elicitationApprover(() => server);
}

test.each<[NonNullable<ClientCapabilities["elicitation"]>, boolean]>([
  [{}, true],
  [{ form: {} }, true],
  [{ form: {}, url: {} }, true],
  [{ url: {} }, false],
])("a client that declares elicitation %j can be asked by a form: %s", async (elicitation, can) => {
  const approver = await connected(elicitation, { action: "accept", content: { approve: true } });

  expect(approver.canAsk()).toBe(can);
  expect(await approver.approve(question)).toBe(can);
});

test.each([
  { action: "decline" },
  { action: "cancel" },
  { action: "accept" },
  { action: "accept", content: { approve: false } },
  { action: "accept", content: { approve: "true" } },
  { action: "perhaps" },
  { approve: true },
  {},
])("anything but a clear yes is a no: %j", async (answer) => {
  const approver = await connected({}, answer);
  expect(await approver.approve(question)).toBe(false);
});
