import {
  type Decision,
  decide,
  isIgnoredByRules,
  type Operation,
  sensitivityIn,
  verdictOf,
} from "../access/policy/decide.ts";
import { KeptFromModels } from "../access/policy/kept-from-models.ts";
import { names } from "../access/policy/patterns.ts";
import { ProjectRules } from "../access/policy/project-rules.ts";
import type { Sensitivity } from "../access/store/access-store.ts";
import { asAccessError } from "../access/tools/tool-failure.ts";
import { isProjectFilesError } from "../files/errors.ts";
import type { ProjectFiles } from "../files/project-files.ts";
import type { PersonalConfig } from "./config-schema.ts";
import { personalPlaces } from "./personal-config.ts";
import type { Origin } from "./settings-list.ts";

/** Why a file may be read or written, or not. */
export interface ExplainedPath {
  readonly path: string;
  readonly sensitivity: Sensitivity;
  readonly isIgnored: boolean;
  readonly read: ExplainedDecision;
  readonly write: ExplainedDecision;
}

export interface ExplainedDecision extends Pick<Decision, "verdict" | "reason"> {
  /** The pattern that decides, and where it is from; absent where none names the file. */
  readonly by?: { readonly pattern: string; readonly from: Origin };
}

/** @throws AccessError `denied` (the project's own file cannot be understood), `outside_root`, `invalid_path`; ProjectFilesError */
export async function explainPath(
  { config, dataFolder }: { readonly config: PersonalConfig; readonly dataFolder: string },
  root: string,
  files: ProjectFiles,
  asked: string,
): Promise<ExplainedPath> {
  const path = await files.canonical(asked).catch((error: unknown) => {
    throw isProjectFilesError(error) ? asAccessError(error) : error;
  });
  const places = personalPlaces(config, root);
  const rules = await new ProjectRules(files, places, dataFolder).current();
  const { foldsCase } = files.folding;
  const origins = [
    ...(rules.project === undefined ? [] : [{ place: rules.project, from: "project" as const }]),
    ...places.map((place, at) => ({
      place,
      from: at === places.length - 1 ? ("person" as const) : ("person_for_project" as const),
    })),
  ];
  const kept = new KeptFromModels(files);
  const explained = async (operation: Operation): Promise<ExplainedDecision> => {
    const { verdict, reason } = decide(operation, path, { rules, foldsCase });
    const keeps = verdict === "deny" ? undefined : await kept.decide(operation, path, false);
    if (keeps !== undefined) return { verdict: keeps.verdict, reason: keeps.reason };
    const found = origins.find(({ place }) => verdictOf(place[operation], path, foldsCase) === verdict);
    const pattern = found?.place[operation][verdict].find((glob) => names([glob], path, foldsCase));
    return { verdict, reason, ...(found && pattern !== undefined && { by: { pattern, from: found.from } }) };
  };
  const context = { rules, foldsCase };
  return {
    path,
    sensitivity: sensitivityIn(path, context),
    isIgnored: isIgnoredByRules(path, context),
    read: await explained("read"),
    write: await explained("write"),
  };
}
