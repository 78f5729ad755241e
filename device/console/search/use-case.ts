import { parseQuery } from "../../knowledge/search/parse-query.ts";
import { search } from "../../knowledge/search/search.ts";
import type { Hit } from "../../knowledge/search/search-project.ts";
import type { WorkHit } from "../../knowledge/work/search-pieces.ts";
import type { DeviceStore } from "../../store/open.ts";
import { folded } from "../../store/sqlite/folded-text.ts";

/** Files, and pieces of work, that are shown. */
const mostShown = 20;

/** What a tab can search for. */
export type SearchUseCase = ReturnType<typeof searchUseCase>;

/** The device's search, as far as a page shows it: the lines that hold what was asked for, not whole passages. */
export const searchUseCase =
  (store: DeviceStore, now: () => number) =>
  /** @throws DeviceError `usage` when there is nothing to search for, `project_unknown`, `store_busy` */
  async (words: string) => {
    const { hits, work, hasAll, looked, lookedAtWork, near, notes } = await search(
      { text: words, limit: mostShown },
      { store, now },
    );
    return {
      projects: projectsNamed(store, words),
      files: hits.map(shownFile),
      work: work.map((hit) => shownPiece(store, hit)),
      hasAll,
      lookedAtFiles: looked.reduce((sum, { files }) => sum + files, 0),
      lookedAtWork,
      near,
      notes,
    };
  };

/** Projects in whose names all words stand, as they are typed. */
function projectsNamed(store: DeviceStore, typed: string) {
  const words = parseQuery(typed).wanted.map(({ text }) => folded(text));
  if (words.length === 0) return [];
  return store.projects
    .list()
    .filter(({ name }) => words.every((word) => folded(name).includes(word)))
    .slice(0, mostShown)
    .map(({ id, name }) => ({ id, name }));
}

function shownPiece(store: DeviceStore, { kind, id, title, sender, atMs, hasAll, lines }: WorkHit) {
  return { kind, id, title, sender, atMs, when: kind === "event" ? timesOf(store, id) : null, hasAll, lines };
}

/** When an event takes place, as clocks show it there; null of one that is gone meanwhile. */
function timesOf(store: DeviceStore, id: string) {
  const event = store.work.event.find(id);
  return event === undefined
    ? null
    : { start: event.start, zone: event.zone, isAllDay: event.isAllDay, end: event.end };
}

function shownFile({ projectId, project, path, summary, mtimeMs, hasAll, passages, lines, alike, learnt }: Hit) {
  const [best] = passages;
  const place = best === undefined ? null : { heading: best.heading, startLine: best.startLine, endLine: best.endLine };
  return {
    projectId,
    project,
    path,
    summary,
    mtimeMs,
    hasAll,
    place,
    lines,
    alike,
    /** The earlier question that ranks it higher. */
    learntFrom: learnt?.question ?? null,
    hasChanged: best?.hasChanged ?? false,
  };
}
