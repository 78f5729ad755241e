import { defaultLimits } from "../access/session/limits.ts";
import { defaultRetention } from "../artifacts/store/retention.ts";
import { defaultWindowTokens } from "../artifacts/thresholds.ts";
import { DeviceError } from "../errors.ts";
import { exactSentences } from "../exact-sentences.ts";
import type { ProjectFiles } from "../files/project-files.ts";
import type { PersonalConfig } from "./config-schema.ts";
import type { GivenSettings } from "./given-settings.ts";
import { personalPlaces } from "./personal-config.ts";
import { projectConfigVersion, readProjectConfig } from "./project-config.ts";

/** Where a setting is from: what is built in, what the person says of all projects, of this one, what the project says of itself. */
export type Origin = "default" | "person" | "person_for_project" | "project" | GivenSettings["from"];

/** One setting as it is said in one place. */
export interface SaidSetting {
  /** With dots: `limits.calls`. */
  readonly name: string;
  readonly value: unknown;
  readonly from: Origin;
  /** Whether it counts: lists add up, of single values the one that counts most does, of limits the lower one. */
  readonly counts: boolean;
}

const dayMs = 24 * 3_600_000;
const megabyte = 1024 * 1024;

/** What holds where nobody says anything. */
const builtIn = {
  otherWrites: "allow",
  limits: defaultLimits,
  git: { commit: false },
  artifacts: {
    preset: "default",
    windowTokens: defaultWindowTokens,
    keepDays: defaultRetention.maxAgeMs / dayMs,
    keepMegabytes: defaultRetention.maxTotalBytes / megabyte,
  },
};

export interface SettingsList {
  readonly settings: readonly SaidSetting[];
  /** What the project asks for and may not have. */
  readonly notObeyed: readonly string[];
}

/**
 * Every setting that is said anywhere, place by place.
 *
 * @param project the folder it is about; without one, what the person says of all
 * @param given what counts most first
 * @throws DeviceError `config_unreadable` also when the project's own file cannot be understood
 */
export async function listSettings(
  config: PersonalConfig,
  project: { readonly root: string; readonly files: ProjectFiles } | undefined,
  given: readonly GivenSettings[],
): Promise<SettingsList> {
  const places = project === undefined ? [config] : personalPlaces(config, project.root);
  const [first, second] = places;
  const { projects: _, ...everywhere } = config;
  const own = project === undefined ? undefined : await ownConfig(project.files);
  const said: (readonly [Origin, object])[] = [
    ...(own === undefined ? [] : [["project", own.place] as const]),
    ...given.map(({ from, place }) => [from, place] as const),
    ...(second === undefined || first === undefined ? [] : [["person_for_project", first] as const]),
    ["person", everywhere],
    ["default", builtIn],
  ];
  const all = said.flatMap(([from, place]) => leavesOf(place).map(([name, value]) => ({ name, value, from })));
  const settings = all.map((each) => ({ ...each, counts: countsOf(each, all) }));
  return {
    settings: settings.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)),
    notObeyed: own?.notObeyed ?? [],
  };
}

async function ownConfig(files: ProjectFiles) {
  if ((await projectConfigVersion(files)) === undefined) return undefined;
  try {
    return await readProjectConfig(files);
  } catch (cause) {
    throw new DeviceError("config_unreadable", { sentence: exactSentences.folder_unreadable.rules, cause });
  }
}

/** What is said in an object, by dotted names; empty lists say nothing. */
function leavesOf(value: object, before = ""): (readonly [string, unknown])[] {
  return Object.entries(value).flatMap(([key, each]: [string, unknown]) => {
    const name = `${before}${key}`;
    if (each === undefined || (Array.isArray(each) && each.length === 0)) return [];
    if (typeof each === "object" && each !== null && !Array.isArray(each)) return leavesOf(each, `${name}.`);
    return [[name, each] as const];
  });
}

type Said = Omit<SaidSetting, "counts">;

/** Places come with the project's own first, then what counts most. */
function countsOf(setting: Said, all: readonly Said[]): boolean {
  if (Array.isArray(setting.value)) return true;
  const same = all.filter(({ name }) => name === setting.name);
  const persons = same.find(({ from }) => from !== "project");
  const projects = same.find(({ from }) => from === "project");
  if (projects === undefined) return setting === persons;
  return isStricter(projects.value, persons?.value) ? setting === projects : setting === persons;
}

const strictness: readonly unknown[] = ["allow", "ask", "deny", "refuse"];

/** Of limits the lower number, of words the one that allows less. */
const isStricter = (one: unknown, other: unknown): boolean =>
  typeof one === "number" && typeof other === "number"
    ? one < other
    : strictness.indexOf(one) > strictness.indexOf(other);
