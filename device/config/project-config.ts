import * as z from "zod";
import { policyFile } from "../access/policy/rules.ts";
import { isProjectFilesError } from "../files/errors.ts";
import type { ProjectFiles } from "../files/project-files.ts";
import { type ProjectPlace, personalConfig, projectPlace } from "./config-schema.ts";

const maxBytes = 1024 * 1024;

/** What a project says about itself, so far as it may. */
export interface ProjectConfig {
  readonly place: ProjectPlace;
  /** Names of settings it asks for and may not have. */
  readonly notObeyed: readonly string[];
}

const object = z.record(z.string(), z.unknown());
/** What a program may be told by its person alone: whoever wrote a project could be anybody. */
const notForProjects = [...Object.keys(personalConfig.shape), "tools", "models", "model", "addresses"].filter(
  (name) => !Object.hasOwn(projectPlace.shape, name),
);
/** Within settings a project may have. */
const notWithin: Readonly<Record<string, readonly string[]>> = {
  read: ["allow"],
  write: ["allow"],
  sensitivity: ["normal"],
};

/** Of the project's own file; undefined: it has none. A new one whenever the file has changed. */
export async function projectConfigVersion(files: ProjectFiles): Promise<string | undefined> {
  try {
    return (await files.metadata(policyFile)).version;
  } catch (error) {
    if (isProjectFilesError(error, "NotFound", "NoProjectFiles", "NotADirectory")) return undefined;
    throw error;
  }
}

/**
 * Reads a project's own file. It may only narrow: leave files out, ask and deny, tag files as sensitive, lower limits. What else
 * it asks for is named and not obeyed.
 *
 * @throws what says that the file cannot be read, is no JSON, or has a setting that nobody knows: that may be a rule which is
 * only spelled wrong
 */
export async function readProjectConfig(files: ProjectFiles): Promise<ProjectConfig> {
  const text = Buffer.from(await files.read(policyFile, { maxBytes })).toString("utf8");
  const notObeyed: string[] = [];
  const kept = Object.entries(object.parse(JSON.parse(text.replace(/^\ufeff/, "")))).flatMap(([name, value]) => {
    if (notForProjects.includes(name)) {
      notObeyed.push(name);
      return [];
    }
    const within = notWithin[name] ?? [];
    const parts = object.safeParse(value);
    if (within.length === 0 || !parts.success) return [[name, value]];
    notObeyed.push(...within.filter((part) => isSaid(parts.data[part])).map((part) => `${name}.${part}`));
    return [[name, Object.fromEntries(Object.entries(parts.data).filter(([part]) => !within.includes(part)))]];
  });
  return { place: projectPlace.parse(Object.fromEntries(kept)), notObeyed };
}

const isSaid = (value: unknown): boolean => value !== undefined && !(Array.isArray(value) && value.length === 0);
