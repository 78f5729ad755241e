import { dirname, join } from "node:path";
import * as z from "zod";
import { DeviceError } from "../errors.ts";
import { lastPlaceOf } from "../files/place/folder-place.ts";
import { notWritable, orUnusable } from "../or-unusable.ts";
import { writePrivateFile } from "../private-file.ts";
import { makePrivateFolder } from "../private-folder.ts";
import { waitForFileLock } from "../store/held-locks.ts";
import { personalConfig } from "./config-schema.ts";
import { idleSettings } from "./idle-settings.ts";
import { issueWords } from "./issue-words.ts";
import { personalConfigFile, projectSettings, readPersonalConfig } from "./personal-config.ts";

/** A change takes milliseconds. */
const mostWaitMs = 10_000;
const object = z.record(z.string(), z.unknown());

export interface SettingChange {
  /** With dots: `limits.calls`. */
  readonly name: string;
  /** Undefined: it is said no more. */
  readonly value: unknown;
  /** Of one project's folder; of all when left out. */
  readonly root?: string | undefined;
}

/**
 * Says a setting, or says it no more. Two commands at once both count.
 *
 * @throws DeviceError `setting_unknown`, `setting_invalid`, `config_unreadable`, `folder_unusable`, `store_busy`
 */
export async function changeSetting(dataFolder: string, { name, value, root }: SettingChange): Promise<void> {
  await whileLocked(dataFolder, (file) => {
    if (value === undefined) requireKnown(name);
    const path = [...(root === undefined ? [] : ["projects", root]), ...name.split(".")];
    const changed = personalConfig.safeParse(withValue(said(readPersonalConfig(dataFolder)), path, value));
    if (!changed.success) throw refusal(name, changed.error);
    const { [root ?? ""]: ofProject } = changed.data.projects;
    const place = root === undefined ? changed.data : ofProject;
    const idle = place && idleSettings(place).find((each) => each.name === name);
    if (idle !== undefined && value !== undefined) throw cannotBe(name, idle.why);
    writePrivateFile(file, said(changed.data));
  });
}

/**
 * Says of one project's folder what is said of another, which it takes the place of: what a person withholds there stays withheld.
 * Where something is said of it already, that alone counts.
 *
 * @param from @param to absolute paths, or addresses of buckets; `from` need not be there any more
 * @returns whether anything was said
 * @throws DeviceError `config_unreadable`, `folder_unusable`, `store_busy`: nothing is changed
 */
export async function carrySettings(dataFolder: string, from: string, to: string): Promise<boolean> {
  const isNeeded = () => {
    const config = readPersonalConfig(dataFolder);
    const settings = projectSettings(config, from);
    return settings === undefined || projectSettings(config, to) !== undefined ? undefined : { config, settings };
  };
  if (isNeeded() === undefined) return false;
  return whileLocked(dataFolder, (file) => {
    const needed = isNeeded();
    if (needed !== undefined)
      writePrivateFile(file, said(withValue(needed.config, ["projects", lastPlaceOf(to)], needed.settings)));
    return needed !== undefined;
  });
}

/** Changes of several programs come one after the other. @param change is given the file */
async function whileLocked<T>(dataFolder: string, change: (file: string) => T): Promise<T> {
  const file = personalConfigFile(dataFolder);
  const folder = dirname(file);
  const sentence = notWritable(folder);
  orUnusable(folder, sentence, () => makePrivateFolder(folder));
  // Earlier versions kept others off by the file `config.json.lock`, which they removed: a lock on that would end with it.
  const release = await waitForFileLock(join(folder, "config.lock"), mostWaitMs).catch((cause: unknown) =>
    orUnusable(folder, sentence, () => {
      throw cause;
    }),
  );
  if (release === undefined) {
    const sentence = "Another program keeps your settings locked; try again. Nothing was changed.";
    throw new DeviceError("store_busy", { sentence });
  }
  try {
    return change(file);
  } finally {
    release();
  }
}

function refusal(name: string, error: z.ZodError): DeviceError {
  const [issue] = error.issues;
  if (issue?.code === "unrecognized_keys") return new DeviceError("setting_unknown", { data: { name } });
  return cannotBe(name, issue === undefined ? "it has another form" : issueWords(issue));
}

function cannotBe(name: string, why: string): DeviceError {
  const sentence = `${name} cannot have this value: ${why}. Nothing was changed.`;
  return new DeviceError("setting_invalid", { sentence, data: { name } });
}

/** Whether there is such a setting: one that is said no more has no value that could tell. @throws DeviceError `setting_unknown` */
function requireKnown(name: string): void {
  const path = name.split(".");
  const { error } = personalConfig.safeParse(withValue({}, path, notAnyValue));
  const isKnown = error?.issues.some((issue) => issue.code !== "unrecognized_keys" && issue.path.length >= path.length);
  if (!isKnown) throw new DeviceError("setting_unknown", { data: { name } });
}

/** No setting is this, and no group of settings. */
const notAnyValue = Symbol();

/** A copy of an object with one value in it, or without it. */
export function withValue(from: unknown, [key = "", ...rest]: readonly string[], value: unknown): unknown {
  const before = object.safeParse(from);
  const { [key]: old, ...others } = before.success ? before.data : {};
  const fresh = rest.length === 0 ? value : withValue(old, rest, value);
  return fresh === undefined ? others : { ...others, [key]: fresh };
}

/** Without what says nothing: a file a person reads has only what they have said. */
function said(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).flatMap(([key, each]: [string, unknown]) => {
    const fresh = said(each);
    const isEmpty =
      fresh === undefined || (typeof fresh === "object" && fresh !== null && Object.keys(fresh).length === 0);
    return isEmpty ? [] : [[key, fresh] as const];
  });
  return Object.fromEntries(kept);
}

const lists = /^(?:read|write)\.(?:allow|ask|deny)$|^ignore$|^sensitivity\./;

/** Whether a setting is a list, so that several values of it all count. */
export const isListSetting = (name: string): boolean => lists.test(name);

/** As the setting has it: a list, a number, yes or no, a word. */
export function settingValue(name: string, values: readonly string[]): unknown {
  if (isListSetting(name)) return values;
  const joined = values.join(" ");
  if (/^-?\d+(?:\.\d+)?$/.test(joined)) return Number(joined);
  return joined === "true" ? true : joined === "false" ? false : joined;
}
