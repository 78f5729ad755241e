import type { ProjectId } from "../../../events/ids.ts";
import { personalRules } from "../../access/personal-rules.ts";
import { DeviceError } from "../../errors.ts";
import type { Project } from "../../store/folder-schema.ts";
import type { DeviceStore } from "../../store/open.ts";
import { parseQuery, type Query } from "./parse-query.ts";
import { type Hit, type ProjectHits, searchProject } from "./search-project.ts";

export interface SearchRequest {
  /** As a person types it: see {@link parseQuery}. */
  readonly text: string;
  /** Only this project's, whatever the text says. */
  readonly projectId?: ProjectId | undefined;
  /** Files shown at most. */
  readonly limit: number;
}

/** What was found, best first, and where was looked. */
export interface SearchAnswer {
  readonly hits: readonly Hit[];
  /** Some hit has everything that was asked for; otherwise they are the nearest misses. */
  readonly hasAll: boolean;
  readonly looked: readonly ProjectHits["looked"][];
  /** Words that are there and look like those that were not found. */
  readonly near: readonly string[];
  /** What could not be used of the request, or not be looked at; as sentences. */
  readonly notes: readonly string[];
}

/**
 * Searches what this device knows: the one search of the command line, the console, MCP and agents.
 *
 * @throws DeviceError `usage` (no word to search for, access rules that cannot be read), `project_unknown`, `store_busy`
 */
export async function search(
  { text, projectId, limit }: SearchRequest,
  { store, now }: { readonly store: DeviceStore; readonly now: () => number },
): Promise<SearchAnswer> {
  const query = parseQuery(text);
  if (query.wanted.length === 0) {
    throw new DeviceError("usage", { sentence: "There is nothing to search for: give at least one word." });
  }
  const projects = searchedProjects(store, projectId, query.project);
  const options = { store, rules: personalRules(store.dataFolder), limit, nowMs: now() };
  const found: ProjectHits[] = [];
  for (const project of projects) found.push(await searchProject(project, query, options));
  const all = found.flatMap(({ hits }) => hits).toSorted((a, b) => b.score - a.score);
  const hits = all.slice(0, limit);
  return {
    hits,
    hasAll: hits.some((hit) => hit.hasAll),
    looked: found.map(({ looked }) => looked),
    near: hits.length === 0 ? [...new Set(found.flatMap(({ near }) => near))].slice(0, 5) : [],
    notes: [...query.notes, ...senderNote(query), ...found.flatMap(({ note }) => note ?? [])],
  };
}

function searchedProjects(store: DeviceStore, id: ProjectId | undefined, named: string | undefined): Project[] {
  if (id !== undefined) return [store.projects.get(id)];
  const linked = store.projects.list().filter(({ folderPath }) => folderPath !== null);
  if (named === undefined) return linked;
  const name = named.toLowerCase();
  const found = linked.filter((each) => each.id === named || each.name.toLowerCase() === name);
  if (found.length > 0) return found;
  throw new DeviceError("project_unknown", { sentence: `There is no project ${named} with a folder on this device.` });
}

/** Files have no sender: what was asked for is not left out in silence. */
const senderNote = ({ sender }: Query): string[] =>
  sender === undefined
    ? []
    : [`Files have no sender, so from:${sender} was not used; for a date write it as 2026-03-01.`];
