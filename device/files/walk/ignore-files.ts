import { isProjectFilesError, ProjectFilesError } from "../errors.ts";
import { joinPath } from "../paths/project-path.ts";
import { textEncodingOf } from "../text/text-encoding.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import { IgnoreStack } from "./ignore-stack.ts";
import type { WalkOptions, WalkSource } from "./walk-types.ts";

/** The rules of git's ignore files and of the caller's own, which do not speak for each other. */
export interface RulesInForce {
  readonly git: IgnoreStack | undefined;
  readonly own: IgnoreStack | undefined;
}

/** Reads the ignore files a walk comes by. */
export class IgnoreFiles {
  readonly #source: Pick<WalkSource, "read" | "foldsCase">;
  readonly #options: WalkOptions;
  readonly #onUnreadable: (error: unknown) => void;

  /** @param onUnreadable told of files of git's that are there and cannot be read; what it throws ends the walk */
  constructor(
    source: Pick<WalkSource, "read" | "foldsCase">,
    options: WalkOptions,
    onUnreadable: (error: unknown) => void,
  ) {
    this.#source = source;
    this.#options = options;
    this.#onUnreadable = onUnreadable;
  }

  /**
   * Unlike git's, these must be read: who wrote them relies on them, in whatever encoding and Unicode form.
   *
   * @throws ProjectFilesError AccessDenied
   */
  async ownRulesIn(directory: string, outer: IgnoreStack | undefined): Promise<IgnoreStack | undefined> {
    const { ownIgnoreFile } = this.#options;
    if (ownIgnoreFile === undefined) return outer;
    const path = joinPath(directory, ownIgnoreFile);
    try {
      const rules = IgnoreRules.ofText(oneForm(ownText(await this.#source.read(path))), this.#source.foldsCase);
      return new IgnoreStack(rules, oneForm(directory), outer);
    } catch (error) {
      if (isProjectFilesError(error, "NotFound", "NotADirectory")) return outer;
      throw new ProjectFilesError("AccessDenied", { path, detail: "ignore file", cause: error });
    }
  }

  /** Weakest first: rules the caller gave, then `.git/info/exclude`. */
  async outermostRules(): Promise<IgnoreStack | undefined> {
    const { extraRules = [], ignoreRules = true } = this.#options;
    const extra = new IgnoreRules(extraRules, this.#source.foldsCase);
    const own = extraRules.length > 0 ? new IgnoreStack(extra, "", undefined) : undefined;
    return ignoreRules ? this.#rulesFrom(".git/info/exclude", "", own) : own;
  }

  async rulesIn(directory: string, outer: IgnoreStack | undefined): Promise<IgnoreStack | undefined> {
    if (this.#options.ignoreRules === false) return outer;
    return this.#rulesFrom(joinPath(directory, ".gitignore"), directory, outer);
  }

  async #rulesFrom(path: string, directory: string, outer: IgnoreStack | undefined): Promise<IgnoreStack | undefined> {
    try {
      const bytes = await this.#source.read(path);
      return new IgnoreStack(IgnoreRules.parse(bytes, this.#source.foldsCase), directory, outer);
    } catch (error) {
      // No such file, or a link, which git does not follow either.
      if (isProjectFilesError(error, "NotFound", "NotADirectory", "NotAFile", "OutsideRoot")) return outer;
      this.#onUnreadable(error);
      return outer;
    }
  }
}

/** A person types an accent in one form, a disk stores it in another. */
const oneForm = (text: string): string => text.normalize("NFC");

/** Notepad and PowerShell write UTF-16, or the charset of their Windows. */
function ownText(bytes: Uint8Array): string {
  const encoding = textEncodingOf(bytes);
  if (encoding === undefined) throw new TypeError("It is no text.");
  return new TextDecoder(encoding.label).decode(bytes);
}

/** Whether a path is left out by git's ignore files, or by the person's own rules. @param name its last part */
export function isIgnored({ git, own }: RulesInForce, path: string, name: string, isDirectory: boolean): boolean {
  if (git?.ignores(path, name, isDirectory) === true) return true;
  return own?.ignores(oneForm(path), oneForm(name), isDirectory) === true;
}
