/** A JSON schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * What OpenAI's strict mode documents for every model, fine-tuned ones included, and Azure, Groq and llama.cpp take as
 * well (OpenAI, "Structured model outputs", supported schemas). Lengths, ranges, formats and patterns are not among it;
 * they are checked on the answer.
 */
const kept = new Set(["type", "description", "enum", "const", "$ref"]);

/** The schema as strict mode wants it: only documented keywords, all properties required, no others allowed. */
export function strictSchema(schema: JsonSchema): JsonSchema {
  const strict: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (kept.has(keyword)) strict[keyword] = value;
    else if (keyword === "anyOf" || keyword === "oneOf") strict["anyOf"] = partsOf(value).map(strictSchema);
    else if (keyword === "items" && isSchema(value)) strict["items"] = strictSchema(value);
    else if (keyword === "$defs") strict["$defs"] = mapped(value, (_, part) => strictSchema(part));
  }
  if (isSchema(schema["properties"])) {
    const required = namesOf(schema["required"]);
    strict["properties"] = mapped(schema["properties"], (name, part) =>
      required.has(name) ? strictSchema(part) : { anyOf: [strictSchema(part), { type: "null" }] },
    );
    strict["required"] = Object.keys(schema["properties"]);
    strict["additionalProperties"] = false;
  }
  return strict;
}

/**
 * An answer brought nearer to its schema without changing what it says: unknown keys go, `null` for what need not be
 * there goes, and strings marked `mayBeCut` are cut to their greatest length. Whether it holds is zod's to say.
 */
export function fitted(value: unknown, schema: JsonSchema): unknown {
  if (typeof value === "string") return cut(value, schema);
  if (Array.isArray(value)) {
    const { items } = schema;
    return isSchema(items) ? value.map((each) => fitted(each, items)) : value;
  }
  const { properties } = schema;
  if (!isSchema(value) || !isSchema(properties)) return value;
  const required = namesOf(schema["required"]);
  const known = Object.entries(properties).flatMap(([name, part]) => {
    if (!Object.hasOwn(value, name) || !isSchema(part)) return [];
    if (value[name] === null && !required.has(name)) return [];
    return [[name, fitted(value[name], part)]];
  });
  return Object.fromEntries(known);
}

function cut(text: string, { mayBeCut, maxLength }: JsonSchema): string {
  if (mayBeCut !== true || typeof maxLength !== "number" || text.length <= maxLength) return text;
  const head = text.slice(0, maxLength - 1);
  // Never half a character.
  return `${/[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head}…`;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function partsOf(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

function namesOf(value: unknown): ReadonlySet<unknown> {
  return new Set(Array.isArray(value) ? value : []);
}

function mapped(value: unknown, change: (name: string, part: JsonSchema) => JsonSchema): JsonSchema {
  if (!isSchema(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, isSchema(part) ? change(name, part) : part]),
  );
}
