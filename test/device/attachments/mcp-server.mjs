// An MCP server for tests: `notes` answers, `flood` writes without end, `gone` ends at once.
import { createInterface } from "node:readline";

const how = process.argv[2];
if (how === "gone") process.exit(3);

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const flood = () => process.stdout.write("x".repeat(1024 * 1024), flood);

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") {
    const { protocolVersion } = params;
    say({
      id,
      result: { protocolVersion, capabilities: { resources: {} }, serverInfo: { name: "notes", version: "1" } },
    });
  } else if (method === "resources/read") {
    if (how === "flood") return flood();
    say({ id, result: { contents: [{ uri: params.uri, text: "The beds are watered on Thursday." }] } });
  }
});
