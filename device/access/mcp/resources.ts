import type { ListResourcesResult, ReadResourceResult } from "@modelcontextprotocol/sdk/types.js";
import { presented } from "../present.ts";
import type { Served } from "./further-tool.ts";
import { openingText } from "./instructions.ts";
import { invalidParams } from "./protocol/request.ts";
import { resourceError } from "./protocol/resource-error.ts";
import { sessionStatus } from "./session-tools.ts";

const filePrefix = "scouts-file:///";
const historyPrefix = "scouts-history:///";
const sessionUri = "scouts-session:///current";
export const openingUri = "scouts-session:///start";
const pageSize = 500;

const uriOf = (prefix: string, path: string) => prefix + path.split("/").map(encodeURIComponent).join("/");

export const resourceTemplates = [
  { uriTemplate: `${filePrefix}{+path}`, name: "file", description: "A file of the project, without credentials." },
  { uriTemplate: `${historyPrefix}{+path}`, name: "history", description: "Versions of a file that are kept." },
];

/**
 * Entry documents first, then the other files, by pages: those that may be read without asking.
 * @throws McpError for a cursor that is none of ours
 */
export async function listResources(
  { project: { access }, session }: Served,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const entries = access.kit.registry.entryDocuments();
  const others = access.kit.registry.list().map(({ path }) => path);
  const paths = [...(await access.shownAmong(session, new Set([...entries, ...others])))];
  const from = placeOf(cursor);
  const resources = paths.slice(from, from + pageSize).map((path) => ({ uri: uriOf(filePrefix, path), name: path }));
  const current = {
    uri: sessionUri,
    name: "session",
    description: "What this session has open, waits for, has changed, is about to do and may still use.",
  };
  const start = {
    uri: openingUri,
    name: "start",
    description: "What the project is: a map of it, and what to read first.",
  };
  return {
    resources: from === 0 ? [current, start, ...resources] : resources,
    ...(from + pageSize < paths.length && { nextCursor: String(from + pageSize) }),
  };
}

/** @throws McpError for what is no cursor of ours; one behind the end is, since files are taken away meanwhile */
function placeOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const from = /^[1-9]\d{0,9}$/.test(cursor) ? Number(cursor) : 0;
  if (from === 0 || from % pageSize !== 0)
    throw invalidParams(
      "resources/list",
      "cursor: it must be the nextCursor of an earlier answer; without one the list begins anew.",
    );
  return from;
}

/** @throws McpError for an address that is none of ours, a file that is not there or is refused: see {@link resourceError} */
export async function readResource(
  served: Served & { readonly name: string | undefined },
  uri: string,
): Promise<ReadResourceResult> {
  const { project, session, name } = served;
  const { access } = project;
  if (uri === sessionUri) {
    const text = JSON.stringify(await sessionStatus(served));
    return { contents: [{ uri, mimeType: "application/json", text }] };
  }
  if (uri === openingUri) {
    return { contents: [{ uri, mimeType: "text/plain", text: await openingText(project, session, name) }] };
  }
  const prefix = [filePrefix, historyPrefix].find((candidate) => uri.startsWith(candidate));
  const path = prefix && decodedPath(uri.slice(prefix.length));
  if (path === undefined) throw resourceError(uri, { code: "invalid_path", message: "unknown resource" });
  if (prefix === historyPrefix) {
    const outcome = await access.call(session, "file_history", { path });
    if (!outcome.ok) throw resourceError(uri, outcome.error);
    return { contents: [{ uri, mimeType: "text/plain", text: presented(outcome) }] };
  }
  const outcome = await access.call(session, "read_file", { path, full: true });
  if (!outcome.ok) throw resourceError(uri, outcome.error);
  const { picture } = outcome.result;
  const text = { uri, mimeType: "text/plain", text: presented(outcome) };
  return { contents: picture === undefined ? [text] : [{ uri, mimeType: picture.mimeType, blob: picture.base64 }] };
}

/** Undefined for what is no text behind its escapes. */
function decodedPath(escaped: string): string | undefined {
  try {
    return escaped.split("/").map(decodeURIComponent).join("/");
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return undefined;
  }
}
