import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import * as z from "zod";
import { storeCall } from "../../store/sqlite/sqlite-errors.ts";

/** What an index's vectors are made with; part of what it is. */
export interface MadeWith {
  /** See `modelNameOf`. */
  readonly model: string;
  /** Numbers in a vector; null before the model has answered once. */
  readonly dimension: number | null;
}

export const madeWithFact = "vectorsMadeWith";
/** @param month as `2026-11` */
export const tokensFact = (month: string): string => `embeddingTokens ${month}`;

/** The month of a time, in UTC, as the plans count. */
export const monthOf = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 7);

const madeWith = z.object({ model: z.string(), dimension: z.number().int().min(1).nullable() });

/** Undefined before there were any. */
export function readMadeWith(connection: DatabaseSync): MadeWith | undefined {
  const text = valueIn(connection, "SELECT value FROM facts WHERE name = ?", madeWithFact);
  return text === undefined ? undefined : madeWith.parse(JSON.parse(String(text)));
}

/** How far an index's passages are embedded, and what this month's cost. */
export interface EmbeddedSoFar {
  readonly passages: number;
  readonly embedded: number;
  readonly madeWith: MadeWith | undefined;
  readonly tokens: number;
}

/** @throws DeviceError `store_unreadable`, `store_busy` */
export function embeddedSoFar(connection: DatabaseSync, month: string): EmbeddedSoFar {
  return storeCall(() => ({
    passages: Number(valueIn(connection, "SELECT coalesce(sum(count), 0) AS value FROM documents")),
    embedded: Number(valueIn(connection, "SELECT count(*) AS value FROM vectors INDEXED BY vectors_ids")),
    madeWith: readMadeWith(connection),
    tokens: Number(valueIn(connection, "SELECT value FROM facts WHERE name = ?", tokensFact(month)) ?? 0),
  }));
}

function valueIn(connection: DatabaseSync, sql: string, ...values: SQLInputValue[]): unknown {
  return connection.prepare(sql).get(...values)?.["value"];
}
