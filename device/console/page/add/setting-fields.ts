import { ApiError } from "../app/api.ts";
import type { SourceKind } from "../scouts/queries.ts";

/** A field of a source's settings, as its own schema has it. */
export interface SettingField {
  readonly name: string;
  readonly kind: "text" | "secret" | "number" | "choice" | "switch" | "list";
  readonly isRequired: boolean;
  /** What can be chosen. */
  readonly options: readonly string[];
  /** What it is when nothing is typed. */
  readonly usual: string;
  /** Rarely needed: shown when somebody asks for more. */
  readonly isRare: boolean;
}

/** What is typed, by the names of fields; a switch is `true` or empty. */
export type SettingValues = Readonly<Record<string, string>>;

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};
const asTexts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** The fields of a source's JSON Schema: those it requires and its first secret, then the rare ones. */
export function fieldsOf({ settings, secrets }: SourceKind): SettingField[] {
  const schema = asObject(settings);
  const required = asTexts(schema["required"]);
  const fields = Object.entries(asObject(schema["properties"])).map(([name, each]) => {
    const property = asObject(each);
    const isRequired = required.includes(name);
    const isRare = !isRequired && name !== secrets[0];
    const { default: usual = "" } = property;
    const shownUsual = Array.isArray(usual) ? usual.join(", ") : String(usual);
    return {
      name,
      kind: kindOf(property, secrets.includes(name)),
      isRequired,
      isRare,
      ...chosen(property),
      usual: shownUsual,
    };
  });
  return fields.sort((a, b) => Number(a.isRare) - Number(b.isRare));
}

const chosen = ({ enum: options }: Readonly<Record<string, unknown>>) => ({ options: asTexts(options) });

function kindOf({ type, enum: options }: Readonly<Record<string, unknown>>, isSecret: boolean): SettingField["kind"] {
  if (isSecret) return "secret";
  if (Array.isArray(options)) return "choice";
  if (type === "boolean") return "switch";
  if (type === "array") return "list";
  return type === "integer" || type === "number" ? "number" : "text";
}

/** Failures that what was typed has no part in: later the same goes well. */
const passing: readonly string[] = ["source_quota_spent", "source_rate_limited"];
/** What says where a source is. */
const places: readonly string[] = ["url", "path", "host"];
/** Why a source was not reached (`UnreachedReason`), where another port mends it. */
const ofPort: readonly (string | undefined)[] = ["port", "silent", "other", "plain", "encrypted"];

/** A failure with the setting that it is about: the one the device names, or the one that such a failure is mended at. */
export function atSetting(error: Error | null, fields: readonly SettingField[]): Error | null {
  if (!(error instanceof ApiError) || error.field !== undefined) return error;
  const { code, about } = error.told;
  const isOfPort =
    code === "source_unavailable" && ofPort.includes(about) && fields.some(({ name }) => name === "port");
  const isOf = (field: SettingField): boolean => {
    if (code === "source_credentials_refused") return field.kind === "secret";
    if (code === "source_folder_unknown") return field.name === "folders";
    if (isOfPort) return field.name === "port";
    return code.startsWith("source_") && !passing.includes(code) && places.includes(field.name);
  };
  const field = fields.find(isOf);
  return field === undefined ? error : new ApiError(error.told, error.status, field.name);
}

/** What is asked again of a source that is known: its first secret, and lists, which may have become others. */
export const askedAgain = (fields: readonly SettingField[]): SettingField[] =>
  fields
    .filter(({ kind, isRare }) => (kind === "secret" && !isRare) || kind === "list")
    .map((field) => ({ ...field, isRequired: false, isRare: false, usual: "" }));

/** What is typed without its secrets, which no memory but a form's own may hold. */
export function withoutSecrets(fields: readonly SettingField[], values: SettingValues): SettingValues {
  const open = fields.filter(({ name, kind }) => kind !== "secret" && (values[name] ?? "") !== "");
  return Object.fromEntries(open.map(({ name }) => [name, values[name] ?? ""]));
}

/** Whether everything that is required is there. */
export const isComplete = (fields: readonly SettingField[], values: SettingValues): boolean =>
  fields.every(({ name, isRequired }) => !isRequired || (values[name] ?? "").trim() !== "");

/** Settings as the source's schema wants them; what nobody typed is left out. */
export function settingsFrom(fields: readonly SettingField[], values: SettingValues) {
  const given: Record<string, string | number | boolean | string[]> = {};
  for (const { name, kind } of fields) {
    const value = values[name] ?? "";
    if (value.trim() === "") continue;
    // What is no number goes as it is typed, and is refused by the source's own schema: NaN would be `null` in JSON.
    if (kind === "number") given[name] = Number.isFinite(Number(value)) ? Number(value) : value;
    else if (kind === "switch") given[name] = true;
    else if (kind === "list")
      given[name] = value
        .split(",")
        .map((each) => each.trim())
        .filter((each) => each !== "");
    else given[name] = kind === "secret" ? value : value.trim();
  }
  return given;
}
