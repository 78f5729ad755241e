import { type HttpAnswer, json } from "../standins/loopback-server.ts";

/** An error answer in OpenAI's shape: `{ error: { message, type, param, code } }`. */
export function apiError(
  status: number,
  error: { readonly message: string; readonly type: string; readonly param?: string; readonly code?: string },
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer {
  const { message, type, param = null, code = null } = error;
  return json(status, { error: { message, type, param, code } }, headers);
}

/** A 400 that names what is wrong and where. */
export function badRequest(message: string, param?: string, code?: string): HttpAnswer {
  const place = { ...(param === undefined ? {} : { param }), ...(code === undefined ? {} : { code }) };
  return apiError(400, { message, type: "invalid_request_error", ...place });
}
