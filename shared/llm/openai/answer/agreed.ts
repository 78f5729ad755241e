import type * as z from "zod";
import { Transient } from "../../../privacy/transient.ts";
import { jsonSchemaOf } from "../request/json-schema.ts";
import { fitted } from "../request/strict-schema.ts";
import { oneObject } from "./salvage.ts";

/** The answer as its schema has it. What was wrong with another would quote it, so it is not kept. */
export function agreed<S extends z.ZodType>(schema: S, text: string): Transient<z.infer<S>> | undefined {
  const object = oneObject(text);
  if (object === undefined) return undefined;
  const result = schema.safeParse(fitted(object, jsonSchemaOf(schema)));
  return result.success ? new Transient(result.data) : undefined;
}
