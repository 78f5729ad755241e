import { type ProjectConfig, projectConfigVersion, readProjectConfig } from "../../config/project-config.ts";
import { dataFolderIn } from "../../files/place/data-folder-place.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import { AccessError } from "../errors.ts";
import { type PersonalRules, policyFile, type RulesInForce } from "./rules.ts";

/** The rules in force: the person's, and those of the project's own file, read again whenever it has changed. */
export class ProjectRules {
  readonly #files: ProjectFiles;
  readonly #personal: PersonalRules;
  readonly #dataFolder: string | undefined;
  #known: { readonly version: string | undefined; readonly config: ProjectConfig | undefined } | undefined;

  /** @param dataFolder this device's, which may lie in the project; undefined where there is none */
  constructor(files: ProjectFiles, personal: PersonalRules, dataFolder: string | undefined) {
    this.#files = files;
    this.#dataFolder = dataFolder;
    this.#personal = personal;
  }

  /** @throws AccessError `denied` when the project's file cannot be understood: then nothing is allowed */
  async current(): Promise<RulesInForce> {
    return { personal: this.#personal, project: (await this.project())?.place, ownData: this.ownData() };
  }

  /** Where in the project the data folder lies now: what was moved or linked since is found there. */
  ownData(): string | undefined {
    const { displayRoot, folding } = this.#files;
    return this.#dataFolder === undefined ? undefined : dataFolderIn(displayRoot, this.#dataFolder, folding.foldsCase);
  }

  /** What the project says about itself; undefined when it says nothing. @throws AccessError `denied` */
  async project(): Promise<ProjectConfig | undefined> {
    const version = await projectConfigVersion(this.#files);
    if (this.#known === undefined || this.#known.version !== version) {
      this.#known = { version, config: version === undefined ? undefined : await this.#read() };
    }
    return this.#known.config;
  }

  async #read(): Promise<ProjectConfig> {
    try {
      return await readProjectConfig(this.#files);
    } catch (error) {
      throw new AccessError("denied", { detail: `${policyFile} cannot be understood, so nothing is allowed.` }, error);
    }
  }
}
