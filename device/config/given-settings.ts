import { DeviceError } from "../errors.ts";
import { isListSetting, settingValue, withValue } from "./change-config.ts";
import { type ConfigPlace, configPlace } from "./config-schema.ts";
import { issueWords } from "./issue-words.ts";

/** Settings that hold for one call of the program, and count more than any file of the person's. */
export interface GivenSettings {
  readonly from: "environment" | "command_line";
  readonly place: ConfigPlace;
}

/**
 * What a person says for one call: on the command line as `name=value`, once for each of a list, in the environment as JSON.
 * What counts most comes first.
 * A project's own denials and limits hold all the same.
 *
 * @throws DeviceError `setting_invalid`
 */
export function givenSettings(said: readonly string[], environment: string | undefined): GivenSettings[] {
  const byName = new Map<string, readonly string[]>();
  for (const text of said) {
    const [, name, value] = /^([\w.]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) throw refused(`${text} is not of the form name=value`);
    byName.set(name, [...(byName.get(name) ?? []), value]);
  }
  const spoken = [...byName].reduce<unknown>((place, [name, values]) => {
    if (values.length > 1 && !isListSetting(name)) throw refused(`--set ${name} is given twice; give it once`);
    return withValue(place, name.split("."), settingValue(name, values));
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
    throw new DeviceError("setting_invalid", {
      sentence: `SCOUTS_SETTINGS is no JSON. Write it as '{"limits":{"calls":500}}', or unset it.`,
      cause,
    });
  }
}

const refused = (what: string) => new DeviceError("setting_invalid", { sentence: `${what}.` });
