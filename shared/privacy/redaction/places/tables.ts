import type { AddCredential } from "../credential.ts";
import { strengthOf, wordsOfName } from "../names/credential-names.ts";
import { isPlaceholder } from "../randomness/placeholders.ts";
import { randomBits } from "../randomness/randomness.ts";

const delimiters = [",", ";", "\t", "|"] as const;
const maxHeaderChars = 2_000;
const maxRowChars = 2_000;

interface Column {
  readonly index: number;
  readonly kind: string;
}

/**
 * The columns of a table whose header names credentials: `name,url,username,password`. Called for a line that holds the
 * name of a credential; every later row of the same table gives up its cells.
 *
 * @returns where the table ends, undefined when the line is no header
 */
export function redactTable(text: string, lineStart: number, add: AddCredential): number | undefined {
  const end = lineEnd(text, lineStart);
  if (end - lineStart > maxHeaderChars) return undefined;
  const header = text.slice(lineStart, end);
  for (const delimiter of delimiters) {
    if (!header.includes(delimiter)) continue;
    const names = cellsOf(header, delimiter, 0).map(({ value }) => value);
    if (names.length < 2 || !names.every(isColumnName) || new Set(names).size < names.length) continue;
    const columns = columnsOf(names);
    if (columns.length === 0 || (columns.length === names.length && names.length < 3)) continue;
    const found: Array<[number, number, string]> = [];
    const last = rows(text, end, delimiter, names.length, columns, (...each) => found.push(each));
    // One row that fits is chance in prose with commas; of a table with a user and a password it is not.
    if (last === undefined) continue;
    for (const each of found) add(...each);
    return last;
  }
  return undefined;
}

function rows(
  text: string,
  headerEnd: number,
  delimiter: string,
  width: number,
  columns: readonly Column[],
  add: AddCredential,
): number | undefined {
  let at = nextLine(text, headerEnd);
  let count = 0;
  while (at < text.length) {
    const { end, cells } = rowAt(text, at, delimiter);
    const isRule = delimiter === "|" && cells.every(({ value }) => /^:?-*:?$/.test(value.trim()));
    if (cells.length !== width) break;
    if (!isRule) {
      count++;
      for (const { index, kind } of columns) {
        const cell = cells[index];
        if (cell !== undefined && isCredentialCell(cell.value, kind))
          add(cell.start, cell.start + cell.value.length, kind);
      }
    }
    at = nextLine(text, end);
  }
  return count > 0 ? at : undefined;
}

function isCredentialCell(value: string, kind: string): boolean {
  if (value.length < 3 || value.includes("\u27e6") || isPlaceholder(value)) return false;
  if (/^(?:true|false|yes|no|null|none|string|required|optional|-+|n\/a)$/i.test(value) || /^(?:\S+ ){4}/.test(value))
    return false;
  if (kind === "password") return true;
  if (kind === "pin") return /^\d{4,8}$/.test(value);
  return value.length >= 6 && !/\s.*\s/.test(value) && /\d/.test(value) && randomBits(value) > -6;
}

function columnsOf(names: readonly string[]): Column[] {
  return names.flatMap((name, index) => {
    const strength = strengthOf(wordsOfName(name));
    if (strength === undefined || strength === "maybe")
      return /^(?:otp(?:auth|secret)?|totp|2fa|login_totp)$/i.test(name.trim()) ? [{ index, kind: "token" }] : [];
    return [{ index, kind: strength === "code" ? "recovery-code" : strength }];
  });
}

const isColumnName = (name: string) => /^\p{L}[\p{L}\p{N} _./#-]{0,39}$/u.test(name) && name.split(" ").length <= 4;

interface Cell {
  readonly start: number;
  readonly value: string;
}

/** RFC 4180 row: quoted cells may hold delimiters, doubled quotes and line breaks. */
function rowAt(text: string, start: number, delimiter: string): { end: number; cells: Cell[] } {
  let end = lineEnd(text, start);
  let quotes = count(text, start, end);
  while (quotes % 2 === 1 && end < text.length && end - start < maxRowChars) {
    const next = lineEnd(text, nextLine(text, end));
    quotes += count(text, end, next);
    end = next;
  }
  return { end, cells: cellsOf(text.slice(start, end), delimiter, start) };
}

function count(text: string, start: number, end: number): number {
  let found = 0;
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === 34) found++;
  return found;
}

function cellsOf(row: string, delimiter: string, offset: number): Cell[] {
  const cells: Cell[] = [];
  let isQuoted = false;
  let from = 0;
  for (let at = 0; at <= row.length; at++) {
    const unit = row.charAt(at);
    if (unit === '"') isQuoted = !isQuoted;
    if (at < row.length && (unit !== delimiter || isQuoted)) continue;
    const cell = row.slice(from, at);
    const lead = cell.length - cell.trimStart().length;
    const bare = cell.trim();
    const isWrapped = bare.length >= 2 && bare.startsWith('"') && bare.endsWith('"');
    cells.push({ start: offset + from + lead + (isWrapped ? 1 : 0), value: isWrapped ? bare.slice(1, -1) : bare });
    from = at + 1;
  }
  // Markdown rows begin and end with their delimiter.
  if (delimiter === "|" && cells.at(0)?.value === "") cells.shift();
  if (delimiter === "|" && cells.at(-1)?.value === "") cells.pop();
  return cells;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  if (end === -1) return text.length;
  return end > from && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
}

const nextLine = (text: string, end: number) => end + (text.startsWith("\r\n", end) ? 2 : 1);
