import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { createMcpServer } from "../../device/access/mcp/server.ts";
import { openProject } from "../../device/access/open-project.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { ManualClock } from "../device/manual-clock.ts";
import { temporaryFolder } from "./setting.ts";

const answered = z.object({
  id: z.number(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.looseObject({ code: z.string() }) }).optional(),
});

/** A client that sends whatever it is told to, as the SDK's would not. `roots`: what it answers when it is asked for them. */
async function careless({ roots, rootGiven = true }: { readonly roots?: object; readonly rootGiven?: boolean } = {}) {
  const root = temporaryFolder();
  writeFileSync(join(root, "README.md"), "# Example\n");
  const dataFolder = temporaryFolder();
  const { server, close } = await createMcpServer({
    version: "1",
    backend: "cloud",
    root: rootGiven ? { folder: root, name: undefined } : undefined,
    fallbackRoot: root,
    requireServable: () => undefined,
    further: [],
    withMail: false,
    clock: new ManualClock(),
    open: (folder) =>
      openProject({ ...systemTimeAndIds, root: folder, dataFolder, approver: { approve: async () => false } }),
  });
  const [here, there] = InMemoryTransport.createLinkedPair();
  const waiting = new Map<number, (answer: z.infer<typeof answered>) => void>();
  const send = (message: object) => here.send(JSON.parse(JSON.stringify({ jsonrpc: "2.0", ...message })));
  here.onmessage = (message: JSONRPCMessage) => {
    if ("method" in message) {
      if ("id" in message) void send({ id: message.id, ...roots });
      return;
    }
    const answer = answered.parse(message);
    waiting.get(answer.id)?.(answer);
  };
  let last = 0;
  const ask = async (method: string, params?: unknown) => {
    const { promise, resolve } = Promise.withResolvers<z.infer<typeof answered>>();
    waiting.set(++last, resolve);
    await send({ id: last, method, params });
    return promise;
  };
  await server.connect(there);
  await here.start();
  onTestFinished(close);
  await ask("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: roots === undefined ? {} : { roots: {} },
    clientInfo: { name: "careless", version: "1" },
  });
  return { ask, root };
}

test.each([
  ["tools/call", { name: "list_files", arguments: null }, "arguments: it must be an object."],
  ["tools/call", { name: "list_files", arguments: [1] }, "arguments: it must be an object."],
  ["tools/call", {}, "name: it is missing."],
  ["tools/call", undefined, "name: it is missing."],
  ["tools/list", { cursor: 7 }, "cursor: it must be a text."],
  ["resources/list", { cursor: 7 }, "cursor: it must be a text."],
  ["resources/list", { cursor: "abc" }, "cursor: it must be the nextCursor of an earlier answer"],
  ["resources/list", { cursor: "7" }, "cursor: it must be the nextCursor of an earlier answer"],
  ["resources/templates/list", { cursor: 7 }, "cursor: it must be a text."],
  ["resources/read", {}, "uri: it is missing."],
])("%s with %j is answered as the protocol says, in plain words", async (method, params, words) => {
  const { ask } = await careless();

  const { error } = await ask(method, params);

  expect(error).toMatchObject({ code: -32602, data: { code: "invalid_arguments" } });
  expect(error?.message).toContain(`The parameters of ${method} are not as the protocol has them. ${words}`);
});

test.each([
  ["an address of the web", { result: { roots: [{ uri: "https://example.com/a" }] } }, '"https://example.com/a"'],
  ["a folder of another machine", { result: { roots: [{ uri: "file://otherhost/a" }] } }, '"file://otherhost/a"'],
  ["a path that cannot be one", { result: { roots: [{ uri: "file:///a%2Fb" }] } }, '"file:///a%2Fb"'],
  ["what is no address", { result: { roots: [{ uri: "a folder" }] } }, '"a folder"'],
  ["an error", { error: { code: -32603, message: "no window" } }, "no window"],
  ["an answer of another form", { result: {} }, "cannot say which roots it has"],
])("a client that names %s as its root is told what is wrong and what to do", async (_, roots, words) => {
  const { ask } = await careless({ roots, rootGiven: false });

  for (const [method, params] of [
    ["tools/call", { name: "list_files", arguments: {} }],
    ["resources/list", {}],
  ] as const) {
    const { error } = await ask(method, params);
    expect(error).toMatchObject({ data: { code: "no_project" } });
    expect(error?.message).toContain(words);
    expect(error?.message).toContain("start scouts mcp with --project NAME or --root <folder>");
  }
});

test("a root that is elsewhere keeps none from being served that is here", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "sub"));
  writeFileSync(join(folder, "sub", "here.md"), "here\n");
  const uri = pathToFileURL(join(folder, "sub")).href;
  const { ask } = await careless({
    roots: { result: { roots: [{ uri: "https://example.com/a" }, { uri }] } },
    rootGiven: false,
  });

  expect(JSON.stringify(await ask("tools/call", { name: "list_files", arguments: {} }))).toContain("here.md");
});

test("a root that is a file is named as one, with the folder that may be meant", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "a.md"), "a\n");
  const roots = { result: { roots: [{ uri: pathToFileURL(join(folder, "a.md")).href }] } };
  const { ask } = await careless({ roots, rootGiven: false });

  const { error } = await ask("tools/call", { name: "list_files", arguments: {} });

  expect(error).toMatchObject({ data: { code: "folder_not_found" } });
  expect(error?.message).toContain(folder);
});
