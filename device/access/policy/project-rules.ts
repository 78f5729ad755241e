import { isProjectFilesError } from "../../files/errors.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import { AccessError } from "../errors.ts";
import { type AccessRules, accessRules, combinedRules, policyFile } from "./rules.ts";

const maxPolicyBytes = 1024 * 1024;

/** The rules in force: the person's, and those of the project's own file, read again whenever it has changed. */
export class ProjectRules {
  readonly #files: ProjectFiles;
  readonly #personal: AccessRules;
  #known: { version: string | undefined; rules: AccessRules } | undefined;

  constructor(files: ProjectFiles, personal: AccessRules) {
    this.#files = files;
    this.#personal = personal;
  }

  /** @throws AccessError `denied` when the project's file cannot be understood: then nothing is allowed */
  async current(): Promise<AccessRules> {
    const version = await this.#version();
    if (this.#known === undefined || this.#known.version !== version) {
      this.#known = { version, rules: version === undefined ? this.#personal : await this.#combined() };
    }
    return this.#known.rules;
  }

  async #version(): Promise<string | undefined> {
    try {
      return (await this.#files.metadata(policyFile)).version;
    } catch (error) {
      if (isProjectFilesError(error, "NotFound", "NoProjectFiles", "NotADirectory")) return undefined;
      throw error;
    }
  }

  async #combined(): Promise<AccessRules> {
    try {
      const text = Buffer.from(await this.#files.read(policyFile, { maxBytes: maxPolicyBytes })).toString("utf8");
      return combinedRules(this.#personal, accessRules.parse(JSON.parse(text)));
    } catch (error) {
      throw new AccessError("denied", { detail: `${policyFile} cannot be understood, so nothing is allowed.` }, error);
    }
  }
}
