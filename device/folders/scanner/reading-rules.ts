import { createHash } from "node:crypto";
import { decide, isIgnoredByRules, isOwnData, sensitivityIn } from "../../access/policy/decide.ts";
import { ProjectRules } from "../../access/policy/project-rules.ts";
import { protectedFromReading } from "../../access/policy/protected.ts";
import type { PersonalRules, RulesInForce } from "../../access/policy/rules.ts";
import { secretGlobs, sensitiveGlobs } from "../../access/policy/sensitivity.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import type { OmissionReason } from "./reasons.ts";

/** Which files a scan may read: those a language model may be shown without asking, as nobody is there to be asked. */
export interface ReadingRules {
  /** The same for the same rules: then what was decided before still holds. */
  readonly hash: string;
  /** Why a file is left out; undefined when it is read. @param path as the walk gives it: canonical */
  leavesOut(path: string): OmissionReason | undefined;
  /** Whether a directory is looked into: the device's own data is nobody's documents, whatever the folder is called. */
  enters(directory: string): boolean;
}

/**
 * @param dataFolder this device's, which may lie in the folder
 * @throws AccessError `denied` when the project's own rules cannot be understood: then nothing is read
 */
export async function readingRules(
  files: ProjectFiles,
  personal: PersonalRules | undefined,
  dataFolder: string,
): Promise<ReadingRules> {
  const rules = await new ProjectRules(files, personal ?? [], dataFolder).current();
  const { foldsCase } = files.folding;
  const context = { rules, foldsCase };
  const { ownData = null } = rules;
  const facts = JSON.stringify([saidOf(rules), foldsCase, protectedFromReading, ownData, secretGlobs, sensitiveGlobs]);
  return {
    hash: createHash("sha256").update(facts).digest("hex"),
    enters: (directory) => !isOwnData(directory, context),
    leavesOut(path) {
      if (decide("read", path, context).verdict !== "allow") {
        return sensitivityIn(path, context) === "secret" ? "secret" : "denied";
      }
      return isIgnoredByRules(path, context) ? "ignored" : undefined;
    },
  };
}

/** What of the rules decides about reading. */
const saidOf = ({ personal, project }: RulesInForce) =>
  [...personal, ...(project === undefined ? [] : [project])].map(({ read, ignore, sensitivity }) => [
    ...[read, ignore, sensitivity],
  ]);
