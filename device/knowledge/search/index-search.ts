import type { DatabaseSync } from "node:sqlite";
import { nearestNames } from "../../agent/nearest-names.ts";
import { folded } from "../../store/sqlite/folded-text.ts";
import { PreparedStatements } from "../../store/sqlite/prepared-statements.ts";
import { storeCall } from "../../store/sqlite/sqlite-errors.ts";
import { areAlike, sharedKeys } from "../text/sketch.ts";
import { nearestPassages } from "../vectors/nearest-passages.ts";
import { type FoundDocument, type FoundPassage, IndexRows } from "./index-rows.ts";
import { allOf, anyOf, namingParts, narrowed, type Part, partsOf, phraseOf } from "./match-expression.ts";
import type { Query } from "./parse-query.ts";
import { type Filter, filterOf, passagesThrough } from "./query-filter.ts";

export interface FoundFile {
  readonly document: FoundDocument;
  /** Best first; none when only its name or summary was found. */
  readonly passages: readonly FoundPassage[];
  readonly score: number;
  /** Every word that was asked for is in one of its passages. */
  readonly hasAll: boolean;
  /** Paths of files that say the same, this one's other versions among them. */
  readonly alike: readonly string[];
}

/** Passages ranked, of which the files are taken. */
const maxRanked = 80;
/** And so many where those are of a few files only. */
const maxRankedOfFew = 2_000;
const fewFiles = 10;
/** bm25 takes about half a microsecond a row (measured): so many rows are some 15 ms. */
const maxRows = 25_000;
/** Places, headings and parts of names weigh more, or less, than what a passage says. */
const weights = "2.5, 2.0, 1.0, 0.5";
/** Of a file's second and third passage: one that speaks of something all over is likelier meant than one with a mention. */
const furtherPassages = [0.25, 0.1] as const;
const maxPassagesAFile = 3;
/** A file of today counts so much more than one of years ago. */
const recencyShare = 0.12;
const yearMs = 365 * 24 * 3_600_000;
/** For a word that was mistyped behind its first letters. */
const sameBeginning = 3;
const maxNearLooked = 2_000;
/** Passages with all words come before those with some. */
const allBonus = 1.25;

/** Questions to one project's index. */
export class IndexSearch {
  readonly rows: IndexRows;
  readonly #connection: DatabaseSync;
  readonly #statements: PreparedStatements;
  #common: ReadonlySet<string> | undefined;
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
      const files = this.#files(merged(found, maxRanked), nowMs);
      const isCut = found.strict.length > maxRanked || found.loose.length > maxRanked;
      if (!isCut || files.length >= fewFiles) return this.#shown(files.slice(0, limit));
      // One that says it all over has taken the places of the others: they come after it.
      const known = new Set(files.map(({ document }) => document.id));
      const all = this.#files(merged(found, maxRankedOfFew), nowMs);
      const more = all.filter(({ document }) => !known.has(document.id));
      return this.#shown([...files, ...more].slice(0, limit));
    });
  }

  /** Passages that hold all words, and those that hold some, best first. */
  #found(query: Query): Found {
    const parts = this.#affordable(namingParts(query.wanted));
    if (parts.length === 0) return { strict: [], loose: [] };
    const all = partsOf(query.wanted);
    const filter = filterOf(query);
    const isAllRankable = all.every((part) => this.#isAffordable(part));
    const strict = this.#ranked(narrowed(allOf(all), query), filter, isAllRankable);
    if (all.length === 1 && parts.length === 1) return { strict, loose: [] };
    // One word is left of every question, however common: where that is all, a score would be made for each of its rows.
    const isRankable = parts.length > 1 || parts.every((part) => this.#isAffordable(part));
    return { strict, loose: this.#ranked(narrowed(anyOf(parts), query), filter, isRankable) };
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
      return this.#shown(this.#files({ rows, complete: new Set() }, nowMs).slice(0, limit));
    });
  }

  #isAllowed(id: number, { wanted, unwanted }: Query): boolean {
    const holds = (expression: string) =>
      this.#statements.get("SELECT 1 FROM words WHERE words MATCH ? AND rowid = ?").get(expression, id) !== undefined;
    const phrases = wanted.filter(({ isPhrase }) => isPhrase);
    return phrases.every((term) => holds(phraseOf(term))) && !unwanted.some((term) => holds(phraseOf(term)));
  }

  /** What a query without words is narrowed to, newest first. @throws as {@link find} */
  latest(query: Query, limit: number): FoundFile[] {
    const { sql, values } = filterOf(query);
    const rows = storeCall(() =>
      this.#statements
        .get(`SELECT d.first FROM documents d WHERE ${sql || "1"} ORDER BY d.mtime_ms DESC LIMIT ?`)
        .all(...values, limit),
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

  /** Rows that hold a piece, counted up to what one question can afford; without counting where it is known to be common. */
  #rowsOf(expression: string | undefined): number {
    if (expression === undefined) return 0;
    const known = this.#rowsKnown.get(expression);
    if (known !== undefined) return known;
    const rows = this.#countedRows(expression);
    this.#rowsKnown.set(expression, rows);
    return rows;
  }

  #countedRows(expression: string): number {
    this.#common ??= new Set(JSON.parse(String(this.rows.fact("common") ?? "[]")));
    const token = expression.endsWith("*") ? undefined : expression.slice(1, -1).toLowerCase();
    if (token !== undefined && this.#common.has(token)) return maxRows;
    const sql = "SELECT count(*) AS n FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)";
    return Number(this.#statements.get(sql).get(expression, maxRows)?.["n"] ?? 0);
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

  /** The files of passages, best first; one of several that say the same. */
  #files({ rows, complete }: RankedRows, nowMs: number): RankedFile[] {
    const byDocument = new Map<number, { document: FoundDocument; passages: Row[]; hasAll: boolean }>();
    let document: FoundDocument | undefined;
    // A document's passages have the numbers from its first on: in their order one look is enough for all of them.
    for (const { id, score } of rows.toSorted((a, b) => a.id - b.id)) {
      if (document === undefined || id >= document.first + document.count) document = this.rows.documentOf(id);
      if (document === undefined) continue;
      const file = byDocument.get(document.id) ?? { document, passages: [], hasAll: false };
      const hasAll = complete.has(id);
      file.passages.push({ id, score: score * (hasAll ? allBonus : 1) });
      file.hasAll ||= hasAll;
      byDocument.set(document.id, file);
    }
    const ranked = [...byDocument.values()].map(({ passages, ...file }) => {
      const best = passages.toSorted((a, b) => b.score - a.score);
      const [first = 0, ...further] = best.map(({ score }) => score);
      const more = furtherPassages.reduce((sum, share, at) => sum + share * (further[at] ?? 0), 0);
      const ageMs = Math.max(0, nowMs - file.document.mtimeMs);
      const score = (first + more) * (1 + recencyShare * Math.exp(-ageMs / yearMs));
      return { ...file, best, score, alike: [] };
    });
    return withoutDoubles(ranked.toSorted((a, b) => b.score - a.score));
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

interface Row {
  readonly id: number;
  readonly score: number;
}

interface Found {
  readonly strict: readonly Row[];
  readonly loose: readonly Row[];
}

interface RankedRows {
  readonly rows: readonly Row[];
  /** Passages that hold every word. */
  readonly complete: ReadonlySet<number>;
}

interface RankedFile extends Omit<FoundFile, "passages"> {
  /** Its passages, best first. */
  readonly best: readonly Row[];
}

/** The best of both. The same question to all of them: a score of all words and one of some are not of one scale. */
function merged({ strict, loose }: Found, most: number): RankedRows {
  const complete = new Set(strict.slice(0, most).map(({ id }) => id));
  const rows = new Map([...strict.slice(0, most), ...loose.slice(0, most)].map((row) => [row.id, row]));
  return { rows: [...rows.values()], complete };
}

/** Files that say the same, or are the same, are one hit: the best of them, with the others named, the newest first. */
function withoutDoubles(files: readonly RankedFile[]): RankedFile[] {
  const shown: { readonly file: RankedFile; readonly others: FoundDocument[] }[] = [];
  const byKey = new Map<string, number[]>();
  for (const file of files) {
    const { hash, sketch } = file.document;
    const keys = [...(hash === "" ? [] : [hash]), ...sharedKeys(sketch)];
    const near = [...new Set(keys.flatMap((key) => byKey.get(key) ?? []))].toSorted((a, b) => a - b);
    const same = near
      .map((at) => shown[at])
      .find((each) => (hash !== "" && each?.file.document.hash === hash) || isAlike(each?.file.document, sketch));
    if (same !== undefined) {
      same.others.push(file.document);
      continue;
    }
    for (const key of keys) byKey.set(key, [...(byKey.get(key) ?? []), shown.length]);
    shown.push({ file, others: [] });
  }
  return shown.map(({ file, others }) => {
    const alike = others.toSorted((a, b) => b.mtimeMs - a.mtimeMs).map(({ path }) => path);
    return { ...file, alike };
  });
}

const isAlike = (document: FoundDocument | undefined, sketch: Uint8Array): boolean =>
  document !== undefined && areAlike(document.sketch, sketch);
