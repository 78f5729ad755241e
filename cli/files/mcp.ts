import { once } from "node:events";
import process from "node:process";
import { type Command, Option } from "commander";
import type { FurtherTool } from "../../device/access/mcp/further-tool.ts";
import type { ServedRoot } from "../../device/access/mcp/server.ts";
import type { ApproverAtClient } from "../../device/activity/waiting-approver.ts";
import { homeOf } from "../../device/connect/deployed-home.ts";
import { DeviceError, isDeviceError } from "../../device/errors.ts";
import { notLinked } from "../../device/folders/not-linked.ts";
import type { Project } from "../../device/store/folder-schema.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import { type CliContext, dataFolderOf, wholeNumber } from "../context.ts";
import {
  overridesOf,
  type ProjectOptions,
  reviewModelOf,
  rootOf,
  withProjectOptions,
} from "../projects/project-context.ts";
import { projectNamed } from "../projects/project-named.ts";

interface McpFlags extends ProjectOptions {
  readonly withAsk?: boolean;
  readonly withSearch?: boolean;
  readonly withMail?: boolean;
  readonly maxTokens: number;
}

/** Programs are often started in the root of the disk, and then say of no folder that it is meant. */
const notServed = (folder: string) =>
  `${JSON.stringify(folder)} is the whole disk, the system's or the device's own, and served only when you name it: start scouts mcp with --project NAME or --root <folder>.`;

/** Some twenty questions to the built-in model, one or two to one that reads much. */
const defaultMaxTokens = 100_000;

/** `scouts mcp`: the tools for any program that speaks the Model Context Protocol, over standard input and output. */
export function addMcp(program: Command, context: CliContext): void {
  const command = program
    .command("mcp")
    .summary("serve a project's files to an MCP client over stdio")
    .description(
      "Serves the files of one folder to a program that speaks the Model Context Protocol: of a project of yours, of --root, " +
        "or of the folder the program names itself. Every call goes through the folder's rules and into its audit trail. " +
        "What others wrote to you is given with --with-mail only; every change of a file is then asked about.",
    )
    .option("--with-ask", "it may ask your agent about the project (needs a home that runs, takes tokens)")
    .option("--with-search", "it may search your own tasks, events and notes as well")
    .addOption(new Option("--with-mail", "it may read what your scouts proposed").conflicts("yes"))
    .option(
      "--max-tokens <number>",
      "of ask, search and proposals for one program in 24 hours",
      wholeNumber(1, 1_000_000_000),
      defaultMaxTokens,
    );
  withProjectOptions(command).action((flags: McpFlags) => serveMcp(context, flags, program.version() ?? "0"));
}

async function serveMcp(context: CliContext, flags: McpFlags, version: string): Promise<void> {
  const dataFolder = dataFolderOf(context, flags);
  const [
    { StdioServerTransport },
    { RequestLines },
    { createMcpServer },
    { existingPlace, openProject },
    { contentOfFolder },
    { openActivityStore },
    { waitingApprover },
    { isConsoleServed },
    { systemClock },
    { paidSummariesOf, storeIfAny },
    { openDeviceStore },
    { requireLinkable },
    { requireThere },
  ] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/stdio.js"),
    import("../../device/access/mcp/protocol/request-lines.ts"),
    import("../../device/access/mcp/server.ts"),
    import("../../device/access/open-project.ts"),
    import("../../device/knowledge/search/folder-content.ts"),
    import("../../device/activity/activity-store.ts"),
    import("../../device/activity/waiting-approver.ts"),
    import("../../device/console/presence.ts"),
    import("../../device/connection/clock.ts"),
    import("../../device/access/mcp/known-of-folder.ts"),
    import("../../device/store/open.ts"),
    import("../../device/folders/indexer/require-folder.ts"),
    import("../../device/folders/linked-away.ts"),
  ]);
  const { now, newId, environment } = context;
  const withMail = flags.withMail === true;
  const passphrase = environment.SCOUTS_PASSPHRASE;
  const ofStore = { dataFolder, now, newId, passphrase };
  const overrides = await overridesOf(context, flags);
  const needsStore = flags.project !== undefined || flags.withAsk || flags.withSearch || withMail;
  const store = needsStore ? openDeviceStore({ ...ofStore, mustExist: true }) : storeIfAny(ofStore);
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
    const project = flags.project === undefined || !store ? undefined : linkedProject(store, flags.project);
    if (project !== undefined) requireThere(project);
    const { server, close } = await createMcpServer({
      version,
      backend: flags.as ?? "cloud",
      root:
        project ?? (flags.root === undefined ? undefined : { folder: await rootOf(context, flags), name: undefined }),
      fallbackRoot: context.workingFolder,
      requireServable(folder) {
        try {
          requireLinkable(folder, dataFolder);
        } catch (cause) {
          if (!isDeviceError(cause, "usage")) throw cause;
          throw new DeviceError("usage", { sentence: notServed(folder), cause });
        }
      },
      open: (root, client) =>
        openProject({
          root,
          dataFolder,
          approver: flags.yes ? { approve: async () => true } : asking(existingPlace(root), client),
          reviewModel: reviewModelOf(context),
          overrides,
          content: contentOfFolder(dataFolder, root, context, { passphrase, leavesOutAnswers: !withMail }),
          paidSummaries: paidSummariesOf(store, existingPlace(root)),
          now,
          newId,
        }),
      further: store === undefined ? [] : await furtherTools(context, flags, store, project),
      withMail,
      clock: systemClock,
    });
    const ended = Promise.withResolvers<void>();
    server.onclose = ended.resolve;
    // The transport does not notice that its client is gone; the end of its input says so.
    process.stdin.once("end", ended.resolve);
    const lines = process.stdin.pipe(new RequestLines(process.stdout));
    await server.connect(new StdioServerTransport(lines));
    await Promise.race([ended.promise, context.io.signal.aborted ? undefined : once(context.io.signal, "abort")]);
    await close();
  } finally {
    activity.close();
    store?.close();
  }
}

/** A project with the folder that is served. @throws DeviceError `project_unknown`, `folder_not_linked` */
function linkedProject(store: DeviceStore, named: string): Project & ServedRoot & { readonly folderPath: string } {
  const project = projectNamed(store, named);
  const { name, folderPath } = project;
  if (folderPath === null) throw notLinked(name);
  return { ...project, folderPath, folder: folderPath };
}

/** What the person lets the program have besides files. @throws DeviceError `usage` for a question about no project */
async function furtherTools(
  context: CliContext,
  { withAsk = false, withSearch = false, withMail = false, maxTokens, ...flags }: McpFlags,
  store: DeviceStore,
  project: Project | undefined,
): Promise<readonly FurtherTool[]> {
  if (!withAsk && !withSearch && !withMail) return [];
  if (withAsk && project === undefined) {
    throw new DeviceError("usage", { sentence: "--with-ask needs --project: an agent answers about a project." });
  }
  const [{ ClientTokens }, { knowledgeTools }, { askForClient }, { systemPorts }] = await Promise.all([
    import("../../device/access/mcp/client-tokens.ts"),
    import("../../device/access/mcp/knowledge-tools.ts"),
    import("../../device/access/mcp/ask-for-client.ts"),
    import("../../device/connection/ports.ts"),
  ]);
  const { now } = context;
  const asked = () => homeOf(dataFolderOf(context, flags), now);
  const ask =
    withAsk && project ? askForClient({ store, api: asked(), ports: systemPorts, project, withMail }) : undefined;
  return knowledgeTools({
    store,
    now,
    tokens: new ClientTokens(maxTokens, now),
    withMail,
    ask,
    offersSearch: withSearch,
  });
}
