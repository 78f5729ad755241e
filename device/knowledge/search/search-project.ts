import type { ProjectId } from "../../../events/ids.ts";
import type { PersonalConfig } from "../../config/config-schema.ts";
import { personalPlaces } from "../../config/personal-config.ts";
import { isDeviceError } from "../../errors.ts";
import { isProjectFilesError } from "../../files/errors.ts";
import { openFolder } from "../../files/place/folder-place.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import type { Project } from "../../store/folder-schema.ts";
import type { DeviceStore } from "../../store/open.ts";
import { indexPath, noteIndexDamage, openIndexToRead } from "../index/index-file.ts";
import { isBehind } from "../index/update-index.ts";
import { comparableWith } from "../vectors/comparable.ts";
import { fusedFiles, type Strengths } from "../vectors/fused.ts";
import type { Meaning } from "../vectors/question-meaning.ts";
import { EarlierUse, type Gain } from "./earlier-use.ts";
import type { FoundFile } from "./index/index-rows.ts";
import { IndexSearch } from "./index/index-search.ts";
import { LineMatcher, type MatchingLine, shownLines } from "./matching-lines.ts";
import { parseQuery, type Query } from "./parse-query.ts";
import { type PassageText, PassageTexts } from "./passage-texts.ts";
import { type SearchNote, searchNote } from "./search-notes.ts";
import { ShownPaths } from "./shown-paths.ts";

/** A file that fits a search, with the passages that do. */
export interface Hit {
  readonly projectId: ProjectId;
  readonly project: string;
  /** Relative to the project's folder. */
  readonly path: string;
  readonly title: string;
  /** What the manifest says it is about; "" when that is not known. */
  readonly summary: string;
  readonly kind: string;
  readonly mtimeMs: number;
  readonly score: number;
  /** Everything that was asked for stands in one of its passages. */
  readonly hasAll: boolean;
  /** As they stand in the file now, best first; none when its name was found, or it changed since it was read. */
  readonly passages: readonly (PassageText & { readonly score: number })[];
  /** Of the best passage what was asked for, to be shown; none when only its name was found. */
  readonly lines: readonly MatchingLine[];
  /** Paths of files that say the same. */
  readonly alike: readonly string[];
  /** Why it ranks higher than by what it says alone; absent when it does not. */
  readonly learnt?: Gain;
  /** Where an embedding model is set: how it was found. */
  readonly strengths?: Strengths;
}

/** What a search of one project came to. */
export interface ProjectHits {
  readonly hits: readonly Hit[];
  /** What could be found, if anything had fit. */
  readonly looked: { readonly project: string; readonly files: number; readonly passages: number };
  /** Words of the index that look like those that were not found. */
  readonly near: readonly string[];
  /** Why not everything was looked at. */
  readonly notes: readonly SearchNote[];
}

export interface ProjectSearchOptions {
  readonly store: DeviceStore;
  readonly config: PersonalConfig;
  readonly limit: number;
  readonly nowMs: number;
  /** Of the question, where an embedding model is set and answers. */
  readonly meaning?: Meaning | undefined;
}

/** So many more are found than shown, as some may be withheld by now. */
const spare = 10;

/** Searches one project's folder. Rules and files count as they are now, whatever the index says. */
export async function searchProject(
  project: Project,
  query: Query,
  options: ProjectSearchOptions,
): Promise<ProjectHits> {
  const nothing = { hits: [], looked: { project: project.name, files: 0, passages: 0 }, near: [] };
  const { store, nowMs } = options;
  const { folderPath } = project;
  if (folderPath === null) return { ...nothing, notes: [searchNote("not_linked", { project: project.name })] };
  try {
    const { meaning, ...byWords } = options;
    const connection = openIndexToRead(indexPath(store.dataFolder, project.id), {
      allowExtension: meaning !== undefined,
    });
    if (connection === undefined) return { ...nothing, notes: [searchNote("not_indexed", { project: project.name })] };
    const index = new IndexSearch(connection);
    try {
      const files = openFolder(folderPath);
      const paths = await ShownPaths.of(files, personalPlaces(options.config, files.displayRoot), store.dataFolder);
      if (paths === undefined)
        return { ...nothing, notes: [searchNote("rules_unreadable", { project: project.name })] };
      const within = { project, files, index, paths };
      const looked = { project: project.name, ...index.rows.counts() };
      const compared = meaning && comparableWith(connection, meaning, project.name, nowMs);
      const notes = [
        ...(isBehind(store, project.id) ? [searchNote("index_behind", { project: project.name })] : []),
        ...(compared?.note === undefined ? [] : [compared.note]),
      ];
      const hits = await shownHits(within, query, { ...byWords, meaning: compared?.meaning });
      if (hits.length > 0) return { hits, looked, near: [], notes };
      // A word is told only if it stands in something that may be shown, and that the search lets through.
      const near: string[] = [];
      for (const word of index.near(query)) {
        const shown = await shownHits(within, { ...query, wanted: parseQuery(word).wanted }, { ...byWords, limit: 1 });
        if (shown.length > 0) near.push(word);
      }
      return { hits, looked, near, notes };
    } finally {
      index.close();
    }
  } catch (error) {
    if (isDeviceError(error, "store_unreadable")) {
      // Else a scan of a folder that has not changed would find nothing to do.
      noteIndexDamage(indexPath(store.dataFolder, project.id));
      return { ...nothing, notes: [searchNote("index_damaged", { project: project.name })] };
    }
    if (isProjectFilesError(error, "NotFound", "NotADirectory", "RootGone", "AccessDenied", "StorageFailed")) {
      return { ...nothing, notes: [searchNote("folder_closed", { project: project.name })] };
    }
    throw error;
  }
}

/** What is searched of one project, and what of it may be shown. */
interface SearchedFolder {
  readonly project: Project;
  readonly files: ProjectFiles;
  readonly index: IndexSearch;
  readonly paths: ShownPaths;
}

async function shownHits(
  { project, files, index, paths }: SearchedFolder,
  query: Query,
  { store, limit, nowMs, meaning }: ProjectSearchOptions,
): Promise<Hit[]> {
  const texts = new PassageTexts(files, (document) => index.rows.keptText(document));
  const matcher = new LineMatcher(query.wanted);
  const words = query.wanted.flatMap((term) => term.words.flatMap(({ tokens }) => tokens));
  const mayShow = async (path: string) =>
    store.folderFiles.find(project.id, path) !== undefined && (await paths.shows(path));
  const hits: Hit[] = [];
  const earlier = new EarlierUse(store, project.id, query);
  const most = limit + spare;
  const byWords = (query.wanted.length > 0 ? index.find(query, most, nowMs) : index.latest(query, most))
    .map((file) => ({ ...file, score: file.score * (1 + (earlier.gainOf(file.document.path)?.share ?? 0)) }))
    .toSorted((a, b) => b.score - a.score);
  const ranked: readonly (FoundFile & { readonly strengths?: Strengths })[] =
    meaning === undefined ? byWords : fusedFiles(byWords, index.nearest(query, meaning.vector, most, nowMs));
  for (const file of ranked) {
    if (hits.length >= limit) break;
    const hit = (await mayShow(file.document.path))
      ? await hitOf(project, file, texts, index, words, matcher)
      : undefined;
    if (hit === undefined) continue;
    const alike: string[] = [];
    for (const path of file.alike) if (await mayShow(path)) alike.push(path);
    const learnt = earlier.gainOf(hit.path);
    const { strengths } = file;
    hits.push({ ...hit, alike, ...(learnt && { learnt }), ...(strengths && { strengths }) });
  }
  return hits;
}

async function hitOf(
  { id, name }: Project,
  { document, passages, score, hasAll }: FoundFile,
  texts: PassageTexts,
  index: IndexSearch,
  words: readonly string[],
  matcher: LineMatcher,
): Promise<Omit<Hit, "alike" | "learnt"> | undefined> {
  const first = index.rows.firstPassage(document);
  const wanted = passages.length > 0 ? passages : first === undefined ? [] : [first];
  const shown: (PassageText & { score: number })[] = [];
  for (const passage of wanted) {
    const read = await texts.of(document, passage, words);
    const isNew = !shown.some(({ startLine, text }) => startLine === read?.startLine && text === read?.text);
    if (read !== undefined && isNew) shown.push({ ...read, score: passage.score });
  }
  const { path, title, about: summary, kind, mtimeMs } = document;
  const [best] = shown;
  const lines =
    best === undefined ? [] : matcher.lines(best.text, best.startLine, shownLines.most, shownLines.maxChars);
  return { projectId: id, project: name, path, title, summary, kind, mtimeMs, score, hasAll, passages: shown, lines };
}
