import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import type { MailFile } from "../formats/source.ts";
import { takeoutLabels } from "../../../local/standins/mailbox/formats/takeout-labels.ts";
import { type Messages, presence } from "./messages.ts";

const fileRow = z.object({ path: z.string(), size_bytes: z.number(), modified_ms: z.number(), resume_at: z.number() });
export type KnownFile = z.infer<typeof fileRow>;

const sliceRow = z.object({ offset: z.number(), length: z.number(), hash: z.string(), message_id: z.string() });
export type KnownSlice = z.infer<typeof sliceRow>;

/** A message's bytes as found in a file. */
export interface FoundSlice {
  readonly offset: number;
  readonly length: number;
  readonly hash: string;
  readonly head: Buffer;
}

export interface Slices {
  files(): Map<string, KnownFile>;
  saveFile(file: MailFile, resumeAt: number): void;
  dropFile(path: string): void;
  /** What is known of a file from an offset on, by offset. */
  inFile(path: string, from: number): Map<number, KnownSlice>;
  /** Takes the messages of a file, from an offset on, off their places; the file counts as not read. */
  liftFrom(path: string, from: number): void;
  /**
   * Ties found bytes to a message: `grown` says they continue what was there before. Otherwise a message with the same
   * content that has lost its place gets it back, and only when there is none is it a new one.
   */
  place(file: MailFile, found: FoundSlice, before: KnownSlice | undefined, grown: boolean): void;
  /** Messages that are nowhere any more, marked so; the ids of those that had arrived. */
  markMissing(): string[];
}

const nowhere = `NOT EXISTS (SELECT 1 FROM slices WHERE message_id = messages.id)
  AND NOT EXISTS (SELECT 1 FROM delivered WHERE message_id = messages.id)`;

/** Where messages lie in the mailbox's files. Writers call it inside a transaction. */
export function openSlices(database: DatabaseSync, messages: Messages): Slices {
  const files = database.prepare("SELECT * FROM files");
  const putFile = database.prepare("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)");
  const dropFile = database.prepare("DELETE FROM files WHERE path = ?");
  const dropSlices = database.prepare("DELETE FROM slices WHERE path = ?");
  const select = database.prepare("SELECT offset, length, hash, message_id FROM slices WHERE path = ? AND offset >= ?");
  const put = database.prepare("INSERT OR REPLACE INTO slices VALUES (?, ?, ?, ?, ?, ?)");
  const lift = database.prepare("DELETE FROM slices WHERE path = ? AND offset >= ?");
  const homeless = database.prepare(`SELECT id FROM messages
    WHERE hash = ? AND gone <> ${presence.removed} AND ${nowhere} ORDER BY occurrence LIMIT 1`);
  const lost = database.prepare(`SELECT id, arrived FROM messages WHERE gone = ${presence.present} AND ${nowhere}`);

  function messageFor(file: MailFile, found: FoundSlice): string {
    const row = homeless.get(found.hash);
    if (row !== undefined) {
      const { id } = z.object({ id: z.string() }).parse(row);
      messages.setPresence(id, presence.present);
      return id;
    }
    const labels = (file.layout === "mbox" ? takeoutLabels(found.head) : undefined) ?? file.labels;
    return messages.add({ hash: found.hash, head: found.head, sizeBytes: found.length, labels });
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
    inFile: (path, from) =>
      new Map(
        z
          .array(sliceRow)
          .parse(select.all(path, from))
          .map((row) => [row.offset, row]),
      ),
    liftFrom: (path, from) => {
      lift.run(path, from);
      dropFile.run(path);
    },
    place: (file, found, before, grown) => {
      const same = before !== undefined && (grown || before.hash === found.hash);
      if (same && grown) messages.setContent(before.message_id, found.hash, found.length);
      const id = same ? before.message_id : messageFor(file, found);
      put.run(file.path, file.layout, found.offset, found.length, found.hash, id);
    },
    markMissing: () => {
      const rows = z.array(z.object({ id: z.string(), arrived: z.number() })).parse(lost.all());
      for (const { id } of rows) messages.setPresence(id, presence.missing);
      return rows.filter((row) => row.arrived === 1).map((row) => row.id);
    },
  };
}
