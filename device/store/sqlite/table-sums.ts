import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { crc32 } from "node:zlib";
import { inTransaction } from "./transaction.ts";

/** Sums wrap at 48 bits: beyond 2⁶³ SQLite would go on in floating point. */
const wrap = 2 ** 48 - 1;
const ownTable = "table_sums";

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const sumOf = ({ columns }: Table, row: string) =>
  `row_sum(${columns.map((column) => `${row}${quoted(column)}`).join(", ")})`;

/**
 * Keeps a sum over the rows of every table, in the transaction that changes them: SQLite finds damage in the structure of a
 * file, but not a changed byte in what a cell holds. The sum of a table is that of its rows' checksums, so a change costs
 * two checksums, however large the table is.
 *
 * Every connection that writes MUST call this first; a table that was changed without looks damaged. To be called when the
 * database has its schema: what a migration has changed is summed anew.
 */
export function keepSums(connection: DatabaseSync): void {
  connection.function("row_sum", { varargs: true, deterministic: true, useBigIntArguments: true }, rowSum);
  // A row that REPLACE removes counts as well.
  connection.exec("PRAGMA recursive_triggers = ON");
  const tables = tablesOf(connection);
  for (const table of tables) connection.exec(triggersOf(table));
  const version = versionOf(connection);
  if (summedAt(connection, version) === tables.length) return;
  inTransaction(connection, "immediate", () => {
    connection.exec(`DELETE FROM ${ownTable}`);
    const insert = connection.prepare(`INSERT INTO ${ownTable} (name, version, sum) VALUES (?, ?, ?)`);
    for (const table of tables) insert.run(table.name, version, actualSum(connection, table));
  });
}

/**
 * Has rows put into a table that are summed once, at the end. A trigger for each has SQLite keep a copy of every page that a row
 * touches, so that this one could be taken back: with seven indexes that took twice as long as the row.
 *
 * MUST be called in a transaction, on a connection that keeps sums; `insert` MUST change nothing else of that table, and its rows MUST be
 * numbered by the table (INTEGER PRIMARY KEY).
 */
export function summedOnce(connection: DatabaseSync, tableName: string, insert: () => void): void {
  const table = tablesOf(connection).find(({ name }) => name === tableName);
  if (table === undefined || !connection.isTransaction) throw new TypeError(`${tableName} cannot be summed once.`);
  const last = connection.prepare(`SELECT coalesce(max(rowid), 0) AS last FROM ${quoted(tableName)}`).get()?.["last"];
  connection.exec(`DROP TRIGGER temp.${triggerName("INSERT", table)}`);
  try {
    insert();
  } finally {
    // After some errors SQLite has rolled back by itself, and the trigger is there again.
    if (connection.isTransaction) {
      const added = `(SELECT coalesce(sum(${sumOf(table, "")}), 0) FROM ${quoted(tableName)} WHERE rowid > ?)`;
      connection
        .prepare(`UPDATE ${ownTable} SET sum = (sum + ${added}) & ${wrap} WHERE name = ?`)
        .run(Number(last), tableName);
      connection.exec(insertTriggerOf(table));
    }
  }
}

/** The first table whose rows are not what was written, by {@link keepSums}; at one moment, whoever else writes. */
export function tableOfOtherRows(connection: DatabaseSync): string | undefined {
  return inTransaction(connection, "deferred", () => {
    const kept = connection.prepare(`SELECT sum FROM ${ownTable} WHERE name = ?`);
    return tablesOf(connection).find((table) => kept.get(table.name)?.["sum"] !== actualSum(connection, table))?.name;
  });
}

function actualSum(connection: DatabaseSync, table: Table): number {
  const rows = connection.prepare(
    `SELECT coalesce(sum(${sumOf(table, "")}), 0) & ${wrap} AS sum FROM ${quoted(table.name)}`,
  );
  return Number(rows.get()?.["sum"]);
}

const versionOf = (connection: DatabaseSync) =>
  Number(connection.prepare("PRAGMA user_version").get()?.["user_version"]);

const summedAt = (connection: DatabaseSync, version: number) =>
  Number(connection.prepare(`SELECT count(*) AS found FROM ${ownTable} WHERE version = ?`).get(version)?.["found"]);

function tablesOf(connection: DatabaseSync): Table[] {
  const found = connection.prepare(
    `SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> ? ORDER BY name`,
  );
  const columns = connection.prepare("SELECT name FROM pragma_table_info(?, 'main') ORDER BY cid");
  return found.all(ownTable).map((row) => {
    const name = String(row["name"]);
    return { name, columns: columns.all(name).map((column) => String(column["name"])) };
  });
}

/** Of this connection only: another program may read the file without our function. */
function triggersOf(table: Table): string {
  const [old, now] = [sumOf(table, "OLD."), sumOf(table, "NEW.")];
  const rest = [triggerOf("DELETE", table, `- ${old}`), triggerOf("UPDATE", table, `- ${old} + ${now}`)];
  return [insertTriggerOf(table), ...rest].join("\n");
}

const insertTriggerOf = (table: Table) => triggerOf("INSERT", table, `+ ${sumOf(table, "NEW.")}`);

const triggerName = (event: string, { name }: Table) => quoted(`sum ${event} ${name}`);

function triggerOf(event: string, table: Table, by: string): string {
  const name = `'${table.name.replaceAll("'", "''")}'`;
  return (
    `CREATE TEMP TRIGGER ${triggerName(event, table)} AFTER ${event} ON main.${quoted(table.name)} ` +
    `BEGIN UPDATE ${ownTable} SET sum = (sum ${by}) & ${wrap} WHERE name = ${name}; END;`
  );
}

/** Types and lengths count too: "1" is not 1, and text does not move from one cell to the next unseen. */
function rowSum(...cells: SQLOutputValue[]): bigint {
  let sum = 0;
  // Cells follow each other: most rows are summed in one call.
  let text = "";
  for (const cell of cells) {
    if (typeof cell === "string") text += `string ${cell.length}:${cell}`;
    else if (cell instanceof Uint8Array) {
      sum = crc32(cell, crc32(`${text}object ${cell.length}:`, sum));
      text = "";
    } else text += `${typeof cell} ${String(cell)};`;
  }
  // A number would be a floating-point one to SQLite.
  return BigInt(crc32(text, sum));
}
