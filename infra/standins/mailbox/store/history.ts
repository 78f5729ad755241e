import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import type { Meta } from "./meta.ts";

export type HistoryKind = "messageAdded" | "messageDeleted" | "labelAdded" | "labelRemoved";

const labels = z.array(z.string());
const record = z.object({
  id: z.string(),
  message_id: z.string(),
  kind: z.enum(["messageAdded", "messageDeleted", "labelAdded", "labelRemoved"]),
  labels: z.string().transform((text) => labels.parse(JSON.parse(text))),
});
const records = z.array(record);
const idRow = z.object({ id: z.string() });
export type HistoryRecord = z.infer<typeof record>;

/** Real ids of old accounts exceed what a double holds exactly; starting beyond 2^53 makes every reader prove it. */
const firstId = 2n ** 53n + 1_234_567n;
const largestStep = 97;

export interface History {
  /** The id of the latest change. */
  current(): bigint;
  /** The id of the latest arrival of a message that is still told of; 0 when there is none. */
  lastArrival(): bigint;
  /** Records a change and returns its id. */
  append(messageId: string, kind: HistoryKind, labels: readonly string[]): bigint;
  /** Changes after an id in order; `inclusive` repeats the one with that id. */
  after(id: bigint, kinds: readonly HistoryKind[], limit: number, inclusive?: boolean): HistoryRecord[];
  /** Ids below this are forgotten and answered 404. */
  floor(): bigint;
  forgetUntilNow(): void;
}

/** The mailbox's change log. Ids rise by uneven steps, as Gmail's do. */
export function openHistory(database: DatabaseSync, meta: Meta, random: () => number): History {
  const insert = database.prepare("INSERT INTO history VALUES (?, ?, ?, ?)");
  const selects = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  let latest = BigInt(meta.get("historyId") ?? firstId);
  if (meta.get("historyFloor") === undefined) meta.set("historyFloor", latest.toString());

  const lastArrival = database.prepare(
    "SELECT CAST(id AS TEXT) AS id FROM history WHERE kind = 'messageAdded' ORDER BY history.id DESC LIMIT 1",
  );
  const forget = database.prepare("DELETE FROM history WHERE id <= ?");
  return {
    current: () => latest,
    lastArrival: () => {
      const row = lastArrival.get();
      return row === undefined ? 0n : BigInt(idRow.parse(row).id);
    },
    append: (messageId, kind, labels) => {
      latest += 1n + BigInt(Math.floor(random() * largestStep));
      insert.run(latest, messageId, kind, JSON.stringify(labels));
      meta.set("historyId", latest.toString());
      return latest;
    },
    after: (id, kinds, limit, inclusive = false) => {
      const sql = `SELECT CAST(id AS TEXT) AS id, message_id, kind, labels FROM history
        WHERE id ${inclusive ? ">=" : ">"} ? AND kind IN (${kinds.map(() => "?").join(",")}) ORDER BY history.id LIMIT ?`;
      const select = selects.get(sql) ?? database.prepare(sql);
      selects.set(sql, select);
      return records.parse(select.all(id, ...kinds, limit));
    },
    floor: () => BigInt(meta.get("historyFloor") ?? firstId),
    forgetUntilNow: () => {
      latest += 1n;
      meta.set("historyId", latest.toString());
      meta.set("historyFloor", latest.toString());
      forget.run(latest);
    },
  };
}
