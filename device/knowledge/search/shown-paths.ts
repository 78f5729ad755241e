import { isAccessError } from "../../access/errors.ts";
import { scoutsIgnoreFile } from "../../access/policy/protected.ts";
import type { PersonalRules } from "../../access/policy/rules.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import { IgnoredPaths } from "../../files/walk/ignored-paths.ts";
import { type ReadingRules, readingRules } from "../../folders/scanner/reading-rules.ts";

/**
 * Whether a path may be shown by the rules of this moment: what was withheld since the last scan is not found any more, at
 * once. The ignore files on the way to it are read, nothing else is walked.
 */
export class ShownPaths {
  readonly #rules: ReadingRules;
  readonly #ignored: IgnoredPaths;

  private constructor(files: ProjectFiles, rules: ReadingRules) {
    this.#rules = rules;
    this.#ignored = new IgnoredPaths(files, { ownIgnoreFile: scoutsIgnoreFile });
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
    return this.#rules.leavesOut(path) === undefined && (await this.#ignored.why(path)) === undefined;
  }
}
