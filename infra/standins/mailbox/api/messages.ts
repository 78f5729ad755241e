import * as z from "zod";
import { googleErrors } from "../google-error.ts";
import { parsePartTree } from "../mime/part-tree.ts";
import { matchesQuery, parseQuery } from "../query.ts";
import type { MessageRow } from "../store/messages.ts";
import { attachmentOf, type Format, messageResource } from "./message-resource.ts";
import {
  type ApiCall,
  type ApiMethod,
  findMessage,
  type MailboxState,
  metadataScopes,
  modifyScopes,
  readScopes,
  requireThere,
} from "./method.ts";
import { makePageToken, readMaxResults, readPageToken } from "./page-token.ts";

const formats: readonly Format[] = ["full", "metadata", "minimal", "raw"];

export const listMessages: ApiMethod = {
  name: "messages.list",
  verb: "GET",
  path: /^\/messages$/,
  scopes: metadataScopes,
  run: (state, call) => {
    requireThere(state);
    const query = parseQuery(call.query.get("q") ?? "", state.clock());
    const labelIds = call.query.getAll("labelIds");
    const hidden = call.query.get("includeSpamTrash") === "true" || query.namesPlace ? [] : ["SPAM", "TRASH"];
    const limit = readMaxResults(call.query);
    const pageToken = call.query.get("pageToken");
    const below = pageToken ? readSequence(pageToken) : Number.MAX_SAFE_INTEGER;
    const found: MessageRow[] = [];
    for (const message of state.messages.newestFirst(below)) {
      if (!labelIds.every((label) => message.labels.includes(label))) continue;
      if (message.labels.some((label) => hidden.includes(label) && !labelIds.includes(label))) continue;
      if (matchesQuery(query, message)) found.push(message);
      if (found.length > limit) break;
    }
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      ...(page.length > 0 ? { messages: page.map(({ id, thread_id }) => ({ id, threadId: thread_id })) } : {}),
      ...(last !== undefined && found.length > page.length
        ? { nextPageToken: makePageToken(String(last.sequence)) }
        : {}),
      resultSizeEstimate: found.length,
    };
  },
};

function readSequence(pageToken: string): number {
  const text = readPageToken(pageToken);
  if (!/^\d{1,15}$/.test(text)) throw googleErrors.invalidArgument("Invalid pageToken");
  return Number(text);
}

export const getMessage: ApiMethod = {
  name: "messages.get",
  verb: "GET",
  path: /^\/messages\/([^/]+)$/,
  scopes: metadataScopes,
  run: async (state, call) => {
    const message = takeMessage(state, call, "messages.get");
    const asked = (call.query.get("format") ?? "full").toLowerCase();
    const format = formats.find((name) => name === asked);
    if (format === undefined) throw googleErrors.invalidArgument(`Invalid value at 'format' "${asked}"`);
    const raw = await rawOf(state, message.id);
    const answer = await messageResource(message, raw, format, call.query.getAll("metadataHeaders"));
    const change = state.faults.take("labelsChange", "messages.get");
    if (change !== undefined) state.changes.relabel(message, change.add ?? [], change.remove ?? []);
    return answer;
  },
};

export const getAttachment: ApiMethod = {
  name: "messages.attachments.get",
  verb: "GET",
  path: /^\/messages\/([^/]+)\/attachments\/([^/]+)$/,
  scopes: readScopes,
  run: async (state, call) => {
    const message = takeMessage(state, call, "messages.attachments.get");
    const part = attachmentOf(parsePartTree(await rawOf(state, message.id)), message.id, call.params[1] ?? "");
    if (part === undefined) throw googleErrors.invalidArgument("Invalid attachment token");
    return { size: part.content.length, data: part.content.toString("base64url") };
  },
};

const change = z.looseObject({
  addLabelIds: z.array(z.string()).max(100).default([]),
  removeLabelIds: z.array(z.string()).max(100).default([]),
});

export const modifyMessage: ApiMethod = {
  name: "messages.modify",
  verb: "POST",
  path: /^\/messages\/([^/]+)\/modify$/,
  scopes: modifyScopes,
  run: (state, call) => {
    const request = change.safeParse(call.body ?? {});
    if (!request.success) throw googleErrors.invalidArgument("Invalid label");
    return relabelled(state, call, "messages.modify", request.data.addLabelIds, request.data.removeLabelIds);
  },
};

export const trashMessage: ApiMethod = {
  name: "messages.trash",
  verb: "POST",
  path: /^\/messages\/([^/]+)\/trash$/,
  scopes: modifyScopes,
  run: (state, call) => relabelled(state, call, "messages.trash", ["TRASH"], ["INBOX"]),
};

/** Takes the message out of Trash and no more: whoever wants it in the inbox again adds that label. */
export const untrashMessage: ApiMethod = {
  name: "messages.untrash",
  verb: "POST",
  path: /^\/messages\/([^/]+)\/untrash$/,
  scopes: modifyScopes,
  run: (state, call) => relabelled(state, call, "messages.untrash", [], ["TRASH"]),
};

const batchChange = change.extend({ ids: z.array(z.string()).min(1).max(1000) });

export const batchModify: ApiMethod = {
  name: "messages.batchModify",
  verb: "POST",
  path: /^\/messages\/batchModify$/,
  scopes: modifyScopes,
  run: (state, call) => {
    const request = batchChange.safeParse(call.body);
    if (!request.success) throw googleErrors.invalidArgument("Invalid ids: 1 to 1000 are allowed");
    for (const id of request.data.ids) {
      const message = findMessage(state, id);
      if (message !== undefined) state.changes.relabel(message, request.data.addLabelIds, request.data.removeLabelIds);
    }
    return undefined;
  },
};

type OneMessageMethod =
  | "messages.get"
  | "messages.attachments.get"
  | "messages.modify"
  | "messages.trash"
  | "messages.untrash";

function takeMessage(state: MailboxState, call: ApiCall, method: OneMessageMethod) {
  const [id] = call.params;
  if (id === undefined || !/^[0-9a-f]{1,16}$/i.test(id)) throw googleErrors.invalidArgument("Invalid id value");
  const message = findMessage(state, id);
  if (message === undefined || state.faults.take("messageGone", method, id) !== undefined)
    throw googleErrors.notFound();
  return message;
}

function relabelled(
  state: MailboxState,
  call: ApiCall,
  method: OneMessageMethod,
  add: readonly string[],
  remove: readonly string[],
) {
  const message = takeMessage(state, call, method);
  state.changes.relabel(message, add, remove);
  const { id, thread_id, labels } = findMessage(state, message.id) ?? message;
  return { id, threadId: thread_id, labelIds: labels };
}

async function rawOf(state: MailboxState, id: string): Promise<Buffer> {
  const content = await state.readContent(id);
  if (content === "missing") throw googleErrors.notFound();
  if (content === "changed") throw googleErrors.backendError(503);
  return content.raw;
}
