import type { DatabaseSync } from "node:sqlite";
import { nearestNames } from "../../../agent/nearest-names.ts";
import { folded } from "../../../store/sqlite/folded-text.ts";
import { PreparedStatements } from "../../../store/sqlite/prepared-statements.ts";
import { storeCall } from "../../../store/sqlite/sqlite-errors.ts";
import { nearestPassages } from "../../vectors/nearest-passages.ts";
import type { Query } from "../parse-query.ts";
import { type FoundDocument, type FoundFile, IndexRows } from "./index-rows.ts";
import { allOf, anyOf, namingParts, narrowed, type Part, partsOf, phraseOf } from "./match-expression.ts";
import { type Filter, filterOf, passagesThrough } from "./query-filter.ts";
import {
  type DocumentRows,
  type Found,
  isOf,
  merged,
  type RankedFile,
  type Row,
  ranking,
  without,
} from "./rank-files.ts";

/** Passages ranked, of which the files are taken. */
const maxRanked = 80;
/** Where those are of a few files only, so many others are taken, and again, of so many in all. */
const maxRankedOfFew = 2_000;
const fewFiles = 10;
/** bm25 takes about a microsecond a row (measured over a million passages): so many rows are some 12 ms. */
const maxRows = 12_000;
/** To look up a word in a passage takes some 50 µs (measured): in so few the common words of a question are looked up one by one. */
const fewPassages = 20;
/** Places, headings and parts of names weigh more, or less, than what a passage says. */
const weights = "2.5, 2.0, 1.0, 0.5";
const maxPassagesAFile = 3;
/** For a word that was mistyped behind its first letters. */
const sameBeginning = 3;
const maxNearLooked = 2_000;
/** No passage of a document holds what is not wanted. */
const withoutWords =
  "NOT EXISTS (SELECT 1 FROM words WHERE words MATCH ? AND rowid BETWEEN d.first AND d.first + d.count - 1)";

/** Questions to one project's index. */
export class IndexSearch {
  readonly rows: IndexRows;
  readonly #connection: DatabaseSync;
  readonly #statements: PreparedStatements;
  /** More for a word that is more common. */
  #common: ReadonlyMap<string, number> | undefined;
  /** Counted for this search. */
  readonly #rowsKnown = new Map<string, number>();

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
    this.#statements = new PreparedStatements(connection);
    this.rows = new IndexRows(this.#statements);
  }

  /**
   * Files that fit a query, best first.
   *
   * @param nowMs files that claim to be of the future count as of now
   * @throws DeviceError `store_unreadable` when the index is damaged, `store_busy`
   */
  find(query: Query, limit: number, nowMs: number): FoundFile[] {
    return storeCall(() => {
      const found = this.#found(query);
      const complete = new Set(found.strict.map(({ id }) => id));
      const documents = this.#documentsOf(merged(found, maxRanked));
      const files = ranking(documents.values(), complete, nowMs);
      if (files.length >= fewFiles) return this.#shown(files.slice(0, limit));
      // One that says it all over has taken the places of the others: they come after it.
      const known = new Set(documents.keys());
      for (let rest = found; documents.size < known.size + fewFiles; ) {
        rest = without(rest, documents.values());
        if (rest.strict.length + rest.loose.length === 0) break;
        for (const [id, each] of this.#documentsOf(merged(rest, maxRanked))) documents.set(id, each);
      }
      const more = ranking(documents.values(), complete, nowMs).filter(({ document }) => !known.has(document.id));
      return this.#shown([...files, ...more].slice(0, limit));
    });
  }

  /** Passages that hold all words, and those that hold some, best first. */
  #found(query: Query): Found {
    const parts = this.#affordable(namingParts(query.wanted));
    if (parts.length === 0) return { strict: [], loose: [] };
    const all = partsOf(query.wanted);
    const filter = filterOf(query);
    const strict = all.every((part) => this.#isAffordable(part))
      ? this.#ranked(narrowed(allOf(all), query), filter, true)
      : this.#newestWithAll(all, query, filter);
    if (all.length === 1 && parts.length === 1) return { strict, loose: [] };
    // One word is left of every question, however common: where that is all, a score would be made for each of its rows.
    const isRankable = parts.length > 1 || parts.every((part) => this.#isAffordable(part));
    return { strict, loose: this.#ranked(narrowed(anyOf(parts), query), filter, isRankable) };
  }

  /**
   * The newest passages that hold all words, where some are common: FTS5 looks each of these up for every passage with a rare one, so
   * the rarest come first, and the others only where few passages are left.
   */
  #newestWithAll(parts: readonly Part[], query: Query, filter: Filter): Row[] {
    const byRows = parts.toSorted((a, b) => this.#rowsOf(a.exact) - this.#rowsOf(b.exact));
    let taken = Math.max(2, byRows.filter((part) => this.#isAffordable(part)).length);
    for (; ; taken++) {
      const rarest = byRows.slice(0, taken).map((part) => this.#withRareForms(part));
      const found = this.#ranked(narrowed(allOf(rarest), query), filter, false);
      if (found.length <= fewPassages || taken >= byRows.length) {
        return found.filter(({ id }) => byRows.slice(taken).every(({ exact }) => this.#holds(exact, id)));
      }
    }
  }

  /** Without the other forms of a word where many passages hold some: FTS5 gathers them all before it looks at the first. */
  #withRareForms(part: Part): Part {
    return this.#rowsOf(part.form) < maxRows ? part : { ...part, form: undefined };
  }

  /**
   * Files whose passages lie nearest to a question, best first: those that stand out from what any passage has in common
   * with it. What is in quotes has to be in a passage, what is not wanted must not.
   *
   * @param vector of the question, as `vectorBytes` gives it; of the index's own model and length. Needs the extension.
   * @throws as {@link find}
   */
  nearest(query: Query, vector: Uint8Array, limit: number, nowMs: number): FoundFile[] {
    return storeCall(() => {
      const near = nearestPassages(this.#connection, vector, filterOf(query), maxRanked);
      const rows = near.filter(({ id }) => this.#isAllowed(id, query));
      return this.#shown(ranking(this.#documentsOf(rows).values(), new Set(), nowMs).slice(0, limit));
    });
  }

  #isAllowed(id: number, { wanted, unwanted }: Query): boolean {
    const phrases = wanted.filter(({ isPhrase }) => isPhrase);
    return (
      phrases.every((term) => this.#holds(phraseOf(term), id)) &&
      !unwanted.some((term) => this.#holds(phraseOf(term), id))
    );
  }

  #holds(expression: string, id: number): boolean {
    const sql = "SELECT 1 FROM words WHERE words MATCH ? AND rowid = ?";
    // A number is bound as a floating-point one, which FTS5 takes for any row.
    return this.#statements.get(sql).get(expression, BigInt(id)) !== undefined;
  }

  /** What a query without words is narrowed to, newest first. @throws as {@link find} */
  latest(query: Query, limit: number): FoundFile[] {
    const { sql, values } = filterOf(query);
    const unwanted = query.unwanted.length === 0 ? [] : [query.unwanted.map(phraseOf).join(" OR ")];
    const without = unwanted.map(() => withoutWords);
    const where = [sql || "1", ...without].join(" AND ");
    const rows = storeCall(() =>
      this.#statements
        .get(`SELECT d.first FROM documents d WHERE ${where} ORDER BY d.mtime_ms DESC LIMIT ?`)
        .all(...values, ...unwanted, limit),
    );
    return rows.flatMap(({ first }) => {
      const document = this.rows.documentOf(Number(first));
      return document === undefined ? [] : [{ document, passages: [], score: 0, hasAll: true, alike: [] }];
    });
  }

  /** The words of a question, the rarest first, as far as they can be ranked in time; at least one of them. */
  #affordable(parts: readonly Part[]): Part[] {
    if (!this.#isLarge) return [...parts];
    const counted = parts.map((part) => ({ part, rows: this.#rowsOf(part.exact), forms: this.#rowsOf(part.form) }));
    const chosen: Part[] = [];
    let rows = 0;
    for (const each of counted.toSorted((a, b) => a.rows - b.rows)) {
      if (chosen.length > 0 && rows + each.rows > maxRows) break;
      rows += each.rows;
      const hasForms = each.forms > 0 && rows + each.forms <= maxRows;
      if (hasForms) rows += each.forms;
      chosen.push(hasForms ? each.part : { ...each.part, form: undefined });
    }
    return chosen;
  }

  #isAffordable(part: Part): boolean {
    return !this.#isLarge || this.#rowsOf(part.exact) + this.#rowsOf(part.form) < maxRows;
  }

  /** Rows that hold a piece, counted up to what one question can afford; beyond that more for what is more common, where that is known. */
  #rowsOf(expression: string | undefined): number {
    if (expression === undefined) return 0;
    const known = this.#rowsKnown.get(expression);
    if (known !== undefined) return known;
    const rows = this.#countedRows(expression);
    this.#rowsKnown.set(expression, rows);
    return rows;
  }

  #countedRows(expression: string): number {
    this.#common ??= this.#commonWords();
    const token = expression.endsWith("*") ? undefined : expression.slice(1, -1).toLowerCase();
    const commonness = token === undefined ? undefined : this.#common.get(token);
    if (commonness !== undefined) return maxRows + commonness;
    const sql = "SELECT count(*) AS n FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)";
    return Number(this.#statements.get(sql).get(expression, maxRows)?.["n"] ?? 0);
  }

  /** As its writer left them, the most common first. */
  #commonWords(): ReadonlyMap<string, number> {
    const words: string[] = JSON.parse(String(this.rows.fact("common") ?? "[]"));
    return new Map(words.map((word, at) => [word, words.length - at]));
  }

  get #isLarge(): boolean {
    return this.rows.fact("commonOf") !== undefined;
  }

  /** @param isRankable false when so much may match that only the newest passages are looked at */
  #ranked(expression: string, filter: Filter, isRankable: boolean): Row[] {
    const score = isRankable ? `bm25(words, ${weights})` : "0.0";
    const order = isRankable ? "rank_score" : "words.rowid DESC";
    const from = filter.sql === "" ? "" : `AND words.rowid IN (${passagesThrough(filter)})`;
    const rows = this.#statements
      .get(
        `SELECT words.rowid AS id, ${score} AS rank_score FROM words WHERE words MATCH ? ${from} ORDER BY ${order} LIMIT ${maxRankedOfFew}`,
      )
      .all(expression, ...filter.values);
    return rows.map(({ id, rank_score: rank }) => ({ id: Number(id), score: Math.max(1e-6, -Number(rank)) }));
  }

  /** The documents of passages, by their numbers. */
  #documentsOf(rows: readonly Row[]): Map<number, DocumentRows> {
    const documents = new Map<number, DocumentRows>();
    let document: FoundDocument | undefined;
    // A document's passages have the numbers from its first on: in their order one look is enough for all of them.
    for (const row of rows.toSorted((a, b) => a.id - b.id)) {
      if (document === undefined || !isOf(row, document)) document = this.rows.documentOf(row.id);
      if (document === undefined) continue;
      const known = documents.get(document.id) ?? { document, rows: [] };
      known.rows.push(row);
      documents.set(document.id, known);
    }
    return documents;
  }

  /** With the places of their best passages, which only these are asked for. */
  #shown(files: readonly RankedFile[]): FoundFile[] {
    return files.map(({ best, ...file }) => {
      // One of them may be the file's names, which stand nowhere in it.
      const places = best.slice(0, maxPassagesAFile + 1).map(({ id, score }) => ({ ...this.rows.place(id), score }));
      return { ...file, passages: places.filter(({ end }) => end > 0).slice(0, maxPassagesAFile) };
    });
  }

  /** Words it holds that begin like one of the query's and are of about its length: what may have been meant. */
  near({ wanted }: Query): string[] {
    const tokens = wanted.flatMap(({ words }) => words.flatMap(({ tokens: all }) => all.map(folded)));
    const sql = "SELECT term FROM vocabulary WHERE term >= ? AND term < ? LIMIT ?";
    return storeCall(() =>
      tokens.flatMap((token) => {
        const beginning = token.slice(0, sameBeginning);
        if (token.length <= sameBeginning) return [];
        const rows = this.#statements.get(sql).all(beginning, `${beginning}\uffff`, maxNearLooked);
        return nearestNames(
          token,
          rows.map(({ term }) => String(term)),
        );
      }),
    );
  }

  close(): void {
    this.#connection.close();
  }
}
