import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema, ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { fileToolNames, fileTools } from "../../events/agent-tools/file-tools.ts";
import { mcpTools } from "../../events/agent-tools/mcp-tools.ts";
import { patchResult } from "../../events/agent-tools/patch-result.ts";
import type { ToolDefinition } from "../../events/agent-tools/tool-definition.ts";
import { replacing } from "./in-memory-setting.ts";
import { temporaryFolder } from "./setting.ts";

const launcher = fileURLToPath(new URL("../../cli/launch.js", import.meta.url));

interface Served {
  readonly client: Client;
  readonly root: string;
  /** What the person at the client was asked. */
  readonly asked: string[];
}

/** `scouts mcp` as a process, with the SDK's own client that offers one root and answers every question with `answer`. */
async function served(answer: boolean): Promise<Served> {
  const [root, data] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "README.md"), "# Example\n\nAn example.\n");
  writeFileSync(join(root, "src/main.ts"), "export const port = 80;\nexport const host = 'a';\n");
  writeFileSync(join(root, ".env"), "NAME=value\n");
  const asked: string[] = [];
  const client = new Client(
    { name: "test-client", version: "1" },
    { capabilities: { roots: { listChanged: true }, elicitation: {} } },
  );
  client.setRequestHandler(ListRootsRequestSchema, () => ({
    roots: [{ uri: pathToFileURL(root).href, name: "example" }],
  }));
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message);
    return { action: "accept", content: { approve: answer } };
  });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [launcher, "mcp", "--data", data],
    cwd: temporaryFolder(),
    stderr: "inherit",
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, root, asked };
}

const textContent = z.object({ content: z.array(z.object({ type: z.literal("text"), text: z.string() })) });
const textOf = (result: unknown) =>
  textContent
    .parse(result)
    .content.map(({ text }) => text)
    .join("\n");

test("the official client lists and calls every tool, and undoes what it did", { timeout: 240_000 }, async () => {
  const { client, asked } = await served(true);
  const called = new Set<string>();
  const call = (name: string, args: Record<string, unknown>) => {
    called.add(name);
    return client.callTool({ name, arguments: args });
  };

  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([...fileToolNames, "session_status", "set_tasks"]);
  const definitions: Record<string, ToolDefinition> = { ...fileTools, ...mcpTools };
  for (const { name, annotations, inputSchema } of tools) {
    const definition = definitions[name];
    if (definition === undefined) throw new Error(`${name} is defined nowhere`);
    expect(annotations).toMatchObject({ readOnlyHint: definition.access === "read", openWorldHint: false });
    expect(Object.keys(inputSchema.properties ?? {})).toEqual(Object.keys(definition.input.shape));
  }

  expect(textOf(await call("list_files", {}))).toContain("src/main.ts");
  const read = textOf(await call("read_file", { path: "src/main.ts" }));
  expect(read).toMatch(
    /<file-content ([0-9a-f]{32}) text "src\/main\.ts">\nexport const port = 80;\n[\s\S]*<\/file-content \1>/,
  );
  expect(textOf(await call("read_lines", { path: "src/main.ts", startLine: 2, endLine: 2 }))).toContain("host");
  expect(textOf(await call("get_excerpt", { path: "README.md" }))).toContain("# Example");
  expect(textOf(await call("grep_files", { pattern: "port" }))).toContain("src/main.ts");
  expect(textOf(await call("search_content", { query: "port" }))).toContain("not_indexed");
  expect(textOf(await call("summarize_file", { path: "src/main.ts" }))).toContain("port");

  const patched = await call("apply_patch", {
    patch: replacing("src/main.ts", "export const port = 80;", "export const port = 8080;"),
  });
  const result = patchResult.parse(patched.structuredContent);
  expect(result).toMatchObject({ success: true, conflict: false });
  expect(result.diff).toContain("+export const port = 8080;");
  expect(textOf(await call("get_diff", { path: "src/main.ts" }))).toContain("-export const port = 80;");
  const history = textOf(await call("file_history", { path: "src/main.ts" }));
  const first = [...history.matchAll(/ver_[0-9A-Z]{26}/g)].at(-1)?.[0] ?? "";
  expect(
    patchResult.parse((await call("rollback", { path: "src/main.ts", versionId: first })).structuredContent).success,
  ).toBe(true);
  const written = await call("write_file", { path: "notes.md", content: "# Notes\n" });
  expect(patchResult.parse(written.structuredContent).success).toBe(true);
  expect(textOf(await call("record_changes", {}))).toContain('"recorded":[]');
  expect(called).toEqual(new Set(fileToolNames));
  expect(asked).toEqual([]);

  const refused = await client.callTool({
    name: "apply_patch",
    arguments: { patch: replacing("src/main.ts", "absent", "x") },
  });
  expect(refused.isError).toBe(true);
  expect(patchResult.parse(refused.structuredContent)).toMatchObject({ success: false, code: "no_match" });
  expect((await client.callTool({ name: "no_such_tool", arguments: {} })).isError).toBe(true);
});

test("resources are files, history and the session; a secret file is read only when the person says so", {
  timeout: 240_000,
}, async () => {
  const { client, asked } = await served(false);
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual([
    "scouts-session:///current",
    "scouts-session:///start",
    "scouts-file:///README.md",
    "scouts-file:///src/main.ts",
  ]);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ name }) => name)).toEqual(["file", "history"]);
  const textOfResource = async (uri: string) => JSON.stringify((await client.readResource({ uri })).contents);
  expect(await textOfResource("scouts-file:///README.md")).toContain("An example.");
  expect(await textOfResource("scouts-session:///current")).toContain("README.md");
  await expect(client.readResource({ uri: "scouts-other:///x" })).rejects.toThrow("unknown resource");

  const secret = textOf(await client.callTool({ name: "read_file", arguments: { path: ".env" } }));
  expect(secret).toContain("approval_refused");
  expect(secret).not.toContain("NAME=value");
  expect(asked).toHaveLength(1);
});

test.each([
  ["the root of the disk, as a client starts its servers", undefined],
  ["a folder of the system, as a client names it", "file:///etc"],
])("%s is not served unless the person names it", { timeout: 240_000 }, async (_, uri) => {
  const client = new Client(
    { name: "test-client", version: "1" },
    { capabilities: uri === undefined ? {} : { roots: {} } },
  );
  if (uri !== undefined) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri }] }));
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [launcher, "mcp", "--data", temporaryFolder()],
      cwd: "/",
      stderr: "inherit",
    }),
  );
  onTestFinished(() => client.close());

  await expect(client.callTool({ name: "list_files", arguments: {} })).rejects.toThrow(
    "served only when you name it: start scouts mcp with --project NAME or --root <folder>",
  );
});
