import { once } from "node:events";
import { realpathSync } from "node:fs";
import process from "node:process";
import type { Command } from "commander";
import type { ApproverAtClient } from "../../device/activity/waiting-approver.ts";
import { type CliContext, dataFolderOf } from "../context.ts";
import { type ProjectOptions, reviewModelOf, rootOf, withProjectOptions } from "../projects/project-context.ts";

/** `scouts mcp`: the tools for any program that speaks the Model Context Protocol, over standard input and output. */
export function addMcp(program: Command, context: CliContext): void {
  const command = program.command("mcp").description("serve a project's files to an MCP client over stdio");
  withProjectOptions(command).action(async (flags: ProjectOptions) => {
    const dataFolder = dataFolderOf(context, flags);
    const [
      { StdioServerTransport },
      { createMcpServer },
      { openProject },
      { contentOfFolder },
      { openActivityStore },
      { waitingApprover },
      { isConsoleServed },
      { systemClock },
    ] = await Promise.all([
      import("@modelcontextprotocol/sdk/server/stdio.js"),
      import("../../device/access/mcp/server.ts"),
      import("../../device/access/open-project.ts"),
      import("../../device/knowledge/search/folder-content.ts"),
      import("../../device/activity/activity-store.ts"),
      import("../../device/activity/waiting-approver.ts"),
      import("../../device/console/presence.ts"),
      import("../../device/connection/clock.ts"),
    ]);
    const activity = openActivityStore(dataFolder, context);
    const asking = (folder: string, client: ApproverAtClient) =>
      waitingApprover({
        approvals: activity.approvals,
        root: folder,
        client,
        isServed: () => isConsoleServed(dataFolder),
        clock: systemClock,
      });
    const { server, close } = createMcpServer({
      version: program.version() ?? "0",
      backend: flags.as ?? "cloud",
      root: flags.root === undefined ? undefined : rootOf(context, flags),
      fallbackRoot: context.workingFolder,
      open: (root, client) =>
        openProject({
          root,
          dataFolder,
          approver: flags.yes ? { approve: async () => true } : asking(realpathSync(root), client),
          reviewModel: reviewModelOf(context),
          content: contentOfFolder(dataFolder, root, context, context.environment.SCOUTS_PASSPHRASE),
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
    activity.close();
  });
}
