import process from "node:process";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Serving } from "./scripted-client.ts";

const launcher = fileURLToPath(new URL("../../../cli/launch.js", import.meta.url));

/** `scouts mcp` as a process of its own. */
export async function killableServer(root: string, dataFolder: string): Promise<Serving> {
  const args = [launcher, "mcp", "--root", root, "--data", dataFolder];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: "inherit" });
  const client = new Client({ name: "scripted", version: "1" }, { capabilities: {} });
  await client.connect(transport);
  return {
    call: (name, given) => client.callTool({ name, arguments: { ...given } }),
    async kill() {
      const closed = new Promise<void>((resolve) => {
        client.onclose = resolve;
      });
      const { pid } = transport;
      if (pid !== null) process.kill(pid, "SIGKILL");
      await closed;
    },
    end: () => client.close(),
  };
}
