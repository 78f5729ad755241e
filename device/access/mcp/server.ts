import { fileURLToPath } from "node:url";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  RootsListChangedNotificationSchema,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { fileToolNames, fileTools, patchResult } from "../../../events/tools.ts";
import type { ApproverAtClient } from "../../activity/waiting-approver.ts";
import type { OpenProject } from "../open-project.ts";
import type { Backend } from "../policy/profiles.ts";
import { presented } from "../present.ts";
import type { AccessSession } from "../session/session.ts";
import { elicitationApprover } from "./elicitation-approver.ts";
import { listResources, readResource, resourceTemplates } from "./resources.ts";

export interface McpServerOptions {
  readonly version: string;
  readonly backend: Backend;
  /** The folder to serve; without one the client's first root is. */
  readonly root: string | undefined;
  /** Served when neither is given. */
  readonly fallbackRoot: string;
  readonly open: (root: string, client: ApproverAtClient) => Promise<OpenProject>;
}

export interface McpServer {
  readonly server: Server;
  close(): Promise<void>;
}

interface Opened {
  readonly project: OpenProject;
  readonly session: AccessSession;
}

/** The tools as MCP describes them: names, schemas and annotations are those of events/tools.ts. */
export function mcpTools(): Tool[] {
  return fileToolNames.map((name) => {
    const { title, description, input, access, idempotent } = fileTools[name];
    const { properties, required } = jsonSchema(input);
    const output = jsonSchema(patchResult);
    return {
      name,
      title,
      description,
      inputSchema: { type: "object", properties, required, additionalProperties: false },
      ...(access === "write" && { outputSchema: { type: "object", ...output } }),
      annotations: {
        title,
        readOnlyHint: access === "read",
        destructiveHint: access === "write",
        idempotentHint: idempotent,
        openWorldHint: false,
      },
    };
  });
}

const objectSchema = z.object({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())),
  required: z.array(z.string()).default([]),
});

function jsonSchema(schema: z.ZodObject) {
  return objectSchema.parse(z.toJSONSchema(schema, { io: "input" }));
}

/** An MCP server for one client: tools, resources, the client's roots, questions to the person at the client. */
export function createMcpServer({ version, backend, root, fallbackRoot, open }: McpServerOptions): McpServer {
  const server = new Server(
    { name: "scouts", version },
    { capabilities: { tools: {}, resources: {} }, instructions: "Files of one project. Read before you write." },
  );
  const approver = elicitationApprover(server);
  let opened: Promise<Opened> | undefined;
  let openedRoot: string | undefined;

  const openAt = async (folder: string): Promise<Opened> => {
    const project = await open(folder, approver);
    const client = server.getClientVersion();
    const caller = client === undefined ? "mcp" : `mcp:${client.name}/${client.version}`.slice(0, 100);
    return { project, session: project.access.openSession({ caller, backend }) };
  };

  const current = (): Promise<Opened> => {
    opened ??= clientRoot(server, root, fallbackRoot).then((folder) => {
      openedRoot = folder;
      return openAt(folder);
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
    if (closing !== undefined)
      await closing.then(
        ({ project }) => project.close(),
        () => undefined,
      );
  };

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: mcpTools() }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const { project, session } = await current();
    const outcome = await project.access.call(session, params.name, params.arguments ?? {}, signal);
    const { result } = outcome;
    return {
      content: [{ type: "text", text: presented(outcome) }],
      ...(result !== undefined && "success" in result && { structuredContent: { ...result } }),
      isError: !outcome.ok,
    };
  });
  server.setRequestHandler(ListResourcesRequestSchema, async ({ params }) => {
    const { project, session } = await current();
    return listResources(project.access, session, params?.cursor);
  });
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => {
    const { project, session } = await current();
    try {
      return await readResource(project.access, session, params.uri);
    } catch (error) {
      if (error instanceof RangeError || error instanceof URIError) {
        throw new McpError(ErrorCode.InvalidParams, "unknown resource");
      }
      throw error;
    }
  });
  server.setNotificationHandler(RootsListChangedNotificationSchema, async () => {
    const folder = await clientRoot(server, root, fallbackRoot);
    if (folder !== openedRoot) await closeProject();
  });

  return {
    server,
    async close() {
      await server.close();
      await closeProject();
    },
  };
}

/** The folder to serve: the one given, else the client's first root on this machine, else the working folder. */
async function clientRoot(server: Server, root: string | undefined, fallback: string): Promise<string> {
  if (root !== undefined) return root;
  if (server.getClientCapabilities()?.roots === undefined) return fallback;
  const { roots } = await server.listRoots();
  const local = roots.find(({ uri }) => uri.startsWith("file://"));
  return local === undefined ? fallback : fileURLToPath(local.uri);
}
