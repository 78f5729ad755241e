import type { HeaderField } from "../mime/header-fields.ts";
import { type MimePart, parsePartTree } from "../mime/part-tree.ts";
import { snippetOf } from "../mime/snippet.ts";
import type { MessageRow } from "../store/messages.ts";

export type Format = "full" | "metadata" | "minimal" | "raw";

interface PartResource {
  readonly partId: string;
  readonly mimeType: string;
  readonly filename: string;
  readonly headers: HeaderField[];
  readonly body: { readonly size: number; readonly data?: string; readonly attachmentId?: string };
  readonly parts?: PartResource[];
}

interface MessageResource {
  readonly id: string;
  readonly threadId: string;
  readonly labelIds: string[];
  readonly snippet: string;
  readonly historyId: string;
  readonly internalDate: string;
  readonly sizeEstimate: number;
  readonly raw?: string;
  readonly payload?: Pick<PartResource, "mimeType" | "headers"> & Partial<PartResource>;
}

/** A message as `users.messages.get` answers it (reference "Resource: Message"). */
export function messageResource(
  message: Pick<MessageRow, "id" | "thread_id" | "labels" | "history_id" | "internal_date_ms">,
  raw: Buffer,
  format: Format,
  metadataHeaders: readonly string[],
): MessageResource {
  const root = parsePartTree(raw);
  const common = {
    id: message.id,
    threadId: message.thread_id,
    labelIds: message.labels,
    snippet: snippetOf(root),
    historyId: message.history_id,
    internalDate: String(message.internal_date_ms),
    sizeEstimate: raw.length,
  };
  if (format === "minimal") return common;
  if (format === "raw") return { ...common, raw: raw.toString("base64url") };
  if (format === "full") return { ...common, payload: partResource(root, "", message.id) };
  const wanted = metadataHeaders.map((name) => name.toLowerCase());
  const { headers } = root;
  return {
    ...common,
    payload: {
      mimeType: root.mimeType,
      headers: wanted.length === 0 ? headers : headers.filter((field) => wanted.includes(field.name.toLowerCase())),
    },
  };
}

/** The part an attachment id stands for. */
export function attachmentOf(root: MimePart, messageId: string, attachmentId: string): MimePart | undefined {
  const [owner, partId] = Buffer.from(attachmentId.replace(/^ANGjdJ_/, ""), "base64url")
    .toString()
    .split(":");
  if (owner !== messageId || partId === undefined) return undefined;
  let part: MimePart | undefined = root;
  for (const index of partId === "" ? [] : partId.split(".")) part = part?.parts[Number(index)];
  return part;
}

/**
 * Parts with a file name, and parts that are not text, give an attachment id instead of their data; containers give
 * neither. An attached message gives an id and, below it, its content's parts. Part ids count from 0 at each level and the
 * root has none.
 */
function partResource(part: MimePart, partId: string, messageId: string): PartResource {
  const { mimeType, filename, headers, content } = part;
  const size = content.length;
  const container = mimeType.startsWith("multipart/");
  const attached = !container && size > 0 && (filename !== "" || !mimeType.startsWith("text/"));
  const attachmentId = `ANGjdJ_${Buffer.from(`${messageId}:${partId}`).toString("base64url")}`;
  return {
    partId,
    mimeType,
    filename,
    headers,
    body: {
      size: container ? 0 : size,
      ...(attached ? { attachmentId } : {}),
      ...(!attached && !container && size > 0 ? { data: padded(content) } : {}),
    },
    ...(part.parts.length > 0
      ? {
          parts: part.parts.map((child, index) =>
            partResource(child, partId === "" ? String(index) : `${partId}.${index}`, messageId),
          ),
        }
      : {}),
  };
}

/** Gmail's base64url keeps its padding. */
function padded(content: Buffer): string {
  return content.toString("base64").replaceAll("+", "-").replaceAll("/", "_");
}
