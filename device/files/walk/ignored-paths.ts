import { isProjectFilesError } from "../errors.ts";
import { nameOf, parentOf } from "../paths/project-path.ts";
import type { ProjectFiles } from "../project-files.ts";
import { IgnoreFiles, isIgnored, type RulesInForce } from "./ignore-files.ts";
import type { WalkOptions } from "./walk-types.ts";

/** Why ignore files leave a path out: they name it, or one of the caller's own cannot be read. */
export type WhyIgnored = "named" | "unreadable";

/** Whether ignore files leave out single paths. Those on the way to a path are read, once each; nothing is walked. */
export class IgnoredPaths {
  readonly #ignoreFiles: IgnoreFiles;
  readonly #inForce = new Map<string, Promise<RulesInForce | WhyIgnored>>();

  constructor(
    files: Pick<ProjectFiles, "read" | "folding">,
    options: Pick<WalkOptions, "ownIgnoreFile" | "ignoreRules">,
  ) {
    const source = { foldsCase: files.folding.foldsCase, read: (path: string) => files.read(path) };
    // A file of git's that cannot be read hides nothing, as in a walk.
    this.#ignoreFiles = new IgnoreFiles(source, options, () => undefined);
  }

  /** Undefined when it is not left out. @param path canonical; the root is never left out */
  async why(path: string, isDirectory = false): Promise<WhyIgnored | undefined> {
    if (path === "") return undefined;
    const rules = await this.#rulesIn(parentOf(path));
    if (typeof rules === "string") return rules;
    return isIgnored(rules, path, nameOf(path), isDirectory) ? "named" : undefined;
  }

  #rulesIn(directory: string): Promise<RulesInForce | WhyIgnored> {
    const known = this.#inForce.get(directory) ?? this.#read(directory);
    this.#inForce.set(directory, known);
    return known;
  }

  async #read(directory: string): Promise<RulesInForce | WhyIgnored> {
    if (directory === "") return this.#within("", { git: await this.#ignoreFiles.outermostRules(), own: undefined });
    const outer = await this.#rulesIn(parentOf(directory));
    if (typeof outer === "string") return outer;
    if (isIgnored(outer, directory, nameOf(directory), true)) return "named";
    return this.#within(directory, outer);
  }

  /** Who wrote an ignore file of their own relies on it: one that cannot be read closes its folder. */
  async #within(directory: string, { git, own }: RulesInForce): Promise<RulesInForce | WhyIgnored> {
    try {
      return {
        git: await this.#ignoreFiles.rulesIn(directory, git),
        own: await this.#ignoreFiles.ownRulesIn(directory, own),
      };
    } catch (error) {
      if (isProjectFilesError(error)) return "unreadable";
      throw error;
    }
  }
}
