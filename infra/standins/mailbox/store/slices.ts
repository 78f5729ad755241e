import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { grownId } from "../../../../shared/scouts/connectors/mail/grown-message.ts";
import type { MailFile } from "../formats/mail-files.ts";
import { isDeleted } from "../formats/status-fields.ts";
import { type ExportedLabels, takeoutLabels } from "../formats/takeout-labels.ts";
import { type Messages, type NewMessage, presence } from "./messages.ts";
import type { Origin } from "./origin.ts";
import { type FoundSlice, type KnownSlice, sliceRow } from "./slice.ts";

const fileRow = z.object({ path: z.string(), size_bytes: z.number(), modified_ms: z.number(), resume_at: z.number() });
export type KnownFile = z.infer<typeof fileRow>;

const idRow = z.object({ id: z.string() });
const countRow = z.object({ n: z.number() });

export interface Slices {
  files(): Map<string, KnownFile>;
  saveFile(file: MailFile, resumeAt: number): void;
  dropFile(path: string): void;
  /** Has the files that a message lies in read whole at the next scan. */
  distrust(messageId: string): void;
  /** The same of every mbox. */
  distrustMboxes(): void;
  /** What is known of a file from an offset on, by offset. */
  inFile(path: string, from: number): Map<number, KnownSlice>;
  /** Some messages of a file that lie before an offset, evenly spread. */
  sample(path: string, before: number, count: number): KnownSlice[];
  /** Takes the messages of a file, from an offset on, off their places; the file counts as not read. */
  liftFrom(path: string, from: number): void;
  /**
   * Ties found bytes to a message: to the one that lay there, or to one with the same content that has lost its place, and only
   * when there is none to a new one. What has grown is another message than its beginning was, which has lost its place
   * then, once anybody was told of that.
   */
  place(file: MailFile, found: FoundSlice, origin: Origin): void;
  /** Leaves a message as it lay in a file. */
  keep(file: MailFile, slice: KnownSlice): void;
  /** Leaves messages as they lay in a file that fails when it is read: it is read again at each scan. */
  keepUnread(file: MailFile, slices: Iterable<KnownSlice>): void;
  /** Whether a message with this content has lost its place. */
  isKnown(identity: string): boolean;
  /**
   * Messages that are nowhere any more: the ids of those that had arrived, which stay so until that is noted together with
   * its record in the history. The others are marked.
   */
  lost(): string[];
}

const nowhere = `NOT EXISTS (SELECT 1 FROM slices WHERE message_id = messages.id)
  AND NOT EXISTS (SELECT 1 FROM delivered WHERE message_id = messages.id)`;

/** Where messages lie in the mailbox's files. Writers call it inside a transaction. */
export function openSlices(database: DatabaseSync, messages: Messages): Slices {
  const files = database.prepare("SELECT * FROM files");
  const putFile = database.prepare("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)");
  const dropFile = database.prepare("DELETE FROM files WHERE path = ?");
  const distrust = database.prepare(`UPDATE files SET size_bytes = -1, resume_at = 0
    WHERE path IN (SELECT path FROM slices WHERE message_id = ?)`);
  const distrustMboxes = database.prepare(`UPDATE files SET size_bytes = -1, resume_at = 0
    WHERE path IN (SELECT path FROM slices WHERE layout = 'mbox')`);
  const dropSlices = database.prepare("DELETE FROM slices WHERE path = ?");
  const select = database.prepare("SELECT offset, length, hash, message_id FROM slices WHERE path = ? AND offset >= ?");
  const countBefore = database.prepare("SELECT COUNT(*) AS n FROM slices WHERE path = ? AND offset < ?");
  const sample = database.prepare(`SELECT offset, length, hash, message_id FROM
    (SELECT *, ROW_NUMBER() OVER (ORDER BY offset) AS place FROM slices WHERE path = ? AND offset < ?)
    WHERE place % ? = 0`);
  const put = database.prepare("INSERT OR REPLACE INTO slices VALUES (?, ?, ?, ?, ?, ?)");
  const lift = database.prepare("DELETE FROM slices WHERE path = ? AND offset >= ?");
  const homeless = database.prepare(`SELECT id FROM messages
    WHERE hash = ? AND gone <> ${presence.removed} AND ${nowhere} ORDER BY occurrence LIMIT 1`);
  const elsewhere = database.prepare(`SELECT messages.id FROM messages JOIN slices ON slices.message_id = messages.id
    WHERE messages.hash = ? AND messages.gone = ${presence.present}
    GROUP BY messages.id HAVING SUM(slices.path = ?) = 0 ORDER BY messages.occurrence LIMIT 1`);
  const lost = database.prepare(`SELECT id, arrived FROM messages WHERE gone = ${presence.present} AND ${nowhere}`);

  function messageFor(
    path: string,
    found: FoundSlice,
    exported: ExportedLabels | undefined,
    labels: readonly string[],
    as: Pick<NewMessage, "id" | "threadId"> = {},
  ): string {
    // An export by label puts a message into the file of each of its labels.
    const copy = exported === undefined ? undefined : elsewhere.get(found.identity, path);
    const row = homeless.get(found.identity) ?? copy;
    if (row !== undefined) {
      const { id } = idRow.parse(row);
      messages.found(id);
      return id;
    }
    return messages.add({
      hash: found.identity,
      head: found.head,
      sizeBytes: found.length,
      labels,
      ...(exported && { names: exported.names }),
      ...as,
    });
  }

  /** What a message is called that has grown; undefined when it has too often. */
  function nextOf(id: string): string | undefined {
    let next = grownId(id);
    while (next !== undefined && messages.byId(next) !== undefined) next = grownId(next);
    return next;
  }

  function messageAt(
    path: string,
    found: FoundSlice,
    origin: Origin,
    exported: ExportedLabels | undefined,
    labels: readonly string[],
  ): string {
    if (origin.how === "other") return messageFor(path, found, exported, labels);
    const id = origin.before.message_id;
    if (origin.how === "grown") {
      const before = messages.byId(id);
      if (before?.arrived !== 1) return messageFor(path, found, exported, labels);
      const next = nextOf(id);
      if (next !== undefined)
        return messageFor(path, found, exported, labels, { id: next, threadId: before.thread_id });
    }
    if (origin.how !== "same" || found.identity !== found.hash) messages.setContent(id, found.identity, found.length);
    return id;
  }

  function keep(file: MailFile, { offset, length, hash, message_id }: KnownSlice): void {
    put.run(file.path, file.layout, offset, length, hash, message_id);
  }

  return {
    files: () =>
      new Map(
        z
          .array(fileRow)
          .parse(files.all())
          .map((row) => [row.path, row]),
      ),
    saveFile: (file, resumeAt) => {
      putFile.run(file.path, file.sizeBytes, file.modifiedMs, resumeAt);
    },
    dropFile: (path) => {
      dropSlices.run(path);
      dropFile.run(path);
    },
    distrust: (messageId) => {
      distrust.run(messageId);
    },
    distrustMboxes: () => {
      distrustMboxes.run();
    },
    inFile: (path, from) =>
      new Map(
        z
          .array(sliceRow)
          .parse(select.all(path, from))
          .map((row) => [row.offset, row]),
      ),
    sample: (path, before, count) => {
      const { n } = countRow.parse(countBefore.get(path, before));
      return z.array(sliceRow).parse(sample.all(path, before, Math.max(1, Math.ceil(n / count))));
    },
    liftFrom: (path, from) => {
      lift.run(path, from);
      dropFile.run(path);
    },
    place: (file, found, origin) => {
      const exported = file.layout === "mbox" ? takeoutLabels(found.head) : undefined;
      const isInTrash = exported === undefined && file.layout === "mbox" && isDeleted(found.head);
      const labels = exported?.labels ?? (isInTrash ? ["TRASH"] : file.labels);
      const id = messageAt(file.path, found, origin, exported, labels);
      if (exported) messages.setExported(id, { head: found.head, ...exported });
      // Deleted there, or brought back, since it was read last.
      else if (file.layout === "mbox" && (isInTrash || messages.byId(id)?.labels.includes("TRASH")))
        messages.setExported(id, { head: found.head, labels });
      put.run(file.path, file.layout, found.offset, found.length, found.hash, id);
    },
    keep,
    keepUnread: (file, slices) => {
      for (const slice of slices) keep(file, slice);
      putFile.run(file.path, -1, file.modifiedMs, 0);
    },
    isKnown: (identity) => homeless.get(identity) !== undefined,
    lost: () => {
      const rows = z.array(z.object({ id: z.string(), arrived: z.number() })).parse(lost.all());
      const [known, untold] = [
        rows.filter(({ arrived }) => arrived === 1),
        rows.filter(({ arrived }) => arrived !== 1),
      ];
      for (const { id } of untold) messages.setPresence(id, presence.missing);
      return known.map(({ id }) => id);
    },
  };
}
