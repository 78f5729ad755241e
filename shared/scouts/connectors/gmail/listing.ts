import type { gmail_v1 } from "googleapis/build/src/apis/gmail/index.js";
import { isScoutsError, ScoutsError } from "../../../../events/errors.ts";
import { type ItemRef, itemRef } from "../../../../events/ids.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Listing, Position, ScoutAtSource } from "../connector.ts";
import type { GmailClient } from "./client.ts";
import { isWatched } from "./message.ts";
import {
  type GmailCursor,
  isBehind,
  type ListingPage,
  readCursor,
  readPage,
  writeCursor,
  writePage,
} from "./position.ts";

/** The most `history.list` and `messages.list` give out at once. */
const pageSize = 500;
/** A back-fill looks at most this far back; older mail is not news. */
const windowSeconds = 30 * 86_400;
/** Gmail's `after:` counts in its own receiving time: begin a little earlier than we think we stopped. */
const marginSeconds = 300;
/** Histories lost in a row are searched for once in this time: what comes sooner is an error and not a loop. */
const recoverEverySeconds = 3600;

/** One page of what is new in a mailbox since a position: from its history, or by searching once that is lost. */
export async function listNew(client: GmailClient, clock: Clock, scout: ScoutAtSource, at: Position): Promise<Listing> {
  const nowSeconds = Math.floor(clock() / 1000);
  const cursor = readCursor(at.cursor);
  const page = at.page === undefined ? undefined : readPage(at.page);
  try {
    return await listPage(client, scout, cursor, page, nowSeconds);
  } catch (error) {
    // HTTP 400 on a listing under way: its page token is not taken any more, so the listing begins anew.
    if (page?.token === undefined || !isScoutsError(error, "item_unreadable")) throw error;
    const { token: _, ...first } = page;
    return listPage(client, scout, cursor, first.kind === "backfill" ? first : undefined, nowSeconds);
  }
}

async function listPage(
  client: GmailClient,
  scout: ScoutAtSource,
  cursor: GmailCursor,
  page: ListingPage | undefined,
  nowSeconds: number,
): Promise<Listing> {
  if (page?.kind === "backfill") return backfill(client, scout, page);
  try {
    return await history(client, scout, cursor, page, nowSeconds);
  } catch (error) {
    if (!isScoutsError(error, "item_gone")) throw error;
    return recover(client, scout, cursor, nowSeconds, error);
  }
}

async function history(
  client: GmailClient,
  scout: ScoutAtSource,
  cursor: GmailCursor,
  page: Extract<ListingPage, { kind: "history" }> | undefined,
  nowSeconds: number,
): Promise<Listing> {
  const answer = await client.call(scout, (users) =>
    users.history.list({
      userId: "me",
      startHistoryId: cursor.historyId,
      historyTypes: ["messageAdded"],
      labelId: "INBOX",
      maxResults: pageSize,
      ...(page ? { pageToken: page.token } : {}),
    }),
  );
  const refs = (answer.history ?? []).flatMap((record) => addedRefs(record));
  const target = page?.target ?? answer.historyId ?? cursor.historyId;
  // A first page can be answered by a server that is a moment behind, or by a mailbox that counts anew.
  if (isBehind(target, cursor.historyId)) return behind(client, scout, cursor, nowSeconds, refs);
  const startedAtSeconds = page?.startedAtSeconds ?? nowSeconds;
  if (answer.nextPageToken) {
    return { refs, nextPage: writePage({ kind: "history", token: answer.nextPageToken, target, startedAtSeconds }) };
  }
  return { refs, cursor: writeCursor({ historyId: target, completeAtSeconds: startedAtSeconds, recovered: false }) };
}

/**
 * The mailbox names an id before ours. Where it does so when asked again, its ids count from lower ones by now (an account made
 * anew under the same address): it would name nothing new until they are where ours was, so that history is lost as well.
 */
async function behind(
  client: GmailClient,
  scout: ScoutAtSource,
  cursor: GmailCursor,
  nowSeconds: number,
  refs: ItemRef[],
): Promise<Listing> {
  const { historyId } = await client.call(scout, (users) => users.getProfile({ userId: "me" }));
  if (historyId && isBehind(historyId, cursor.historyId)) {
    return recover(client, scout, cursor, nowSeconds, new ScoutsError("item_gone"));
  }
  // What is known to be complete stays what it was.
  return { refs, cursor: writeCursor(cursor) };
}

/**
 * The history is gone (HTTP 404): search from the last moment known to be complete instead, and say so.
 *
 * @throws source_history_lost when that was done a moment ago and led nowhere
 */
async function recover(
  client: GmailClient,
  scout: ScoutAtSource,
  cursor: GmailCursor,
  nowSeconds: number,
  cause: unknown,
): Promise<Listing> {
  const justRecovered = cursor.recovered && nowSeconds - cursor.completeAtSeconds < recoverEverySeconds;
  if (justRecovered) throw new ScoutsError("source_history_lost", { data: { scoutId: scout.scoutId }, cause });
  const profile = await client.call(scout, (users) => users.getProfile({ userId: "me" }));
  if (!profile.historyId) throw new ScoutsError("source_unavailable", { data: { what: "profile" } });
  const fromSeconds = Math.max(cursor.completeAtSeconds - marginSeconds, nowSeconds - windowSeconds);
  const target = profile.historyId;
  return backfill(client, scout, { kind: "backfill", target, startedAtSeconds: nowSeconds, fromSeconds });
}

async function backfill(
  client: GmailClient,
  scout: ScoutAtSource,
  page: Extract<ListingPage, { kind: "backfill" }>,
): Promise<Listing> {
  const answer = await client.call(scout, (users) =>
    users.messages.list({
      userId: "me",
      q: `in:inbox after:${page.fromSeconds}`,
      maxResults: pageSize,
      ...(page.token === undefined ? {} : { pageToken: page.token }),
    }),
  );
  const refs = (answer.messages ?? []).flatMap((message) => refOf(message));
  if (answer.nextPageToken) return { refs, nextPage: writePage({ ...page, token: answer.nextPageToken }) };
  const { target, startedAtSeconds, fromSeconds } = page;
  return {
    refs,
    cursor: writeCursor({ historyId: target, completeAtSeconds: startedAtSeconds, recovered: true }),
    gap: { fromMs: fromSeconds * 1000, toMs: startedAtSeconds * 1000 },
  };
}

function addedRefs(record: gmail_v1.Schema$History): ItemRef[] {
  return (record.messagesAdded ?? []).flatMap(({ message }) => {
    // A record may lack labels; the read that follows decides then.
    const labels = message?.labelIds;
    return message && (!labels || isWatched(labels)) ? refOf(message) : [];
  });
}

function refOf(message: gmail_v1.Schema$Message): ItemRef[] {
  const ref = itemRef.safeParse(message.id);
  return ref.success ? [ref.data] : [];
}
