import type { DatabaseSync } from "node:sqlite";
import type { SearchedKind } from "../../store/schema.ts";
import type { FoundFile } from "../search/index/index-rows.ts";
import { IndexSearch } from "../search/index/index-search.ts";
import { LineMatcher, type MatchingLine, shownLines } from "../search/matching-lines.ts";
import { parseQuery, type Query } from "../search/parse-query.ts";
import type { SearchNote } from "../search/search-notes.ts";
import type { IndexingTold } from "./update-work-index.ts";

/** What is found beside files: a person's work, and what agents answered and looked up. */
export type PieceKind = SearchedKind | "answer" | "artifact";

/** One such thing as it is now, in the text it is found by; without credentials. */
export interface Piece {
  readonly kind: PieceKind;
  readonly id: string;
  readonly title: string;
  /** Of a proposal, as its sender writes it; "" for what nobody sent. */
  readonly sender: string;
  readonly text: string;
  /** When it was sent, takes place, was last changed or was kept; milliseconds since the epoch. */
  readonly atMs: number;
  readonly projectId: string | null;
  /** Paths in its project of files that it rests on. */
  readonly files: readonly string[];
  /** It says only what those files say. */
  readonly repeats: boolean;
}

/** A proposal, task, event, note, person, fact, answer or artifact that fits a search. */
export interface WorkHit extends Omit<Piece, "text"> {
  readonly score: number;
  readonly hasAll: boolean;
  /** Of its text the part that fits best, and what was asked for in it. */
  readonly passage: string;
  readonly lines: readonly MatchingLine[];
}

export interface WorkHits {
  readonly hits: readonly WorkHit[];
  /** How many pieces were looked at. */
  readonly looked: number;
  readonly near: readonly string[];
  readonly note?: SearchNote;
}

export interface PieceSearchOptions {
  /** Only what belongs to this project. */
  readonly projectId: string | undefined;
  readonly limit: number;
  readonly nowMs: number;
  /** Hears how far the index is, where it has to be brought up to date first. */
  readonly told?: IndexingTold | undefined;
  /** Whether a file of a project is there, and the rules of this moment show it: what rests on another is not found. */
  readonly mayShow: (projectId: string | null, path: string) => Promise<boolean>;
}

/** Something that has an index, and says what a path of it names. */
export interface PieceSource {
  /** Its index, brought up to date; undefined when there is none. A note says why not all is in it. */
  open(): Promise<{
    readonly connection: DatabaseSync | undefined;
    readonly note?: SearchNote;
    /** It is the source's own, and not to be closed. */
    readonly staysOpen?: boolean;
  }>;
  /** Undefined when it is gone. */
  pieceAt(path: string): Promise<Piece | undefined>;
}

/** Some may be gone, or belong to another project. */
const spare = 40;

/** Searches one source; what is shown is what stands there now. @throws DeviceError `store_unreadable` when its index is damaged */
export async function searchPieces(query: Query, source: PieceSource, options: PieceSearchOptions): Promise<WorkHits> {
  const { connection, note, staysOpen = false } = await source.open();
  const told = note === undefined ? {} : { note };
  if (connection === undefined) return { hits: [], looked: 0, near: [], ...told };
  const index = new IndexSearch(connection);
  try {
    const hits = await hitsOf(index, query, source, options);
    const near: string[] = [];
    for (const word of hits.length > 0 ? [] : index.near(query)) {
      const other = { ...query, wanted: parseQuery(word).wanted };
      if ((await hitsOf(index, other, source, options)).length > 0) near.push(word);
    }
    return { hits, looked: index.rows.counts().files, near, ...told };
  } finally {
    if (!staysOpen) index.close();
  }
}

async function hitsOf(
  index: IndexSearch,
  query: Query,
  source: PieceSource,
  options: PieceSearchOptions,
): Promise<WorkHit[]> {
  const { limit, nowMs } = options;
  const matcher = new LineMatcher(query.wanted);
  const most = limit + spare;
  const hits: WorkHit[] = [];
  for (const each of query.wanted.length > 0 ? index.find(query, most, nowMs) : index.latest(query, most)) {
    if (hits.length >= limit) break;
    const hit = await hitOf(each, matcher, source, options);
    if (hit !== undefined) hits.push(hit);
  }
  return hits;
}

async function hitOf(
  { document, passages, score, hasAll }: FoundFile,
  matcher: LineMatcher,
  source: PieceSource,
  { projectId, mayShow }: PieceSearchOptions,
): Promise<WorkHit | undefined> {
  const piece = await source.pieceAt(document.path);
  if (piece === undefined) return undefined;
  if (projectId !== undefined && piece.projectId !== projectId) return undefined;
  for (const file of piece.files) if (!(await mayShow(piece.projectId, file))) return undefined;
  const { text, ...about } = piece;
  const [best] = passages;
  const passage = (best === undefined ? text : text.slice(best.start, best.end)).toWellFormed();
  const lines = matcher.lines(passage, best?.startLine ?? 1, shownLines.most, shownLines.maxChars);
  return { ...about, score, hasAll, passage, lines };
}
