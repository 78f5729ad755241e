import { once } from "node:events";
import process from "node:process";
import type { Command } from "commander";
import { type CliContext, dataFolderOf } from "../context.ts";
import { type ProjectOptions, reviewModelOf, rootOf, withProjectOptions } from "../projects/project-context.ts";

/** `scouts mcp`: the tools for any program that speaks the Model Context Protocol, over standard input and output. */
export function addMcp(program: Command, context: CliContext): void {
  const command = program.command("mcp").description("serve a project's files to an MCP client over stdio");
  withProjectOptions(command).action(async (flags: ProjectOptions) => {
    const [{ StdioServerTransport }, { createMcpServer }, { openProject }, { contentOfFolder }] = await Promise.all([
      import("@modelcontextprotocol/sdk/server/stdio.js"),
      import("../../device/access/mcp/server.ts"),
      import("../../device/access/open-project.ts"),
      import("../../device/knowledge/search/folder-content.ts"),
    ]);
    const { server, close } = createMcpServer({
      version: program.version() ?? "0",
      backend: flags.as ?? "cloud",
      root: flags.root === undefined ? undefined : rootOf(context, flags),
      fallbackRoot: context.workingFolder,
      open: (root, approver) =>
        openProject({
          root,
          dataFolder: dataFolderOf(context, flags),
          approver: flags.yes ? { approve: async () => true } : approver,
          reviewModel: reviewModelOf(context),
          content: contentOfFolder(dataFolderOf(context, flags), root, context, context.environment.SCOUTS_PASSPHRASE),
          now: context.now,
          newId: context.newId,
        }),
    });
    const ended = Promise.withResolvers<void>();
    server.onclose = ended.resolve;
    // The transport does not notice that its client is gone; the end of its input says so.
    process.stdin.once("end", ended.resolve);
    await server.connect(new StdioServerTransport());
    await Promise.race([ended.promise, context.io.signal.aborted ? undefined : once(context.io.signal, "abort")]);
    await close();
  });
}
