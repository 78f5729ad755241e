import type * as z from "zod";
import { array, boolean, type JsonNode, nothing, number, object, string } from "./json-fields.ts";

type Json = z.core.util.JSONType;

const maxDepth = 6;
const maxProperties = 60;

/** JSON Schema (2020-12) of the values seen at a node: what they were, not what they may be. */
export function jsonSchemaOf(node: JsonNode, depth = 0): Json {
  const seen = (type: number) => node.types[type] ?? 0;
  const types = [
    ...(seen(object) > 0 ? ["object"] : []),
    ...(seen(array) > 0 ? ["array"] : []),
    ...(seen(string) > 0 ? ["string"] : []),
    ...(seen(number) > 0 ? ["number"] : []),
    ...(seen(boolean) > 0 ? ["boolean"] : []),
    ...(seen(nothing) > 0 ? ["null"] : []),
  ];
  const [only] = types;
  const schema: Record<string, Json> = types.length === 0 ? {} : { type: types.length === 1 && only ? only : types };
  if (depth >= maxDepth) return schema;
  if (seen(object) > 0) {
    const shown = node.children.slice(0, maxProperties);
    if (shown.length > 0) {
      schema["properties"] = Object.fromEntries(shown.map((child) => [child.key, jsonSchemaOf(child, depth + 1)]));
    }
    const required = shown.filter((child) => totalOf(child) >= seen(object)).map(({ key }) => key);
    if (required.length > 0) schema["required"] = required;
    if (node.others) schema["additionalProperties"] = jsonSchemaOf(node.others, depth + 1);
  }
  if (seen(array) > 0 && node.item) schema["items"] = jsonSchemaOf(node.item, depth + 1);
  return schema;
}

function totalOf(node: JsonNode): number {
  return node.types.reduce((sum, count) => sum + count, 0);
}
