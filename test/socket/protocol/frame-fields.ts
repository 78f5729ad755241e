import * as z from "zod";
import { errorCodes } from "../../../events/error-kinds.ts";
import { proposalCursor } from "../../../events/frames/proposals.ts";
import * as ids from "../../../events/ids.ts";

/** A JSON Schema (draft 7) as zod writes it, as far as the frames use it. */
interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
}

export interface FieldRow {
  /** `files[].content.upload.key` */
  readonly path: string;
  readonly type: string;
  readonly limits: string;
  readonly required: boolean;
  readonly description: string;
}

/** What a reader takes a value for that it does not know is none of its writer's business. */
function asWritten({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodType;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}) {
  if (zodSchema._zod.def.type === "catch") delete jsonSchema.default;
}

/** JSON Schema of a frame as it is on the wire. */
export function schemaOf(frame: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(frame, { io: "input", target: "draft-7", override: asWritten });
  return schema as JsonSchema;
}

/** Names of the patterns of ids and of cursors, so that a table need not repeat a regular expression. */
const named = new Map<string, string>();
for (const [name, value] of [...Object.entries(ids), ["proposalCursor", proposalCursor] as const]) {
  if (!(value instanceof z.ZodType)) continue;
  const { pattern } = schemaOf(value);
  if (pattern !== undefined) named.set(pattern, name);
}

/** Every field of a schema, those of objects and lists within it included. */
export function fieldsOf(schema: JsonSchema, prefix = ""): FieldRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const row = {
      path,
      type: typeOf(field),
      limits: limitsOf(field),
      required: schema.required?.includes(name) ?? false,
      description: field.description ?? "",
    };
    return [row, ...nested(field, path)];
  });
}

function nested(schema: JsonSchema, path: string): FieldRow[] {
  if (schema.items) return nested(schema.items, `${path}[]`);
  const choices = (schema.anyOf ?? []).filter(({ type }) => type === "object");
  // One of several objects: each of their fields is required only in its own.
  if (choices.length > 1) {
    return choices.flatMap((choice) => fieldsOf(choice, `${path}.`).map((row) => ({ ...row, required: false })));
  }
  const [only] = choices;
  return fieldsOf(only ?? schema, `${path}.`);
}

function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`"${String(schema.const)}"\``;
  if (schema.enum) {
    if (schema.enum.length === errorCodes.length) return "error code";
    return schema.enum.map((choice) => `\`${String(choice)}\``).join(" \\| ");
  }
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(" \\| ");
  if (schema.type === "array") return `list of ${schema.items ? typeOf(schema.items) : "values"}`;
  const name = schema.pattern === undefined ? undefined : named.get(schema.pattern);
  if (name !== undefined) return `[${name}](#ids)`;
  if (schema.type === "object" && !schema.properties) return "object of values";
  return schema.type ?? "any";
}

function limitsOf(schema: JsonSchema): string {
  const { exclusiveMinimum, minLength, maxLength, minItems, maxItems, pattern } = schema;
  // zod writes the safe integers where there is no bound.
  const maximum = schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum;
  const minimum = schema.minimum === Number.MIN_SAFE_INTEGER ? undefined : schema.minimum;
  return [
    range(minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1), maximum, ""),
    range(minLength, maxLength, " characters"),
    range(minItems, maxItems, " entries"),
    pattern !== undefined && !named.has(pattern) ? `\`${pattern.replaceAll("|", "\\|")}\`` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined && most === undefined) return "";
  if (most === undefined) return `≥ ${least}${unit}`;
  return least === undefined ? `≤ ${most}${unit}` : `${least} to ${most}${unit}`;
}

/** Every named id with its pattern. */
export function idRows(): readonly (readonly [name: string, pattern: string])[] {
  return [...named].map(([pattern, name]) => [name, pattern] as const).sort(([a], [b]) => (a < b ? -1 : 1));
}
