import type * as z from "zod";
import { ScoutsError } from "../../events/errors.ts";
import type { ApiContext } from "./route.ts";

/** The largest body a route of this API has any use for. */
export const maxBodyBytes = 65_536;

const json = /^application\/(?:[\w.-]+\+)?json(?:\s*;|\s*$)/i;

/**
 * The JSON a request carries, not looked at yet.
 *
 * @throws payload_too_large, unsupported_media_type, invalid_request (no JSON); none of them quotes the body
 */
export async function jsonBodyOf(c: ApiContext): Promise<unknown> {
  const text = await c.req.text();
  if (Buffer.byteLength(text) > maxBodyBytes) throw new ScoutsError("payload_too_large", { data: { maxBodyBytes } });
  if (text !== "" && !json.test(c.req.header("content-type") ?? "")) throw new ScoutsError("unsupported_media_type");
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text.
    throw new ScoutsError("invalid_request", { data: { where: "body" } });
  }
}

/** A part of a request by its schema; what was wrong is named by path, never quoted. @throws invalid_request */
export function parsed<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const found = schema.safeParse(value);
  if (found.success) return found.data;
  const where = found.error.issues.map((issue) => issue.path.join(".") || "body");
  throw new ScoutsError("invalid_request", { data: { where: [...new Set(where)].join(", ").slice(0, 200) } });
}
