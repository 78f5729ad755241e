import { once } from "node:events";
import process from "node:process";
import { type Command, Option } from "commander";
import type { ServedRoot } from "../../device/access/mcp/server.ts";
import type { ApproverAtClient } from "../../device/activity/waiting-approver.ts";
import { DeviceError } from "../../device/errors.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import { type CliContext, dataFolderOf } from "../context.ts";
import { type ProjectOptions, reviewModelOf, rootOf, withProjectOptions } from "../projects/project-context.ts";
import { projectNamed } from "../projects/project-named.ts";

interface McpFlags extends ProjectOptions {
  readonly project?: string;
}

/** `scouts mcp`: the tools for any program that speaks the Model Context Protocol, over standard input and output. */
export function addMcp(program: Command, context: CliContext): void {
  const command = program
    .command("mcp")
    .summary("serve a project's files to an MCP client over stdio")
    .description(
      "Serves the files of one folder to a program that speaks the Model Context Protocol: of a project of yours, of --root, " +
        "or of the folder the program names itself. Every call goes through the folder's rules and into its audit trail.",
    )
    .addOption(new Option("--project <project>", "the folder of this project, by name or id").conflicts("root"));
  withProjectOptions(command).action(async (flags: McpFlags) => {
    const dataFolder = dataFolderOf(context, flags);
    const [
      { StdioServerTransport },
      { createMcpServer },
      { existingFolder, openProject },
      { contentOfFolder },
      { openActivityStore },
      { waitingApprover },
      { isConsoleServed },
      { systemClock },
      { paidSummariesOf, storeIfAny },
      { openDeviceStore },
    ] = await Promise.all([
      import("@modelcontextprotocol/sdk/server/stdio.js"),
      import("../../device/access/mcp/server.ts"),
      import("../../device/access/open-project.ts"),
      import("../../device/knowledge/search/folder-content.ts"),
      import("../../device/activity/activity-store.ts"),
      import("../../device/activity/waiting-approver.ts"),
      import("../../device/console/presence.ts"),
      import("../../device/connection/clock.ts"),
      import("../../device/access/mcp/known-of-folder.ts"),
      import("../../device/store/open.ts"),
    ]);
    const { now, newId, environment } = context;
    const passphrase = environment.SCOUTS_PASSPHRASE;
    const ofStore = { dataFolder, now, newId, passphrase };
    const store = flags.project === undefined ? storeIfAny(ofStore) : openDeviceStore({ ...ofStore, mustExist: true });
    const activity = openActivityStore(dataFolder, context);
    const asking = (folder: string, client: ApproverAtClient) =>
      waitingApprover({
        approvals: activity.approvals,
        root: folder,
        client,
        isServed: () => isConsoleServed(dataFolder),
        clock: systemClock,
      });
    try {
      const { server, close } = await createMcpServer({
        version: program.version() ?? "0",
        backend: flags.as ?? "cloud",
        root: servedRoot(context, flags, store),
        fallbackRoot: context.workingFolder,
        open: (root, client) =>
          openProject({
            root,
            dataFolder,
            approver: flags.yes ? { approve: async () => true } : asking(existingFolder(root), client),
            reviewModel: reviewModelOf(context),
            content: contentOfFolder(dataFolder, root, context, passphrase),
            paidSummaries: paidSummariesOf(store, existingFolder(root)),
            now,
            newId,
          }),
        further: [],
        clock: systemClock,
      });
      const ended = Promise.withResolvers<void>();
      server.onclose = ended.resolve;
      // The transport does not notice that its client is gone; the end of its input says so.
      process.stdin.once("end", ended.resolve);
      await server.connect(new StdioServerTransport());
      await Promise.race([ended.promise, context.io.signal.aborted ? undefined : once(context.io.signal, "abort")]);
      await close();
    } finally {
      activity.close();
      store?.close();
    }
  });
}

/** The folder that is known before a client comes. @throws DeviceError `project_unknown`, `folder_not_linked` */
function servedRoot(context: CliContext, flags: McpFlags, store: DeviceStore | undefined): ServedRoot | undefined {
  if (flags.project === undefined || store === undefined) {
    return flags.root === undefined ? undefined : { folder: rootOf(context, flags), name: undefined };
  }
  const { name, folderPath } = projectNamed(store, flags.project);
  if (folderPath === null) {
    const sentence = `No folder is linked to ${name}; link one: scouts project link ${JSON.stringify(name)} <folder>`;
    throw new DeviceError("folder_not_linked", { sentence });
  }
  return { folder: folderPath, name };
}
