import type { ProjectId } from "../../../events/ids.ts";
import type { ContentSearch } from "../../access/content-search.ts";
import { isDeviceError } from "../../errors.ts";
import type { DeviceStore } from "../../store/open.ts";
import { search } from "./search.ts";

/** The likeliest files are shown with a second passage: a question's answer is often beside what names it. */
const likeliest = 2;
const passagesOf = (rank: number) => (rank < likeliest ? 2 : 1);

/** The files themselves come first. */
const mostEarlier = 3;

export interface ProjectContentParts {
  readonly store: DeviceStore;
  readonly now: () => number;
  /** Answers may rest on mail as well as on files: for who must see none of it. Default false. */
  readonly leavesOutAnswers?: boolean;
}

/** The search of one project's content, as language models are given it. */
export function projectContent(
  { store, now, leavesOutAnswers = false }: ProjectContentParts,
  projectId: ProjectId,
): ContentSearch {
  return {
    async find(query, limit) {
      try {
        const { hits, work, hasAll, looked, near, notes } = await search(
          { text: query, projectId, limit, forAgent: true },
          { store, now },
        );
        const passages = hits.flatMap(({ path, passages: found, alike }, rank) =>
          found.slice(0, passagesOf(rank)).map(({ startLine, endLine, heading, score, text }) => {
            return { path, startLine, endLine, heading, score, text, alsoIn: alike };
          }),
        );
        const earlier = work.flatMap(({ kind, id, title, atMs, passage, files }) =>
          // What rests on no file cannot be checked: a wrong answer would confirm itself.
          ((kind === "answer" && !leavesOutAnswers) || kind === "artifact") && files.length > 0
            ? [{ kind, id, title, atMs, text: passage, files }]
            : [],
        );
        return {
          passages,
          earlier: earlier.slice(0, mostEarlier),
          hasAll,
          files: looked.reduce((sum, { files }) => sum + files, 0),
          near,
          notes: notes.map(({ text }) => text),
        };
      } catch (error) {
        if (!isDeviceError(error, "usage")) throw error;
        return { passages: [], earlier: [], hasAll: false, files: 0, near: [], notes: [error.message] };
      }
    },
  };
}
