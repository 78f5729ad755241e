import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { writtenMoment } from "../../../../shared/scouts/connectors/written-date.ts";
import { fieldsOfHead, fieldValue, type HeaderField } from "../mime/header-fields.ts";

const stringList = z.string().transform((text) => z.array(z.string()).parse(JSON.parse(text)));

const messageRow = z.object({
  id: z.string(),
  thread_id: z.string(),
  arrived: z.number(),
  gone: z.number(),
  internal_date_ms: z.number(),
  history_id: z.string(),
  labels: stringList,
  size_bytes: z.number(),
  sender: z.string(),
  recipients: z.string(),
  subject: z.string(),
  rfc_id: z.string(),
  sequence: z.number(),
  look: z.string(),
});
export type MessageRow = z.infer<typeof messageRow>;

const columns = `id, thread_id, arrived, gone, internal_date_ms, CAST(history_id AS TEXT) AS history_id, labels,
  size_bytes, sender, recipients, subject, rfc_id, sequence, look`;
const idRow = z.object({ id: z.string() });
const countRow = z.object({ n: z.number() });

/** What is known of a message before it arrives. */
export interface NewMessage {
  readonly hash: string;
  readonly head: Buffer;
  readonly sizeBytes: number;
  readonly labels: readonly string[];
  /** Labels as an export lists them, where it does. */
  readonly names?: readonly string[];
  /** Of one that was known as its beginning: what it is called now, and the conversation it was in. */
  readonly id?: string;
  readonly threadId?: string;
}

/**
 * Whether a message's place still holds it: `missing` ones come back when the place does, `removed` ones were deleted
 * on purpose. One that is there again after it was told to be gone is `returned` until that is told too: whoever asked for it meanwhile
 * has noted that there is none.
 */
export const presence = { present: 0, missing: 1, removed: 2, returned: 3 } as const;

export interface Messages {
  /** Adds one that has not arrived yet; unless it is called otherwise, its id is of the content's hash and how often that was seen. */
  add(message: NewMessage): string;
  byId(id: string): MessageRow | undefined;
  waiting(limit: number): MessageRow[];
  waitingCount(): number;
  /** Arrived and present messages, newest first, from below a sequence number on; read as far as they are asked for. */
  newestFirst(belowSequence: number): Iterable<MessageRow>;
  counts(): { messages: number; arrived: number; threads: number };
  /** Arrived and present messages that carry a label, and how many of them are unread. */
  labelled(label: string): { total: number; unread: number };
  arrive(id: string, internalDateMs: number, historyId: bigint): void;
  setLabels(id: string, labels: readonly string[], historyId: bigint): void;
  /** Other bytes for a message that had not been read whole. */
  setContent(id: string, hash: string, sizeBytes: number): void;
  setPresence(id: string, value: (typeof presence)[keyof typeof presence]): void;
  /** Its bytes have been found somewhere. */
  found(id: string): void;
  /** What a newer export says of a known message; one that has arrived keeps the labels it has by now. */
  setExported(id: string, found: Pick<NewMessage, "head" | "labels" | "names">): void;
}

/** What is left out by choice stays away until the choice is another; sent mail and spam lie in the mailbox as well. */
const toArrive = `(arrived = 0 AND gone = ${presence.present} AND look NOT IN ('new', 'since', 'limit', 'labels'))
  OR gone = ${presence.returned}`;

/** The messages of the mailbox. */
export function openMessages(database: DatabaseSync): Messages {
  const seen = database.prepare("SELECT COUNT(*) AS n FROM messages WHERE hash = ?");
  const insert = database.prepare(`INSERT INTO messages (id, hash, occurrence, thread_id, arrived, gone,
    internal_date_ms, history_id, labels, size_bytes, sender, recipients, subject, rfc_id, place, names, dated_ms, look)
    VALUES (?, ?, ?, ?, 0, 0, 0, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'new')`);
  const threadOf = database.prepare("SELECT thread_id AS id FROM messages WHERE rfc_id = ? LIMIT 1");
  const byId = database.prepare(`SELECT ${columns} FROM messages WHERE id = ?`);
  const waiting = database.prepare(`SELECT ${columns} FROM messages WHERE ${toArrive} ORDER BY sequence LIMIT ?`);
  const waitingCount = database.prepare(`SELECT COUNT(*) AS n FROM messages WHERE ${toArrive}`);
  const newest = `SELECT ${columns} FROM messages
    WHERE arrived = 1 AND gone = 0 AND sequence < ? ORDER BY sequence DESC`;
  const counts = database.prepare(
    "SELECT COUNT(*) AS messages, COALESCE(SUM(arrived), 0) AS arrived, COUNT(DISTINCT thread_id) AS threads FROM messages WHERE gone = 0",
  );
  const labelled = database.prepare(`SELECT COUNT(*) AS total, COALESCE(SUM(instr(labels, '"UNREAD"') > 0), 0) AS unread
    FROM messages WHERE arrived = 1 AND gone = 0 AND instr(labels, ?) > 0`);
  const arrive = database.prepare(
    `UPDATE messages SET arrived = 1, gone = ${presence.present}, internal_date_ms = ?, history_id = ? WHERE id = ?`,
  );
  const setLabels = database.prepare("UPDATE messages SET labels = ?, history_id = ? WHERE id = ?");
  // A content seen before in that place in the row keeps its old hash: identity is not worth a failed scan.
  const setContent = database.prepare("UPDATE OR IGNORE messages SET hash = ?, size_bytes = ? WHERE id = ?");
  const setGone = database.prepare("UPDATE messages SET gone = ? WHERE id = ?");
  const found = database.prepare(`UPDATE messages SET gone = CASE
    WHEN gone IN (${presence.missing}, ${presence.returned}) AND arrived = 1 THEN ${presence.returned} ELSE ${presence.present} END WHERE id = ?`);
  const setExported = database.prepare(
    "UPDATE messages SET names = ?, dated_ms = ?, place = CASE look WHEN 'yes' THEN place ELSE ? END WHERE id = ?",
  );
  const setWaiting = database.prepare("UPDATE messages SET labels = ? WHERE id = ? AND arrived = 0");

  return {
    add: ({ hash, head, sizeBytes, labels, names, ...as }) => {
      const occurrence = countRow.parse(seen.get(hash)).n;
      const id = as.id ?? messageId(hash, occurrence);
      const fields = fieldsOfHead(head);
      const references = `${fieldValue(fields, "References")} ${fieldValue(fields, "In-Reply-To")}`.match(
        /<[^<>\s]+>/g,
      );
      let threadId = as.threadId ?? id;
      for (const reference of (references ?? []).slice(-20).reverse()) {
        const found = threadOf.get(reference);
        if (found === undefined) continue;
        threadId = idRow.parse(found).id;
        break;
      }
      insert.run(
        id,
        hash,
        occurrence,
        threadId,
        JSON.stringify(labels),
        sizeBytes,
        fieldValue(fields, "From"),
        `${fieldValue(fields, "To")} ${fieldValue(fields, "Cc")}`.trim(),
        fieldValue(fields, "Subject"),
        /<[^<>\s]+>/.exec(fieldValue(fields, "Message-ID"))?.[0] ?? "",
        placeOf(labels),
        JSON.stringify(names ?? []),
        dateOf(fields),
      );
      return id;
    },
    byId: (id) => {
      const row = byId.get(id);
      return row === undefined ? undefined : messageRow.parse(row);
    },
    waiting: (limit) => z.array(messageRow).parse(waiting.all(limit)),
    waitingCount: () => countRow.parse(waitingCount.get()).n,
    *newestFirst(belowSequence) {
      // Its own statement each time: two lists may be read in turns.
      for (const row of database.prepare(newest).iterate(belowSequence)) yield messageRow.parse(row);
    },
    counts: () => z.object({ messages: z.number(), arrived: z.number(), threads: z.number() }).parse(counts.get()),
    labelled: (label) => z.object({ total: z.number(), unread: z.number() }).parse(labelled.get(JSON.stringify(label))),
    arrive: (id, internalDateMs, historyId) => {
      arrive.run(internalDateMs, historyId, id);
    },
    setLabels: (id, labels, historyId) => {
      setLabels.run(JSON.stringify(labels), historyId, id);
    },
    setContent: (id, hash, sizeBytes) => {
      setContent.run(hash, sizeBytes, id);
    },
    setPresence: (id, value) => {
      setGone.run(value, id);
    },
    found: (id) => {
      found.run(id);
    },
    setExported: (id, { head, labels, names }) => {
      setExported.run(JSON.stringify(names ?? []), dateOf(fieldsOfHead(head)), placeOf(labels), id);
      setWaiting.run(JSON.stringify(labels), id);
    },
  };
}

/** Where a message lies: the inbox before all others. */
function placeOf(labels: readonly string[]): string {
  return labels.includes("INBOX") ? "INBOX" : (labels[0] ?? "ARCHIVE");
}

/** When a message was written, else when the last server took it, epoch milliseconds; 0 when neither can be read. */
function dateOf(fields: readonly HeaderField[]): number {
  const received = fieldValue(fields, "Received");
  const times = [fieldValue(fields, "Date"), received.slice(received.lastIndexOf(";") + 1)].map(writtenMoment);
  return times.find((time) => time !== undefined) ?? 0;
}

/** Sixteen hex digits that begin with 1, as Gmail's do; the same mailbox read anywhere gives the same ids. */
function messageId(hash: string, occurrence: number): string {
  return `1${createHash("sha256").update(`${hash}:${occurrence}`).digest("hex").slice(0, 15)}`;
}
