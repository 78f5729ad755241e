import { fileURLToPath } from "node:url";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { AccessError } from "../errors.ts";

/** Looser than the SDK's, which refuses the whole list for one root that is elsewhere. */
const named = z.looseObject({ roots: z.array(z.looseObject({ uri: z.string() })) });
const maxQuoted = 200;

/** What a person does about it; the client's own list is for its settings. */
const cure = "Open a folder of this machine there, or start scouts mcp with --project NAME or --root <folder>.";

/**
 * The folder a client works in: the first of its roots that is a path of this machine, else, where it names none at all, the one
 * it was started in.
 *
 * @throws AccessError `no_project` when it names roots and none is a path of this machine, and when it cannot say which it has
 */
export async function clientRoot(server: Server, fallback: string): Promise<string> {
  if (server.getClientCapabilities()?.roots === undefined) return fallback;
  const uris = await rootsOf(server);
  if (uris.length === 0) return fallback;
  const local = uris.map(pathOf).find((path) => path !== undefined);
  if (local !== undefined) return local;
  const quoted = uris.slice(0, 3).map((uri) => JSON.stringify(uri.slice(0, maxQuoted)));
  throw new AccessError("no_project", {
    detail: `No root that this program names is a folder of this machine: ${quoted.join(", ")}. ${cure}`,
  });
}

async function rootsOf(server: Server): Promise<readonly string[]> {
  try {
    const { roots } = await server.request({ method: "roots/list" }, named);
    return roots.map(({ uri }) => uri);
  } catch (error) {
    if (!(error instanceof McpError) && !(error instanceof z.core.$ZodError)) throw error;
    const said = error instanceof McpError ? ` (${JSON.stringify(error.message.slice(0, maxQuoted))})` : "";
    throw new AccessError(
      "no_project",
      { detail: `This program cannot say which roots it has${said}. ${cure}` },
      error,
    );
  }
}

/** Undefined for what is no path of this machine: another scheme, another host, no address at all. */
function pathOf(uri: string): string | undefined {
  const url = URL.parse(uri);
  if (url?.protocol !== "file:") return undefined;
  try {
    return fileURLToPath(url);
  } catch (error) {
    if (error instanceof TypeError || error instanceof URIError) return undefined;
    throw error;
  }
}
