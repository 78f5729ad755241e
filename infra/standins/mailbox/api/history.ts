import { googleErrors } from "../google-error.ts";
import type { HistoryKind, HistoryRecord } from "../store/history.ts";
import { type ApiCall, type ApiMethod, type MailboxState, metadataScopes, requireThere } from "./method.ts";
import { makePageToken, readMaxResults, readPageToken } from "./page-token.ts";

const kinds: readonly HistoryKind[] = ["messageAdded", "messageDeleted", "labelAdded", "labelRemoved"];
const recordKeys = {
  messageAdded: "messagesAdded",
  messageDeleted: "messagesDeleted",
  labelAdded: "labelsAdded",
  labelRemoved: "labelsRemoved",
} as const;

/** https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.history/list */
export const listHistory: ApiMethod = {
  name: "history.list",
  verb: "GET",
  path: /^\/history$/,
  scopes: metadataScopes,
  run: (state, call) => {
    requireThere(state);
    const historyId = state.history.current().toString();
    const start = readStart(state, call);
    if (start < state.history.floor()) throw googleErrors.notFound();

    const position = readPosition(call, start);
    if (state.faults.take("historyWithoutKey", "history.list") !== undefined) {
      return { nextPageToken: makePageToken(position.token), historyId };
    }
    const limit = readMaxResults(call.query);
    const records = state.history.after(position.after, readKinds(call), limit + 1, position.inclusive);
    const page = records.slice(0, limit);
    const last = page.at(-1);
    const repeated = page.length > 1 && state.faults.take("historyRepeated", "history.list") !== undefined;
    const more = records.length > limit || repeated;
    const labelId = call.query.get("labelId");
    const history = page.map((record) => resource(state, record, labelId)).filter((record) => record !== undefined);
    return {
      ...(history.length > 0 ? { history } : {}),
      ...(more && last !== undefined ? { nextPageToken: makePageToken(`${repeated ? "=" : ">"}${last.id}`) } : {}),
      historyId,
    };
  },
};

function readStart(state: MailboxState, call: ApiCall): bigint {
  const text = call.query.get("startHistoryId");
  if (text === null || text === "") throw googleErrors.invalidArgument("Missing/invalid parameter: startHistoryId");
  if (!/^\d{1,20}$/.test(text)) {
    throw googleErrors.invalidArgument(`Invalid value at 'start_history_id' (TYPE_UINT64), "${text}"`);
  }
  if (state.faults.take("historyNotFound", "history.list") !== undefined) throw googleErrors.notFound();
  return BigInt(text);
}

function readPosition(call: ApiCall, start: bigint): { after: bigint; inclusive: boolean; token: string } {
  const pageToken = call.query.get("pageToken");
  if (!pageToken) return { after: start, inclusive: false, token: `>${start}` };
  const token = readPageToken(pageToken);
  if (!/^[=>]\d{1,20}$/.test(token)) throw googleErrors.invalidArgument("Invalid pageToken");
  return { after: BigInt(token.slice(1)), inclusive: token.startsWith("="), token };
}

function readKinds(call: ApiCall): readonly HistoryKind[] {
  const wanted = call.query.getAll("historyTypes");
  if (wanted.length === 0) return kinds;
  const known = kinds.filter((kind) => wanted.includes(kind));
  if (known.length === 0) throw googleErrors.invalidArgument("Invalid value at 'history_types'");
  return known;
}

function resource(state: MailboxState, record: HistoryRecord, labelId: string | null) {
  const row = state.messages.byId(record.message_id);
  if (row === undefined) return undefined;
  const labels = row.gone === 0 ? row.labels : undefined;
  if (labelId !== null && !(labels ?? []).includes(labelId) && !record.labels.includes(labelId)) return undefined;
  const reference = { id: row.id, threadId: row.thread_id };
  const change = {
    message: { ...reference, ...(labels === undefined ? {} : { labelIds: labels }) },
    ...(record.kind.startsWith("label") ? { labelIds: record.labels } : {}),
  };
  return { id: record.id, messages: [reference], [recordKeys[record.kind]]: [change] };
}
