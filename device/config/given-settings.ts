import { DeviceError } from "../errors.ts";
import { settingValue, withValue } from "./change-config.ts";
import { type ConfigPlace, configPlace } from "./config-schema.ts";
import { issueWords } from "./issue-words.ts";

/** Settings that hold for one call of the program, and count more than any file of the person's. */
export interface GivenSettings {
  readonly from: "environment" | "command_line";
  readonly place: ConfigPlace;
}

/**
 * What a person says for one call: on the command line as `name=value`, in the environment as JSON. What counts most comes first.
 * A project's own denials and limits hold all the same.
 *
 * @throws DeviceError `setting_invalid`
 */
export function givenSettings(said: readonly string[], environment: string | undefined): GivenSettings[] {
  const spoken = said.reduce<unknown>((place, text) => {
    const [, name, value] = /^([\w.]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) throw refused(`${text} is not of the form name=value`);
    return withValue(place, name.split("."), settingValue(name, [value]));
  }, {});
  return [
    ...(said.length === 0 ? [] : [{ from: "command_line" as const, place: placeOf(spoken, "--set") }]),
    ...(environment === undefined
      ? []
      : [{ from: "environment" as const, place: placeOf(jsonOf(environment), "SCOUTS_SETTINGS") }]),
  ];
}

function placeOf(value: unknown, where: string): ConfigPlace {
  const place = configPlace.safeParse(value);
  if (place.success) return place.data;
  const [issue] = place.error.issues;
  throw refused(
    `${where}: ${[issue?.path.join("."), issue && issueWords(issue)].filter((part) => part !== "").join(": ")}`,
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DeviceError("setting_invalid", { sentence: "SCOUTS_SETTINGS is no JSON.", cause });
  }
}

const refused = (what: string) => new DeviceError("setting_invalid", { sentence: `${what}.` });
