import { join } from "node:path";
import type { PersonalRules } from "../access/policy/rules.ts";
import { DeviceError, isDeviceError } from "../errors.ts";
import { lastPlaceOf } from "../files/place/folder-place.ts";
import { readPrivateFile } from "../private-file.ts";
import { type ConfigPlace, type LimitSettings, type PersonalConfig, personalConfig } from "./config-schema.ts";

/** The person's configuration: outside all projects, where no tool can write. */
export const personalConfigFile = (dataFolder: string): string => join(dataFolder, "device", "config.json");

/** @throws DeviceError `config_unreadable`: falling back to the defaults would allow what the person wanted denied */
export function readPersonalConfig(dataFolder: string): PersonalConfig {
  const file = personalConfigFile(dataFolder);
  return readPrivateFile(file, personalConfig, (cause) => unreadable(file, cause)) ?? personalConfig.parse({});
}

function unreadable(file: string, cause: unknown): never {
  throw new DeviceError("config_unreadable", {
    sentence: `The configuration in ${file} cannot be understood; \`scouts config check\` says what is wrong with it.`,
    data: { file },
    cause,
  });
}

/** What the person says about one project, what counts most first: for that project, then for all. */
export function personalPlaces(config: PersonalConfig, root: string): ConfigPlace[] {
  const { projects: _, ...everywhere } = config;
  const forProject = projectSettings(config, root);
  return [...(forProject === undefined ? [] : [forProject]), everywhere];
}

/** What the person says about one project alone, if anything. @param root its folder, which need not be there */
export function projectSettings({ projects }: PersonalConfig, root: string): ConfigPlace | undefined {
  const wanted = lastPlaceOf(root);
  return Object.entries(projects).find(([key]) => key === root || lastPlaceOf(key) === wanted)?.[1];
}

/** Whether the person says anything about one project alone; not known of settings that cannot be understood. */
export function hasProjectSettings(dataFolder: string, root: string): boolean {
  try {
    return projectSettings(readPersonalConfig(dataFolder), root) !== undefined;
  } catch (error) {
    if (isDeviceError(error, "config_unreadable")) return false;
    throw error;
  }
}

/** What a session may use as the person has said it. @param places what counts most first */
export const personalLimits = (places: readonly ConfigPlace[]): LimitSettings =>
  Object.assign({}, ...places.map(({ limits }) => limits).reverse());

/** Whether changes are committed to git. @param places what counts most first */
export const wantsCommits = (places: readonly ConfigPlace[]): boolean =>
  places.find(({ git }) => git.commit !== undefined)?.git.commit ?? false;

/** The person's rules for one project. @throws DeviceError `config_unreadable` */
export const personalRules = (dataFolder: string, root: string): PersonalRules =>
  personalPlaces(readPersonalConfig(dataFolder), root);
