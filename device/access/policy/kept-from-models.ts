import { isProjectFilesError } from "../../files/errors.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import { IgnoredPaths, type WhyIgnored } from "../../files/walk/ignored-paths.ts";
import type { Decision, Operation } from "./decide.ts";
import { isScoutsIgnore, scoutsIgnoreFile } from "./protected.ts";

const reasons: Readonly<Record<WhyIgnored, string>> = {
  named: `${scoutsIgnoreFile} keeps it from models`,
  unreadable: `a ${scoutsIgnoreFile} on the way to it cannot be read, and closes its folder until it can`,
};

/**
 * What the person keeps from every model and program, and not from themselves: what `.scoutsignore` names. Made for one call,
 * so that the rules of that moment hold.
 */
export class KeptFromModels {
  readonly #files: Pick<ProjectFiles, "metadata">;
  readonly #ignored: IgnoredPaths;

  constructor(files: Pick<ProjectFiles, "read" | "folding" | "metadata">) {
    this.#files = files;
    this.#ignored = new IgnoredPaths(files, { ownIgnoreFile: scoutsIgnoreFile, ignoreRules: false });
  }

  /** Undefined where it has nothing to say. @param path canonical */
  async decide(operation: Operation, path: string, isDirectory: boolean): Promise<Decision | undefined> {
    if (operation === "write" && isScoutsIgnore(path))
      return { verdict: "deny", reason: "it says what is kept from models", why: "rule" };
    const why = (await this.#ignored.why(path, isDirectory)) ?? (await this.#whyAsFolder(path));
    return why && { verdict: "deny", reason: reasons[why], why: "rule" };
  }

  /**
   * What is kept as a folder is refused by its name, whether or not it is there: otherwise a refusal would tell that it is. A file
   * of that name is none of the folders that are meant.
   */
  async #whyAsFolder(path: string): Promise<WhyIgnored | undefined> {
    const why = await this.#ignored.why(path, true);
    return why === undefined || (await this.#isFile(path)) ? undefined : why;
  }

  async #isFile(path: string): Promise<boolean> {
    try {
      return (await this.#files.metadata(path)).kind === "file";
    } catch (error) {
      if (!isProjectFilesError(error)) throw error;
      return false;
    }
  }
}
