import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DeviceError } from "../errors.ts";
import { type AccessRules, accessRules } from "./policy/rules.ts";

/** The person's own rules, for every project: outside all of them, where no tool can write. */
const personalRulesFile = (dataFolder: string) => join(dataFolder, "device", "access-rules.json");

/** @throws DeviceError `usage` when the rules cannot be read */
export function personalRules(dataFolder: string): AccessRules {
  const file = personalRulesFile(dataFolder);
  if (!existsSync(file)) return accessRules.parse({});
  try {
    return accessRules.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    // Falling back to the defaults would allow what the person wanted denied.
    throw new DeviceError("usage", { sentence: `The rules in ${file} cannot be understood.`, cause: error });
  }
}
