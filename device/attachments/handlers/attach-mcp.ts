import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { DeviceError } from "../../errors.ts";
import type { ReadsDocuments } from "../../folders/extraction/read-document.ts";
import type { ToolDefinition } from "../../workspace/tool-definition.ts";
import { searchPath, type Variables } from "../../workspace/workspace.ts";
import type { AttachmentHandler } from "../attachment-handler.ts";
import { readableText } from "./readable-text.ts";

export interface McpHandlerOptions {
  /** A tool of the person's own, confirmed list; a server is one whose program speaks MCP. @throws DeviceError */
  readonly toolNamed: (name: string) => ToolDefinition;
  readonly variables: Variables;
  readonly extract: ReadsDocuments;
}

/** A resource of an MCP server, `SERVER/ADDRESS`. The server is started for it, in an empty folder, and ended after. */
export function mcpHandler({ toolNamed, variables, extract }: McpHandlerOptions): AttachmentHandler {
  return {
    async read(of, { bytes, characters, signal }) {
      const [, name = "", uri = ""] = /^([^/]+)\/(.+)$/s.exec(of) ?? [];
      if (uri === "") {
        throw new DeviceError("attachment_invalid", { sentence: "Name a server and an address: mcp:SERVER/ADDRESS." });
      }
      const { argv, environment, passes } = toolNamed(name);
      const [command = "", ...args] = argv;
      const passed = Object.fromEntries(
        passes.flatMap((each) => (variables[each] === undefined ? [] : [[each, variables[each]]])),
      );
      const folder = mkdtempSync(join(tmpdir(), "scouts-mcp-"));
      const transport = new StdioClientTransport({
        ...{ command, args, cwd: folder, stderr: "ignore", maxBufferSize: 2 * bytes },
        env: { HOME: folder, PATH: searchPath(variables), ...passed, ...environment },
      });
      const client = new Client({ name: "scouts", version: "1" }, { capabilities: {} });
      const ended = Promise.withResolvers<never>();
      const end = () =>
        ended.reject(new DeviceError("attachment_unavailable", { sentence: `${name} ended, or answered too much.` }));
      transport.onerror = end;
      client.onerror = end;
      client.onclose = end;
      signal.addEventListener("abort", end, { once: true });
      // Whoever races it hears of it.
      ended.promise.catch(() => undefined);
      try {
        const read = async () => {
          await client.connect(transport, { signal });
          return client.readResource({ uri }, { signal });
        };
        const { contents } = await Promise.race([read(), ended.promise]);
        const parts = await Promise.all(
          contents.map((each) => {
            const body = "text" in each ? Buffer.from(String(each.text)) : Buffer.from(String(each.blob), "base64");
            const type = each.mimeType ?? ("text" in each ? "text/plain" : "");
            return readableText(body, "text" in each && !type.includes("html") ? "text/plain" : type, {
              extract,
              characters,
            });
          }),
        );
        const text = parts.map((part) => part.text).join("\n");
        const isCut = text.length > characters || parts.some((part) => part.isCut);
        return { text: text.slice(0, characters).toWellFormed(), isCut };
      } finally {
        await client.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}
