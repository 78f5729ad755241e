import { STATUS_CODES } from "node:http";
import { type HttpAnswer, type HttpRequest, json } from "../../loopback-server.ts";
import type { FaultPlace, Faults } from "../faults.ts";
import { GoogleApiError, googleErrors } from "../google-error.ts";
import { type ApiRequest, type CallApi, findMethod } from "./dispatch.ts";

/** Calls in one batch (https://developers.google.com/workspace/gmail/api/guides/batch). */
const maxCalls = 100;

/**
 * `POST /batch/gmail/v1`: a multipart/mixed body of HTTP requests, answered in the same order by a multipart/mixed body
 * of HTTP responses with `Content-ID: <response-…>`. Calls without their own Authorization use the batch's. A transport fault
 * that strikes one of the calls strikes its part, or where it cannot, the whole answer.
 */
export async function answerBatch(request: HttpRequest, callApi: CallApi, faults: Faults): Promise<HttpAnswer> {
  const boundary = /boundary="?([^";]+)"?/i.exec(request.headers["content-type"] ?? "")?.[1];
  try {
    if (boundary === undefined) throw googleErrors.invalidArgument("Failed to parse batch request: missing boundary");
    const parts = splitParts(request.body.toString("latin1"), boundary);
    if (parts.length === 0) throw googleErrors.invalidArgument("Failed to parse batch request: no parts");
    if (parts.length > maxCalls) {
      throw googleErrors.invalidArgument(`The batch request exceeds the limit of ${maxCalls} calls.`);
    }
    const calls = parts.map((part) => parsePart(part, request.headers.authorization));
    const places = calls.map(({ call }): FaultPlace => findMethod(call.verb, call.path)?.method.name ?? "other");
    const answers = await Promise.all(
      calls.map(async ({ call }, index) => {
        const planted = faults.take("answer", places[index] ?? "other");
        if (planted) return { status: planted.status, headers: {}, text: planted.body };
        const { body, ...answer } = await callApi(call);
        return { ...answer, text: body === undefined ? "" : JSON.stringify(body) };
      }),
    );
    const delaysMs = places.map((place) => faults.take("slow", place)?.delayMs ?? 0);
    const truncated = places.some((place) => faults.take("truncated", place) !== undefined);
    const outer = `batch_${calls.length}_${Buffer.from(boundary).toString("hex").slice(0, 24)}`;
    const pieces = answers.map((answer, index) => {
      const id = calls[index]?.contentId;
      const headers = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}\r\n`);
      return [
        `--${outer}\r\nContent-Type: application/http\r\n${id === undefined ? "" : `Content-ID: <response-${id}>\r\n`}\r\n`,
        `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ""}\r\n`,
        `Content-Type: application/json; charset=UTF-8\r\nContent-Length: ${Buffer.byteLength(answer.text)}\r\n`,
        `${headers.join("")}\r\n${answer.text}\r\n`,
      ].join("");
    });
    return {
      status: 200,
      headers: { "content-type": `multipart/mixed; boundary=${outer}` },
      body: `${pieces.join("")}--${outer}--\r\n`,
      delayMs: Math.max(...delaysMs),
      truncated,
    };
  } catch (error) {
    if (error instanceof GoogleApiError) return json(error.status, error.body, error.headers);
    throw error;
  }
}

function splitParts(body: string, boundary: string): string[] {
  return `\r\n${body.replace(/\r?\n/g, "\r\n")}`
    .split(`\r\n--${boundary}`)
    .slice(1)
    .filter((part) => !part.startsWith("--"))
    .map((part) => part.replace(/^[ \t]*\r\n/, ""));
}

function parsePart(part: string, outerAuthorization: string | undefined): { contentId?: string; call: ApiRequest } {
  const [outerHead = "", inner] = splitOnce(part, "\r\n\r\n");
  const [head = "", body = ""] = splitOnce(inner ?? "", "\r\n\r\n");
  const [requestLine = "", ...headerLines] = head.split("\r\n");
  const [, verb, target] = /^([A-Z]+) (\S+)( HTTP\/\d(\.\d)?)?$/.exec(requestLine.trim()) ?? [];
  if (verb === undefined || target === undefined || !URL.canParse(target, "http://127.0.0.1")) {
    throw googleErrors.invalidArgument("Failed to parse batch request: a part is not an HTTP request");
  }
  const url = new URL(target, "http://127.0.0.1");
  const contentId = /^content-id:\s*<?([^>\r\n]*)>?/im.exec(outerHead)?.[1];
  const authorization = headerLines.map((line) => /^authorization:\s*(\S.*)?$/i.exec(line)?.[1]).find((value) => value);
  return {
    ...(contentId === undefined ? {} : { contentId }),
    call: {
      verb,
      path: url.pathname,
      query: url.searchParams,
      authorization: authorization ?? outerAuthorization,
      body: Buffer.from(body.replace(/\r\n$/, ""), "latin1"),
    },
  };
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}
