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

/** A server whose client declares how it can ask; `answer` is what it answers, as it goes over the wire. */
async function connected(
  elicitation: NonNullable<ClientCapabilities["elicitation"]>,
  answer: { readonly result: unknown } | { readonly error: unknown },
) {
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
    else void here.send(JSON.parse(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...answer })));
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
  const approver = await connected(elicitation, { result: { action: "accept", content: { approve: true } } });

  expect(approver.canAsk()).toBe(can);
  expect(await approver.approve(question)).toBe(can ? true : undefined);
});

test.each([
  { action: "decline" },
  { action: "cancel" },
  { action: "accept" },
  { action: "accept", content: { approve: false } },
])("what a person sends without a clear yes is a no: %j", async (answer) => {
  const approver = await connected({}, { result: answer });
  expect(await approver.approve(question)).toBe(false);
});

test.each([
  { result: { action: "accept", content: { approve: "true" } } },
  { result: { action: "perhaps" } },
  { result: { approve: true } },
  { result: {} },
  { error: { code: -32601, message: "no such method" } },
  { error: { code: -32603, message: "the window could not be opened" } },
])("a client that fails to ask has answered nothing, neither yes nor no: %j", async (answer) => {
  const approver = await connected({}, answer);
  expect(await approver.approve(question)).toBeUndefined();
});
