import { isAccessError } from "../../access/errors.ts";
import type { PersonalRules } from "../../access/policy/rules.ts";
import { isProjectFilesError } from "../../files/errors.ts";
import { nameOf } from "../../files/paths/project-path.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import { IgnoreFiles, isIgnored, type RulesInForce } from "../../files/walk/ignore-files.ts";
import { scoutsIgnoreFile } from "../../folders/scanner/look/survey.ts";
import { type ReadingRules, readingRules } from "../../folders/scanner/reading-rules.ts";

/**
 * Whether a path may be shown by the rules of this moment: what was withheld since the last scan is not found any more, at
 * once. The ignore files on the way to it are read, nothing else is walked.
 */
export class ShownPaths {
  readonly #rules: ReadingRules;
  readonly #ignoreFiles: IgnoreFiles;
  readonly #inForce = new Map<string, Promise<RulesInForce | "ignored">>();

  private constructor(files: ProjectFiles, rules: ReadingRules) {
    this.#rules = rules;
    const source = { foldsCase: files.folding.foldsCase, read: (path: string) => files.read(path) };
    // A file of git's that cannot be read hides nothing, as in a walk.
    this.#ignoreFiles = new IgnoreFiles(source, { ownIgnoreFile: scoutsIgnoreFile }, () => undefined);
  }

  /** Undefined when the project's rules cannot be understood: then nothing of it is shown. */
  static async of(files: ProjectFiles, personal: PersonalRules, dataFolder: string): Promise<ShownPaths | undefined> {
    try {
      return new ShownPaths(files, await readingRules(files, personal, dataFolder));
    } catch (error) {
      if (!isAccessError(error, "denied")) throw error;
      return undefined;
    }
  }

  async shows(path: string): Promise<boolean> {
    if (this.#rules.leavesOut(path) !== undefined) return false;
    try {
      const at = path.lastIndexOf("/");
      const rules = await this.#rulesIn(at === -1 ? "" : path.slice(0, at));
      return rules !== "ignored" && !isIgnored(rules, path, nameOf(path), false);
    } catch (error) {
      // Who wrote a .scoutsignore relies on it: one that cannot be read closes its folder.
      if (isProjectFilesError(error)) return false;
      throw error;
    }
  }

  #rulesIn(directory: string): Promise<RulesInForce | "ignored"> {
    const known = this.#inForce.get(directory) ?? this.#read(directory);
    this.#inForce.set(directory, known);
    return known;
  }

  async #read(directory: string): Promise<RulesInForce | "ignored"> {
    if (directory === "") {
      const git = await this.#ignoreFiles.outermostRules();
      return this.#within(directory, { git, own: undefined });
    }
    const at = directory.lastIndexOf("/");
    const outer = await this.#rulesIn(at === -1 ? "" : directory.slice(0, at));
    if (outer === "ignored" || isIgnored(outer, directory, nameOf(directory), true)) return "ignored";
    return this.#within(directory, outer);
  }

  async #within(directory: string, { git, own }: RulesInForce): Promise<RulesInForce> {
    return {
      git: await this.#ignoreFiles.rulesIn(directory, git),
      own: await this.#ignoreFiles.ownRulesIn(directory, own),
    };
  }
}
