import { existsSync, readFileSync } from "node:fs";
import * as z from "zod";
import { policyFile } from "../access/policy/rules.ts";
import { isProjectFilesError } from "../files/errors.ts";
import type { ProjectFiles } from "../files/project-files.ts";
import { personalConfig } from "./config-schema.ts";
import { idleSettings } from "./idle-settings.ts";
import { issueWords } from "./issue-words.ts";
import { personalConfigFile } from "./personal-config.ts";
import { projectConfigVersion, readProjectConfig } from "./project-config.ts";

/** Something wrong with a file of settings. */
export interface ConfigProblem {
  /** The person's file, or a project's folder. */
  readonly where: string;
  readonly what: string;
  /** Whether everything the file is about is closed because of it. */
  readonly closes: boolean;
}

/** What is wrong with the person's configuration. Values are not quoted. */
export function checkPersonalConfig(dataFolder: string): ConfigProblem[] {
  const where = personalConfigFile(dataFolder);
  if (!existsSync(where)) return [];
  try {
    const { projects, ...everywhere } = personalConfig.parse(
      JSON.parse(readFileSync(where, "utf8").replace(/^\ufeff/, "")),
    );
    const places = [["", everywhere] as const, ...Object.entries(projects)];
    return [
      ...Object.keys(projects)
        .filter((root) => !root.includes("://") && !existsSync(root))
        .map((root) => ({ where, what: `projects: there is no folder ${root}`, closes: false })),
      ...places.flatMap(([root, place]) =>
        idleSettings(place).map(({ name, why }) => {
          return { where, what: `${root === "" ? name : `projects.${root}.${name}`}: ${why}`, closes: false };
        }),
      ),
    ];
  } catch (error) {
    return wordsOf(error).map((what) => ({ where, what, closes: true }));
  }
}

/** What is wrong with a project's own file, and what it asks for and may not have. */
export async function checkProjectConfig(root: string, open: () => ProjectFiles): Promise<ConfigProblem[]> {
  try {
    const files = open();
    if ((await projectConfigVersion(files)) === undefined) return [];
    const { place, notObeyed } = await readProjectConfig(files);
    const whats = [
      ...notObeyed.map((name) => `${policyFile} asks for ${name}; that is for you to say, so it is not obeyed`),
      ...idleSettings(place).map(({ name, why }) => `${policyFile}: ${name}: ${why}`),
    ];
    return whats.map((what) => ({ where: root, what, closes: false }));
  } catch (error) {
    if (isProjectFilesError(error)) return [{ where: root, what: error.sentence, closes: false }];
    return wordsOf(error).map((what) => ({ where: root, what: `${policyFile}: ${what}`, closes: true }));
  }
}

/** By the place in the file; a parser of JSON quotes what it has read, so only where it ended is told. */
function wordsOf(error: unknown): string[] {
  if (error instanceof z.ZodError) {
    return error.issues.map((issue) => `${issue.path.map(String).join(".") || "the file"}: ${issueWords(issue)}`);
  }
  if (!(error instanceof SyntaxError)) return ["it cannot be read"];
  const position = /position \d+(?: \(line \d+ column \d+\))?/.exec(error.message)?.[0];
  return [`it is no JSON${position === undefined ? "" : `, at ${position}`}`];
}
