import type { ChatRequestBody } from "../chat-request.ts";
import { bestLines, coverage, quotingAnswer, shownLines } from "./answer.ts";
import { type Exchange, readExchange } from "./exchange.ts";
import { type ListedFile, type ListedProject, readFileList } from "./file-list.ts";
import { best, questionTerms } from "./relevance.ts";

/** Calls made at once. */
const maxCalls = 3;
/** Words a search asks for at most. */
const maxWords = 4;
/** An answer whose quotations hold fewer of the question's words is worth a search. */
const enough = 0.5;
const maxProjects = 20;

/** What the model does next: calls, or an answer. */
export type NextTurn = { readonly text: string } | { readonly calls: readonly ToCall[] };

export interface ToCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * The built-in model's way through a person's files: reads those whose path or summary shares words with the question,
 * searches when they do not say, and answers with lines as they stand there. It follows no instructions, neither those it
 * is given nor those in files.
 */
export function nextTurn(request: ChatRequestBody): NextTurn {
  const exchange = readExchange(request);
  const whole = exchange.lists.filter((list) => list.startsWith("<linked_folder>"));
  const projects = (whole.length > 0 ? whole : exchange.lists).flatMap(readFileList);
  const tools = new Set(request.tools?.map(({ function: { name } }) => name));
  const calls =
    request.tool_choice === "none" ? [] : callsFor(exchange, projects).filter(({ name }) => tools.has(name));
  if (calls.length > 0) return { calls: calls.slice(0, maxCalls) };
  const recent = exchange.made.length === 0 && exchange.lists.some((list) => list.startsWith("<linked_folders>"));
  return { text: recent ? news(projects) : quotingAnswer(exchange) };
}

function callsFor({ question, lists, made }: Exchange, projects: readonly ListedProject[]): ToCall[] {
  const asked = (name: string) => made.some((call) => call.name === name);
  const wanted = questionTerms(question);
  if (lists.length === 0) {
    const name = "list_projects_with_folder_manifests";
    return asked(name) ? [] : [{ name, arguments: {} }];
  }
  if (!lists.some((list) => list.startsWith("<linked_folder>"))) {
    // The list of all projects was given: a brief. It was asked for: the question is about one of them.
    const name = "read_project_folder_manifest";
    return made.length === 0 || asked(name) ? [] : manifestsOf(wanted, projects, name);
  }
  if (!asked("read_project_folder_file") && !asked("grep_files")) return firstLook(wanted, projects);
  const shown = bestLines(wanted, shownLines(made));
  if (coverage(wanted, shown) >= enough) return [];
  if (!asked("grep_files")) return projects.slice(0, maxCalls).flatMap((project) => search(wanted, project));
  return [];
}

function manifestsOf(wanted: readonly string[], projects: readonly ListedProject[], name: string): ToCall[] {
  const about = (project: ListedProject) => [project.name, ...project.files.map(wordsOf)].join(" ");
  const chosen = best(wanted, projects, about, maxCalls);
  return (chosen.length > 0 ? chosen : projects)
    .slice(0, maxCalls)
    .map(({ id }) => ({ name, arguments: { project_id: id } }));
}

function firstLook(wanted: readonly string[], projects: readonly ListedProject[]): ToCall[] {
  const files = projects.flatMap((project) =>
    project.files.filter(({ type }) => !/^(?:image|skipped|error)/.test(type)).map((file) => ({ project, file })),
  );
  const chosen = best(wanted, files, ({ file }) => wordsOf(file), maxCalls);
  const reads = chosen.map(({ project, file }) => ({
    name: "read_project_folder_file",
    arguments: { project_id: project.id, relative_path: file.path },
  }));
  const unlisted = projects
    .filter(({ partial }) => partial || reads.length === 0)
    .flatMap((each) => search(wanted, each));
  return [...reads.slice(0, maxCalls - Math.min(1, unlisted.length)), ...unlisted];
}

function search(wanted: readonly string[], { id }: ListedProject): ToCall[] {
  // Longer words are rarer ones, and endings are off already.
  const words = [...wanted].sort((one, other) => other.length - one.length).slice(0, maxWords);
  if (words.length === 0) return [];
  const pattern = words.join("|");
  return [
    { name: "grep_files", arguments: { project_id: id, pattern, regex: true, ignoreCase: true, maxMatches: 60 } },
  ];
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
