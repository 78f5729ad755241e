import { isDeviceError } from "../../errors.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { SearchedKind } from "../../store/schema.ts";
import { openIndexToRead, removeIndexFile, workIndexPath } from "../index/index-file.ts";
import { type FoundFile, IndexSearch } from "../search/index-search.ts";
import { LineMatcher, type MatchingLine, shownLines } from "../search/matching-lines.ts";
import { parseQuery, type Query } from "../search/parse-query.ts";
import { updateWorkIndex, workAt } from "./update-work-index.ts";
import { workText } from "./work-texts.ts";

/** A proposal, task, event, note, person, fact or answer that fits a search. */
export interface WorkHit {
  readonly kind: SearchedKind;
  readonly id: string;
  readonly title: string;
  /** Of a proposal, as its sender writes it; "" for what nobody sent. */
  readonly sender: string;
  /** When it was sent, takes place, or was last changed. */
  readonly atMs: number;
  readonly score: number;
  readonly hasAll: boolean;
  /** Of its text what was asked for. */
  readonly lines: readonly MatchingLine[];
}

export interface WorkHits {
  readonly hits: readonly WorkHit[];
  /** How many pieces of work were looked at. */
  readonly looked: number;
  readonly near: readonly string[];
  readonly note?: string;
}

export interface WorkSearchOptions {
  readonly store: DeviceStore;
  /** Only what belongs to this project. */
  readonly projectId: string | undefined;
  readonly limit: number;
  readonly nowMs: number;
  /** Whether the rules of this moment show a file of a project: an answer that rests on another is not found. */
  readonly mayShow: (projectId: string | null, path: string) => Promise<boolean>;
}

/** Some may be gone, or belong to another project. */
const spare = 40;
const none = { hits: [], looked: 0, near: [] } as const;

/** Searches what a person's scouts proposed and what the person keeps; what is shown is what the store says now. */
export async function searchWork(query: Query, options: WorkSearchOptions): Promise<WorkHits> {
  try {
    return await searched(query, options);
  } catch (error) {
    if (!isDeviceError(error, "store_unreadable")) throw error;
    // Damage that only a search comes by: it is filled again from the store.
    removeIndexFile(workIndexPath(options.store.dataFolder));
    return searched(query, options);
  }
}

async function searched(query: Query, options: WorkSearchOptions): Promise<WorkHits> {
  const { store } = options;
  const path = workIndexPath(store.dataFolder);
  let note: string | undefined;
  try {
    await updateWorkIndex(store);
  } catch (error) {
    if (!isDeviceError(error, "store_busy", "store_full", "folder_unusable")) throw error;
    note = `What changed last in your work may not be found: ${error.message}`;
  }
  const connection = openIndexToRead(path);
  if (connection === undefined) return { ...none, ...(note !== undefined && { note }) };
  const index = new IndexSearch(connection);
  try {
    const hits = await hitsOf(index, query, options);
    const near: string[] = [];
    for (const word of hits.length > 0 ? [] : index.near(query)) {
      if ((await hitsOf(index, parseQuery(word), options)).length > 0) near.push(word);
    }
    return { hits, looked: index.rows.counts().files, near, ...(note !== undefined && { note }) };
  } finally {
    index.close();
  }
}

async function hitsOf(index: IndexSearch, query: Query, options: WorkSearchOptions): Promise<WorkHit[]> {
  const { limit, nowMs } = options;
  const matcher = new LineMatcher(query.wanted);
  const most = limit + spare;
  const hits: WorkHit[] = [];
  for (const each of query.wanted.length > 0 ? index.find(query, most, nowMs) : index.latest(query, most)) {
    if (hits.length >= limit) break;
    const hit = await hitOf(each, matcher, options);
    if (hit !== undefined) hits.push(hit);
  }
  return hits;
}

async function hitOf(
  { document, passages, score, hasAll }: FoundFile,
  matcher: LineMatcher,
  { store, projectId, mayShow }: WorkSearchOptions,
): Promise<WorkHit | undefined> {
  const named = workAt(document.path);
  const found = named && workText(store, named.kind, named.id);
  if (named === undefined || found === undefined) return undefined;
  if (projectId !== undefined && found.projectId !== projectId) return undefined;
  for (const file of found.files) if (!(await mayShow(found.projectId, file))) return undefined;
  const { title, sender, text, atMs } = found;
  const [best] = passages;
  const passage = best === undefined ? text : text.slice(best.start, best.end);
  const lines = matcher.lines(passage, best?.startLine ?? 1, shownLines.most, shownLines.maxChars);
  return { ...named, title, sender, atMs, score, hasAll, lines };
}
