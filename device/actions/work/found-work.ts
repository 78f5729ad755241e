import { parseQuery } from "../../knowledge/search/parse-query.ts";
import type { SearchNote } from "../../knowledge/search/search-notes.ts";
import type { WorkHit, WorkHits } from "../../knowledge/work/search-pieces.ts";
import { searchWork } from "../../knowledge/work/search-work.ts";
import type { DeviceStore } from "../../store/open.ts";

export interface WorkPorts {
  readonly store: DeviceStore;
  readonly now: () => number;
}

/** What is looked through for those that also have the state that is asked for. */
const mostHits = 400;

/** Pieces of one kind that are about some words, best first, and what is to be said of the search. */
export interface FoundWork {
  readonly hits: readonly WorkHit[];
  readonly about: Readonly<Record<string, string | readonly string[]>>;
}

/**
 * Searches one kind of a person's work. Undefined when the query holds nothing to search for.
 *
 * @throws DeviceError `store_busy`, `store_full`, `store_unreadable`
 */
export async function foundWork(
  text: string,
  kind: "proposal" | "task" | "event" | "note" | "memory",
  { store, now }: WorkPorts,
): Promise<FoundWork | undefined> {
  const query = { ...parseQuery(text), kinds: [kind], project: undefined };
  if (query.wanted.length === 0 && query.sender === undefined) return undefined;
  const found = await searchWork(query, store, { projectId: undefined, limit: mostHits, nowMs: now() });
  return { hits: found.hits, about: aboutSearch(found, query.notes) };
}

function aboutSearch({ hits, near, note }: WorkHits, notes: readonly SearchNote[]): FoundWork["about"] {
  const said = [...notes, ...(note === undefined ? [] : [note])].map(({ text }) => text);
  return {
    ...(hits.length > 0 && !hits.some(({ hasAll }) => hasAll) && { nearest: "Nothing has all of these words." }),
    ...(near.length > 0 && { near }),
    ...(said.length > 0 && { notes: said }),
  };
}
