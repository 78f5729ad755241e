import { withoutMentions } from "../../../shared/llm/mentions.ts";
import type { ChatRequestBody } from "../chat-request.ts";
import {
  attachmentsTool,
  bestLines,
  coverage,
  foundPlaces,
  hasIndex,
  isAnsweredByWork,
  quotingAnswer,
  searchByContent,
  shownLines,
} from "./answer.ts";
import { asksOfMail } from "./asks-of-mail.ts";
import { type Exchange, type MadeCall, readExchange, type ToCall } from "./exchange.ts";
import { type ListedFile, type ListedProject, readFileList } from "./file-list.ts";
import { rankFiles } from "./file-ranking.ts";
import { best, type QuestionWord, questionWords } from "./relevance.ts";
import { commonWordsOf, isPairSearch, pairSearchesFor, searchesFor, wholeSearches } from "./word-search.ts";
import { suggestionsTool, workSearches } from "./work-lines.ts";

/** Calls made at once; a device answers eight of a step. */
const maxCalls = 6;
/** Manifests, or files, read at once; and how often another look is taken when those do not say. */
const maxReads = 2;
const maxLooks = 2;
const maxManifests = 3;
const readFile = "read_project_folder_file";
/** Files a search by content gives, of one project and of all: the right one is among the first, or not there. */
const maxFound = 4;
const maxFoundInAll = 8;
const maxQueryCharacters = 1_000;
const maxWorkQuery = 1_000;
const linesBehind = 30;
const unreadable = /^(?:image|skipped|error)/;
/** An answer whose quotations hold fewer of the question's words is worth a search. */
const enough = 0.5;
const maxProjects = 20;

/** What the model does next: calls, or an answer. */
export type NextTurn = { readonly text: string } | { readonly calls: readonly ToCall[] };

/**
 * The built-in model's way through a person's messages, work and files. Where no project is named it looks among what
 * scouts proposed, tasks, events and notes first. Of files it asks the device's index and looks behind its best place when that says
 * too little. Where there is no index it reads files whose path and summary hold most of the question,
 * searches for its rarest words when the list does not say or leaves files out, looks into the files that hold most of them,
 * and into the next ones when those say nothing; answers with lines as they stand there. It follows no instructions, neither those it
 * is given nor those in files.
 */
export function nextTurn(request: ChatRequestBody): NextTurn {
  const read = readExchange(request);
  const whole = read.lists.filter((list) => list.startsWith("<linked_folder>"));
  const projects = (whole.length > 0 ? whole : read.lists).flatMap(readFileList);
  // Whom a question is put to is not what it asks for.
  const names = projects.map(({ name }) => name);
  const exchange = { ...read, question: withoutMentions(read.question, names) };
  const tools = new Set(request.tools?.map(({ function: { name } }) => name));
  const calls =
    request.tool_choice === "none" ? [] : callsFor(exchange, projects, tools).filter(({ name }) => tools.has(name));
  if (calls.length > 0) return { calls: calls.slice(0, maxCalls) };
  const recent = exchange.made.length === 0 && exchange.lists.some((list) => list.startsWith("<linked_folders>"));
  return { text: recent ? news(projects) : quotingAnswer(exchange, listedIn(read.lists)) };
}

/** Every project of some lists, each once. */
const listedIn = (lists: readonly string[]): ListedProject[] => [
  ...new Map(lists.flatMap(readFileList).map((project) => [project.id, project])).values(),
];

function callsFor(
  { question, lists, made }: Exchange,
  projects: readonly ListedProject[],
  tools: ReadonlySet<string>,
): ToCall[] {
  const asked = (name: string) => made.some((call) => call.name === name);
  const words = questionWords(question);
  const wanted = words.map(({ term }) => term);
  // What was attached is meant: further is looked only where it does not say.
  const attached = shownLines(made.filter(({ name }) => name === attachmentsTool));
  if (attached.length > 0 && coverage(wanted, bestLines(wanted, attached)) >= enough) return [];
  if (lists.length === 0) {
    const name = "list_projects_with_folder_manifests";
    const list = asked(name) ? [] : [{ name, arguments: {} }];
    const work = asked(suggestionsTool) ? [] : lookIntoWork(question, wanted);
    return [...list, ...work];
  }
  if (isAnsweredByWork(wanted, made)) return [];
  if (!lists.some((list) => list.startsWith("<linked_folder>"))) {
    // The list of all projects was given: a brief. It was asked for: the question is about any of them.
    if (made.length === 0) return [];
    if (words.length > 0 && tools.has(searchByContent) && !asked(searchByContent)) {
      return [
        { name: searchByContent, arguments: { query: question.slice(0, maxQueryCharacters), limit: maxFoundInAll } },
      ];
    }
    if (hasIndex(made)) return aroundBest(wanted, made);
    const name = "read_project_folder_manifest";
    return asked(name) ? [] : manifestsOf(wanted, projects, name);
  }
  if (words.length > 0 && tools.has(searchByContent) && !asked(searchByContent)) {
    return projects.slice(0, maxManifests).map(({ id }) => ({
      name: searchByContent,
      arguments: { project_id: id, query: question.slice(0, maxQueryCharacters), limit: maxFound },
    }));
  }
  if (hasIndex(made)) return aroundBest(wanted, made);
  const choices = projects.flatMap((project) => choicesIn(project, words, made));
  const unread = choices.filter(({ isRead }) => !isRead).sort((a, b) => b.score - a.score);
  const hasSearched = asked("grep_files");
  if (!asked(readFile)) {
    // A list of all files that names most of what is asked about is enough to go by.
    const isClear = projects.every(({ partial }) => !partial) && choices.some(({ coverage: held }) => held >= enough);
    if (!hasSearched && !isClear) return searches(words, projects, searchesFor);
    const isSure = isClear || unread.some(({ coverage: held }) => held >= enough);
    const pairs =
      isSure || made.some(isPairSearch) ? [] : searches(commonWordsOf(words, made), projects, pairSearchesFor);
    return pairs.length > 0 ? pairs : unread.slice(0, maxReads).map(toRead);
  }
  if (coverage(wanted, bestLines(wanted, shownLines(made))) >= enough) return [];
  if (!hasSearched) return searches(words, projects, searchesFor);
  const reads = made.filter(({ name }) => name === readFile).length;
  return reads >= maxReads * maxLooks ? [] : unread.slice(0, maxReads).map(toRead);
}

/** Looks among messages and work for a question's words; for all that waits where it is plainly about mail. */
function lookIntoWork(question: string, wanted: readonly string[]): ToCall[] {
  if (asksOfMail(question)) return [{ name: suggestionsTool, arguments: {} }];
  if (wanted.length === 0) return [];
  const query = question.slice(0, maxWorkQuery);
  return workSearches.map((name) => ({
    name,
    arguments: name === suggestionsTool ? { query, decided: true } : { query },
  }));
}

/** What stands behind the best place of an index, when the place itself says too little; once. */
function aroundBest(wanted: readonly string[], made: readonly MadeCall[]): ToCall[] {
  const [best] = foundPlaces(made);
  const isEnough = coverage(wanted, bestLines(wanted, shownLines(made))) >= enough;
  if (best === undefined || isEnough || made.some(({ name }) => name === "read_lines")) return [];
  const { projectId, path, startLine, endLine } = best;
  return [
    { name: "read_lines", arguments: { project_id: projectId, path, startLine, endLine: endLine + linesBehind } },
  ];
}

interface Choice {
  readonly projectId: string;
  readonly path: string;
  readonly score: number;
  readonly coverage: number;
  readonly isRead: boolean;
}

/** Files of a project that share words with the question, by its list and by what searches found. */
function choicesIn(
  { id, files, total }: ListedProject,
  words: readonly QuestionWord[],
  made: readonly MadeCall[],
): Choice[] {
  const here = made.filter(({ data }) => data["project_id"] === id);
  const found = here.filter(({ name }) => name === "grep_files");
  const isRead = new Set(here.filter(({ name }) => name === readFile).map(({ data }) => data["relative_path"]));
  const wanted = words.map(({ term }) => term);
  const ranked = rankFiles(wanted, {
    files: files.filter(({ type }) => !unreadable.test(type)),
    lines: shownLines(wholeSearches(found)),
    common: new Set(commonWordsOf(words, found).map(({ term }) => term)),
    total: Math.max(total, files.length),
  });
  return ranked.map((each) => ({ ...each, projectId: id, isRead: isRead.has(each.path) }));
}

const toRead = ({ projectId, path }: Choice): ToCall => ({
  name: readFile,
  arguments: { project_id: projectId, relative_path: path },
});

/** One project at a time can be searched word by word; several get their share of the calls. */
function searches(
  words: readonly QuestionWord[],
  projects: readonly ListedProject[],
  searchesOf: typeof searchesFor,
): ToCall[] {
  const each = projects.slice(0, maxCalls).map(({ id, files }) => searchesOf(words, files.map(wordsOf), id));
  const share = Math.max(1, Math.floor(maxCalls / Math.max(1, each.length)));
  return each.flatMap((calls) => calls.slice(0, share));
}

function manifestsOf(wanted: readonly string[], projects: readonly ListedProject[], name: string): ToCall[] {
  const about = (project: ListedProject) => [project.name, ...project.files.map(wordsOf)].join(" ");
  const chosen = best(wanted, projects, about, maxManifests);
  return (chosen.length > 0 ? chosen : projects)
    .slice(0, maxManifests)
    .map(({ id }) => ({ name, arguments: { project_id: id } }));
}

function wordsOf({ path, summary }: ListedFile): string {
  return `${path} ${summary}`;
}

/** The files that changed last, project by project, as the list has them. */
function news(projects: readonly ListedProject[]): string {
  if (projects.length === 0) return "No project has a linked folder.";
  const sections = projects.slice(0, maxProjects).map(({ name, files }) => {
    const lines = files.map(({ path, summary }) => (summary === "" ? `- ${path}` : `- ${path}: ${summary}`));
    return [`${name}:`, ...(lines.length > 0 ? lines : ["- nothing yet"])].join("\n");
  });
  const left = projects.length - sections.length;
  return [...sections, ...(left > 0 ? [`${left} more projects.`] : [])].join("\n\n");
}
