import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type AgentHome, agentHome } from "../e2e/agents/home.ts";
import { dataFiles } from "./data-files.ts";
import { EvaluationError } from "./evaluation-error.ts";

/** Kinds of documents that have something to say. */
export const documentKinds = ["md", "docx", "csv", "txt", "html", "pdf", "json", "config", "log"] as const;

/** The folder of the documents, beside the checkout. Throws an {@link EvaluationError} when it is not there. */
export function documentsFolder(): string {
  const [index = ""] = dataFiles([], "documents/dev/INDEX.jsonl");
  return dirname(index);
}

/** Paths of the documents of all kinds, `kind/name`. */
export function documentPaths(folder: string): string[] {
  return documentKinds.flatMap((kind) =>
    readdirSync(join(folder, kind))
      .sort()
      .map((name) => `${kind}/${name}`),
  );
}

/** A home with the model the environment names (`OPENAI_…`), else its built-in one. */
export async function evaluationHome(environment: NodeJS.ProcessEnv = process.env): Promise<AgentHome> {
  const names = ["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"] as const;
  const given = names.flatMap((name) => {
    const value = environment[name]?.trim() ?? "";
    return value === "" ? [] : [[name, value] as const];
  });
  return agentHome(Object.fromEntries(given));
}

/** Copies documents into a folder of the home's, links it to a project of that name, and waits for the summaries. */
export async function linkDocuments(
  home: AgentHome,
  name: string,
  from: string,
  paths: readonly string[],
): Promise<void> {
  const root = join(home.path, name);
  for (const path of paths) {
    if (!existsSync(join(from, path))) throw new EvaluationError(`The data folder has no ${path}.`);
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(join(from, path), join(root, path));
  }
  await home.scouts("project", "add", basename(name));
  const { code, stderr } = await home.scouts("project", "link", basename(name), root);
  if (code !== 0) throw new EvaluationError(`The folder could not be summarised: ${stderr}`);
}
