import type { ProjectId } from "../../../events/ids.ts";
import { isDeviceError } from "../../errors.ts";
import type { ProjectContentParts } from "./project-content.ts";
import { search } from "./search.ts";
import type { SearchNoteCode } from "./search-notes.ts";

/** Where files about some words are. */
export interface ProjectsAbout {
  /** The project with the best file first. */
  readonly projects: readonly ProjectAbout[];
  /** How many projects have a folder here. */
  readonly projectsSearched: number;
  /** Files in which was looked, of all projects. */
  readonly files: number;
  /** Words that are there and look like those that were not found. */
  readonly near: readonly string[];
  /** What of the query could not be used, or not be looked at. */
  readonly notes: readonly string[];
  /** Why whole projects were not looked at. */
  readonly notSearched: readonly string[];
}

export interface ProjectAbout {
  readonly id: ProjectId;
  readonly name: string;
  /** Of the best files of all projects so many are its own. */
  readonly files: number;
}

const closed: ReadonlySet<SearchNoteCode> = new Set([
  "not_indexed",
  "index_damaged",
  "folder_closed",
  "rules_unreadable",
]);

/** Which projects of this device have the files that are about some words, for language models. @param limit of files */
export async function projectsAbout(
  { store, now }: Pick<ProjectContentParts, "store" | "now">,
  query: string,
  limit: number,
): Promise<ProjectsAbout> {
  try {
    const { hits, looked, near, notes } = await search({ text: query, limit, forAgent: true }, { store, now });
    const byProject = Map.groupBy(hits, ({ projectId }) => projectId);
    return {
      projects: [...byProject].flatMap(([id, [first, ...more]]) =>
        first === undefined ? [] : [{ id, name: first.project, files: 1 + more.length }],
      ),
      projectsSearched: looked.length,
      files: looked.reduce((sum, { files }) => sum + files, 0),
      near,
      notes: notes.flatMap(({ code, text }) => (closed.has(code) ? [] : [text])),
      notSearched: notes.flatMap(({ code, text }) => (closed.has(code) ? [text] : [])),
    };
  } catch (error) {
    if (!isDeviceError(error, "usage")) throw error;
    return {
      projects: [],
      projectsSearched: store.projects.linked().length,
      files: 0,
      near: [],
      notes: [error.message],
      notSearched: [],
    };
  }
}
