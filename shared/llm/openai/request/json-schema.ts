import * as z from "zod";
import type { JsonSchema } from "./strict-schema.ts";

/** A schema object lives as long as the program, and working one out takes a millisecond: as long as a mail is worked on otherwise. */
const known = new WeakMap<z.ZodType, JsonSchema>();

/** The JSON schema of an answer's form, worked out once; nobody changes it. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const made: JsonSchema = z.toJSONSchema(schema);
  known.set(schema, made);
  return made;
}
