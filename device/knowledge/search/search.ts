import type { ProjectId } from "../../../events/ids.ts";
import { readPersonalConfig } from "../../config/personal-config.ts";
import { called } from "../../errors/called.ts";
import { DeviceError } from "../../errors.ts";
import { exactError } from "../../exact-sentences.ts";
import type { Project } from "../../store/folder-schema.ts";
import type { DeviceStore } from "../../store/open.ts";
import { searchKept } from "../kept/search-kept.ts";
import { byReciprocalRanks } from "../vectors/fused.ts";
import { meaningOf } from "../vectors/question-meaning.ts";
import type { PieceKind, WorkHit } from "../work/search-pieces.ts";
import { searchWork } from "../work/search-work.ts";
import type { IndexingTold } from "../work/update-work-index.ts";
import { searchedKinds } from "../work/work-texts.ts";
import { parseQuery } from "./parse-query.ts";
import { type SearchNote, searchNote } from "./search-notes.ts";
import { type Hit, type ProjectHits, searchProject } from "./search-project.ts";
import { shownFiles } from "./shown-files.ts";

export interface SearchRequest {
  /** As a person types it: see {@link parseQuery}. */
  readonly text: string;
  /** Only this project's, whatever the text says. */
  readonly projectId?: ProjectId | undefined;
  /** Files shown at most, and pieces of work. */
  readonly limit: number;
  /** What an agent of a project is given: its files, and what agents left of them before. */
  readonly forAgent?: boolean;
  /** Hears how far the index of work is, where it has to be brought up to date first. */
  readonly told?: IndexingTold | undefined;
}

/** What was found, best first, and where was looked. */
export interface SearchAnswer {
  readonly hits: readonly Hit[];
  /** Proposals, tasks, events, notes, people, facts, and what agents answered and looked up before. */
  readonly work: readonly WorkHit[];
  /** Some hit has everything that was asked for; otherwise they are the nearest misses. */
  readonly hasAll: boolean;
  readonly looked: readonly ProjectHits["looked"][];
  /** How many pieces of work, answers and artifacts were looked at. */
  readonly lookedAtWork: number;
  /** Words that are there and look like those that were not found. */
  readonly near: readonly string[];
  /** What could not be used of the request, or not be looked at. */
  readonly notes: readonly SearchNote[];
}

/** What `kind:` says of work, and of no file. */
const pieceKinds: ReadonlySet<string> = new Set<PieceKind>([...searchedKinds, "answer", "artifact"]);

/**
 * Searches what this device knows: the one search of the command line, the console, MCP and agents.
 *
 * @throws DeviceError `usage` (no word to search for), `date_invalid`, `config_unreadable`, `project_unknown`, `store_busy`
 */
export async function search(
  { text, projectId, limit, forAgent = false, told }: SearchRequest,
  { store, now }: { readonly store: DeviceStore; readonly now: () => number },
): Promise<SearchAnswer> {
  const query = parseQuery(text);
  const narrows = [query.sender, query.fromMs, query.beforeMs, query.kinds[0]].some((each) => each !== undefined);
  if (query.wanted.length === 0 && (forAgent || !narrows)) {
    const wrong = query.notes.find(({ code }) => code === "no_date");
    throw wrong === undefined
      ? exactError("usage", "words")
      : exactError("date_invalid", "day", { text: wrong.values["given"] ?? "" });
  }
  const projects = searchedProjects(store, projectId, query.project);
  const nowMs = now();
  const config = readPersonalConfig(store.dataFolder);
  const found: ProjectHits[] = [];
  const hasWords = query.wanted.length > 0;
  // Files have no sender, and those of a time are listed elsewhere.
  const asksForFiles = hasWords || query.kinds.some((kind) => !pieceKinds.has(kind));
  // One that was named may have work and no folder.
  const withFiles = query.project === undefined ? projects : projects.filter((each) => each.folderPath !== null);
  const searched = query.sender === undefined && asksForFiles ? withFiles : [];
  const question = query.wanted.map((term) => term.text).join(" ");
  const { meaning, note: without } = searched.length === 0 || !hasWords ? {} : await meaningOf(store, question, now);
  const options = { store, config, limit, nowMs, meaning };
  for (const project of searched) found.push(await searchProject(project, query, options));
  const ofProjects = found.flatMap((each) => each.hits);
  const inOrder = hasWords ? inOneOrder(ofProjects) : ofProjects.toSorted((a, b) => b.mtimeMs - a.mtimeMs);
  const hits = inOrder.slice(0, limit);
  const isOfProject = projectId !== undefined || query.project !== undefined;
  const ofProject = isOfProject ? projects[0]?.id : undefined;
  const ofPieces = { projectId: ofProject, limit, nowMs };
  const pieces = [
    ...(forAgent ? [] : [await searchWork(query, store, { ...ofPieces, told })]),
    await searchKept(query, store, { ...ofPieces, mayShow: shownFiles(store, config) }),
  ];
  const work = pieces
    .flatMap((each) => each.hits)
    .filter((each) => !isAmong(each, hits))
    // Scores of several indexes are not of one scale.
    .toSorted((a, b) => Number(b.hasAll) - Number(a.hasAll) || b.score - a.score)
    .slice(0, limit);
  const all = [...hits, ...work];
  const near = [...found, ...pieces].flatMap((each) => each.near);
  return {
    hits,
    work,
    hasAll: all.some((hit) => hit.hasAll),
    looked: found.map(({ looked }) => looked),
    lookedAtWork: pieces.reduce((sum, { looked }) => sum + looked, 0),
    near: all.length === 0 ? [...new Set(near)].slice(0, 5) : [],
    notes: [
      ...query.notes,
      ...(without === undefined ? [] : [without]),
      ...found.flatMap((each) => each.notes),
      ...pieces.flatMap(({ note }) => note ?? []),
      ...(!hasWords && hits.length === limit ? [searchNote("newest_files", { most: limit })] : []),
      // Where nothing is found it may stand in what was not read.
      ...(hasWords && all.length === 0
        ? searched.flatMap((project, at) => textsUnread(store, project, found[at]?.looked.files))
        : []),
    ],
  };
}

/** @param files of the project that were looked at: where none was, another note says why */
function textsUnread(store: DeviceStore, { id, name }: Project, files = 0): SearchNote[] {
  if (files === 0) return [];
  const unread = Object.values(store.folderFiles.skipped(id)).reduce((sum, count) => sum + count, 0);
  const parts = store.folderFiles.readInPart(id);
  return [
    ...(unread === 0 ? [] : [searchNote("texts_unread", { project: name, unread })]),
    ...(parts === 0 ? [] : [searchNote("texts_read_in_part", { project: name, parts })]),
  ];
}

/** A copy of files that are shown themselves says nothing more. */
function isAmong({ repeats, projectId, files }: WorkHit, hits: readonly Hit[]): boolean {
  const isShown = (file: string) =>
    hits.some((hit) => hit.projectId === projectId && (hit.path === file || hit.alike.includes(file)));
  return repeats && files.every(isShown);
}

/** Hits of all projects; where some were found by their meaning as well, by their ranks in both ways. */
function inOneOrder(hits: readonly Hit[]): Hit[] {
  if (hits.every(({ strengths }) => strengths === undefined)) return hits.toSorted((a, b) => b.score - a.score);
  return byReciprocalRanks(hits, ({ score, strengths }) => strengths ?? { words: score, meaning: null });
}

/** A name as it can be typed behind `project:`, where a quotation mark ends it. */
const typable = (name: string): string =>
  name
    .replace(/["“”„«»]/gu, "")
    .replace(/\s+/gu, " ")
    .trim()
    .toLowerCase();

function searchedProjects(store: DeviceStore, id: ProjectId | undefined, named: string | undefined): Project[] {
  if (id !== undefined) return [store.projects.get(id)];
  if (named === undefined) return store.projects.linked();
  const known = store.projects.list();
  const name = named.toLowerCase();
  const found = known.filter((each) => each.id === named || each.name.toLowerCase() === name);
  if (found.length > 0) return found;
  const typed = typable(named);
  const alike = known.filter((each) => typable(each.name) === typed);
  if (alike.length > 0) return alike;
  throw new DeviceError("project_unknown", {
    sentence: `There is no project ${called(named)} on this device; quotation marks within a name are left out. See: scouts project list`,
  });
}
