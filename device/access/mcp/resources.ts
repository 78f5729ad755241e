import type { ListResourcesResult, ReadResourceResult } from "@modelcontextprotocol/sdk/types.js";
import type { FileAccess } from "../file-access.ts";
import { presented } from "../present.ts";
import type { AccessSession } from "../session/session.ts";

const filePrefix = "scouts-file:///";
const historyPrefix = "scouts-history:///";
const sessionUri = "scouts-session:///current";
const pageSize = 500;

const uriOf = (prefix: string, path: string) => prefix + path.split("/").map(encodeURIComponent).join("/");

export const resourceTemplates = [
  { uriTemplate: `${filePrefix}{+path}`, name: "file", description: "A file of the project, without credentials." },
  { uriTemplate: `${historyPrefix}{+path}`, name: "history", description: "Versions of a file that are kept." },
];

/** Entry documents first, then the other files, by pages: those that may be read without asking. */
export async function listResources(
  access: FileAccess,
  session: AccessSession,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const mayShow = await access.mayShow(session);
  const entries = access.kit.registry.entryDocuments();
  const others = access.kit.registry.list().map(({ path }) => path);
  const paths = [...new Set([...entries, ...others])].filter(mayShow);
  const from = cursor === undefined ? 0 : Math.max(0, Number.parseInt(cursor, 10) || 0);
  const resources = paths.slice(from, from + pageSize).map((path) => ({ uri: uriOf(filePrefix, path), name: path }));
  const current = {
    uri: sessionUri,
    name: "session",
    description: "What this session has read, changed and may still use.",
  };
  return {
    resources: from === 0 ? [current, ...resources] : resources,
    ...(from + pageSize < paths.length && { nextCursor: String(from + pageSize) }),
  };
}

/** @throws RangeError for an address that is none of ours */
export async function readResource(
  access: FileAccess,
  session: AccessSession,
  uri: string,
): Promise<ReadResourceResult> {
  if (uri === sessionUri) {
    const text = JSON.stringify(session.describe(await access.mayShow(session)));
    return { contents: [{ uri, mimeType: "application/json", text }] };
  }
  const prefix = [filePrefix, historyPrefix].find((candidate) => uri.startsWith(candidate));
  if (prefix === undefined) throw new RangeError("unknown resource");
  const path = uri.slice(prefix.length).split("/").map(decodeURIComponent).join("/");
  const outcome =
    prefix === filePrefix
      ? await access.call(session, "read_file", { path, full: true })
      : await access.call(session, "file_history", { path });
  return { contents: [{ uri, mimeType: "text/plain", text: presented(outcome) }] };
}
