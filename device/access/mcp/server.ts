import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestParamsSchema,
  type CallToolResult,
  PaginatedRequestParamsSchema,
  ReadResourceRequestParamsSchema,
  RootsListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type * as z from "zod";
import type { ApproverAtClient } from "../../activity/waiting-approver.ts";
import type { Clock } from "../../connection/clock.ts";
import type { ToolOutcome } from "../file-access.ts";
import type { OpenProject } from "../open-project.ts";
import type { Backend } from "../policy/profiles.ts";
import { presented } from "../present.ts";
import { clientRoot } from "./client-root.ts";
import { elicitationApprover } from "./elicitation-approver.ts";
import { callFurther, type FurtherTool, type Served } from "./further-tool.ts";
import { generalInstructions, openingText } from "./instructions.ts";
import { tellingProgress } from "./progress.ts";
import { openingError } from "./protocol/opening-error.ts";
import { request } from "./protocol/request.ts";
import { listResources, openingUri, readResource, resourceTemplates } from "./resources.ts";
import { sessionStatusTool, setTasksTool } from "./session-tools.ts";
import { toolList } from "./tool-list.ts";

/** A folder to serve, and what the person calls it. */
export interface ServedRoot {
  readonly folder: string;
  readonly name: string | undefined;
}

export interface McpServerOptions {
  readonly version: string;
  readonly backend: Backend;
  /** The folder to serve; without one the client's first root is. */
  readonly root: ServedRoot | undefined;
  /** Served when neither is given. */
  readonly fallbackRoot: string;
  /** Throws for a folder that is served only when a person names it: this one nobody has chosen but the client, or who started it. */
  readonly requireServable: (folder: string) => void;
  readonly open: (root: string, client: ApproverAtClient) => Promise<OpenProject>;
  /** Offered besides what there always is. */
  readonly further: readonly FurtherTool[];
  /** The client is given what others wrote to the person: every change is asked about. */
  readonly withMail: boolean;
  readonly clock: Clock;
}

export interface McpServer {
  readonly server: Server;
  close(): Promise<void>;
}

/** Clients wait for the first answer half a minute and more; a large folder that is seen for the first time takes longer. */
const openingMs = 10_000;
const readStartFirst = `${generalInstructions}\nRead the resource ${openingUri} first: a map of the project and what to read in it.`;

const firstLook = "The folder is being looked at; that takes longest the first time.";
type Called = z.infer<typeof CallToolRequestParamsSchema>;

/**
 * An MCP server for one client: tools, resources, the client's roots, questions to the person at the client. Where the
 * folder is known beforehand, the client's first prompt says what is in it.
 *
 * @throws as `open`, where the folder is known
 */
export async function createMcpServer(options: McpServerOptions): Promise<McpServer> {
  const { version, backend, root, fallbackRoot, requireServable, open, withMail, clock } = options;
  const further = [sessionStatusTool, setTasksTool, ...options.further];
  let server: Server | undefined;
  const approver = elicitationApprover(() => server);
  let opened: Promise<Served & { readonly project: OpenProject }> | undefined;
  let openedRoot: string | undefined;
  let isOpen = false;
  const preopened = root && (await open(root.folder, approver));
  const instructions = preopened && (await withinTime(firstText(preopened, backend, root?.name), clock));
  const serving = new Server(
    { name: "scouts", version },
    { capabilities: { tools: {}, resources: {} }, instructions: instructions ?? readStartFirst },
  );
  server = serving;

  const openAt = async (folder: string) => {
    const project = preopened ?? (await open(folder, approver));
    const client = serving.getClientVersion();
    const caller = client === undefined ? "mcp" : `mcp:${client.name}/${client.version}`.slice(0, 100);
    const session = project.access.openSession({ caller, backend, asksForWrites: withMail });
    // What others changed while nobody served the folder is in its history before anything is changed here.
    await project.access.call(session, "record_changes", {});
    isOpen = true;
    return { project, session };
  };

  const servedFolder = async () => root?.folder ?? (await clientRoot(serving, fallbackRoot));

  const current = () => {
    opened ??= servedFolder()
      .then((folder) => {
        if (root === undefined) requireServable(folder);
        openedRoot = folder;
        return openAt(folder);
      })
      .catch((error: unknown) => {
        throw openingError(error);
      });
    // A folder that cannot be opened may be there at the next call.
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };

  const closeProject = async () => {
    const closing = opened;
    opened = undefined;
    isOpen = false;
    if (closing !== undefined)
      await closing.then(
        ({ project }) => project.close(),
        () => undefined,
      );
    else preopened?.close();
  };

  const whatTakesLong = () => (isOpen ? "It is still being worked on." : firstLook);
  const paged = PaginatedRequestParamsSchema.optional();
  const called = request("tools/call", CallToolRequestParamsSchema);
  serving.setRequestHandler(request("tools/list", paged), () => ({ tools: toolList(further) }));
  const call = async ({ name, arguments: args = {} }: Called, signal: AbortSignal): Promise<CallToolResult> => {
    const served = await current();
    const tool = further.find((each) => each.name === name);
    if (tool !== undefined) {
      const { text, isError } = await callFurther(tool, args, served, signal);
      return { content: [{ type: "text", text }], isError };
    }
    return resultOf(await served.project.access.call(served.session, name, args, signal));
  };
  serving.setRequestHandler(called, ({ params }, asked) =>
    tellingProgress(asked, clock, whatTakesLong, () => call(params, asked.signal)),
  );
  serving.setRequestHandler(request("resources/list", paged), ({ params }, asked) =>
    tellingProgress(asked, clock, whatTakesLong, () =>
      toldWhy(async () => listResources(await current(), params?.cursor)),
    ),
  );
  serving.setRequestHandler(request("resources/templates/list", paged), () => ({ resourceTemplates }));
  serving.setRequestHandler(request("resources/read", ReadResourceRequestParamsSchema), ({ params }, asked) =>
    tellingProgress(asked, clock, whatTakesLong, () =>
      toldWhy(async () => readResource({ ...(await current()), name: root?.name }, params.uri)),
    ),
  );
  serving.setNotificationHandler(RootsListChangedNotificationSchema, async () => {
    // Whatever is wrong with them now is said at the next call.
    const folder = await servedFolder().catch(() => undefined);
    if (folder !== openedRoot) await closeProject();
  });

  return {
    server: serving,
    async close() {
      await serving.close();
      await closeProject();
    },
  };
}

/** What no tool answers for: a failure of the device's own is an error of the protocol that has its code. */
const toldWhy = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    throw openingError(error);
  });

function resultOf(outcome: ToolOutcome): CallToolResult {
  const { result } = outcome;
  const picture = result !== undefined && "picture" in result ? result.picture : undefined;
  return {
    content: [
      { type: "text", text: presented(outcome) },
      ...(picture === undefined ? [] : [{ type: "image" as const, data: picture.base64, mimeType: picture.mimeType }]),
    ],
    ...(result !== undefined && "success" in result && { structuredContent: { ...result } }),
    isError: !outcome.ok,
  };
}

/** What a client begins with; it has said nothing of itself yet, so the reading stands in the trail as `mcp`. */
const firstText = (project: OpenProject, backend: Backend, name: string | undefined): Promise<string> =>
  openingText(project, project.access.openSession({ caller: "mcp", backend }), name);

/** Undefined when it takes longer than a client waits. */
async function withinTime<T>(work: Promise<T>, clock: Clock): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  // Whoever it came too late for hears of no failure of it; the next call tells.
  work.catch(() => undefined);
  const cancel = clock.after(openingMs, () => resolve(undefined));
  try {
    return await Promise.race([work, promise]);
  } finally {
    cancel();
  }
}
