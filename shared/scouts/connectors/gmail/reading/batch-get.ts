import { randomBytes } from "node:crypto";
import type { gmail_v1 } from "googleapis/build/src/apis/gmail/index.js";
import type { ErrorCode } from "../../../../../events/error-kinds.ts";
import { ScoutsError } from "../../../../../events/errors.ts";
import type { Transient } from "../../../../privacy/transient.ts";
import { gmailFailure } from "../failures.ts";
import { metadataFields } from "../message.ts";

/** Google advises at most 50 calls a batch, larger ones are rate-limited (https://developers.google.com/workspace/gmail/api/guides/batch). */
export const maxBatchCalls = 50;

/** What is asked for of each message: all of it, or what it says without its text. */
export type Extent = "metadata" | "content";

const queries: Readonly<Record<Extent, string>> = {
  metadata: `format=full&fields=${encodeURIComponent(metadataFields)}`,
  content: "format=full",
};

/** What the refusal of a batch says of whoever asks; the rest it says of the batch, and nothing of any message in it. */
const ofWhoAsks: readonly ErrorCode[] = [
  "unauthenticated",
  "source_rate_limited",
  "source_forbidden",
  "consent_incomplete",
  "configuration_invalid",
];

/** A message, or why this one could not be read. */
export type BatchAnswer = gmail_v1.Schema$Message | ScoutsError;

export interface BatchGet {
  readonly rootUrl: string;
  readonly token: Transient<string>;
  readonly ids: readonly string[];
  readonly extent: Extent;
  readonly timeoutMs: number;
  readonly nowMs: number;
}

/**
 * Reads up to {@link maxBatchCalls} messages in one request; each costs its own quota units. The Google
 * library has no batches, so this is HTTP by hand: multipart/mixed of requests, answered in the same order.
 *
 * @throws what the whole batch met: `unauthenticated`, also when a single part did, `source_unavailable`, …
 */
export async function batchGet({ rootUrl, token, ids, extent, timeoutMs, nowMs }: BatchGet): Promise<BatchAnswer[]> {
  const boundary = `batch_${randomBytes(12).toString("hex")}`;
  const response = await send(new URL("batch/gmail/v1", rootUrl), {
    method: "POST",
    headers: {
      authorization: `Bearer ${token.reveal()}`,
      "content-type": `multipart/mixed; boundary=${boundary}`,
    },
    body: requestBody(ids, queries[extent], boundary),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text().catch((cause: unknown) => {
    throw new ScoutsError("source_unavailable", { cause });
  });
  if (!response.ok) throw ofBatch(failure(response.status, text, response.headers, nowMs));
  const answers = parts(text, response.headers.get("content-type") ?? "").map((part) => answerOf(part, nowMs));
  if (answers.length !== ids.length) throw new ScoutsError("source_unavailable", { data: { parts: answers.length } });
  const refused = answers.find((answer) => answer instanceof ScoutsError && answer.code === "unauthenticated");
  if (refused) throw refused;
  return answers;
}

const ofBatch = (error: ScoutsError): ScoutsError =>
  ofWhoAsks.includes(error.code)
    ? error
    : new ScoutsError("source_unavailable", { data: error.data, cause: error.cause });

function requestBody(ids: readonly string[], query: string, boundary: string): string {
  const calls = ids.map((id) => {
    const path = `/gmail/v1/users/me/messages/${encodeURIComponent(id)}?${query}`;
    return `--${boundary}\r\nContent-Type: application/http\r\n\r\nGET ${path}\r\n\r\n`;
  });
  return `${calls.join("")}--${boundary}--\r\n`;
}

async function send(url: URL, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (cause) {
    throw new ScoutsError("source_unavailable", { cause });
  }
}

function parts(body: string, contentType: string): string[] {
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  if (boundary === undefined) throw new ScoutsError("source_unavailable");
  return `\r\n${body}`
    .split(`\r\n--${boundary}`)
    .slice(1)
    .filter((part) => !part.startsWith("--"));
}

/** A part is headers, an empty line, and an HTTP response: status line, headers, an empty line, JSON. */
function answerOf(part: string, nowMs: number): BatchAnswer {
  const [, head = "", ...body] = part.split("\r\n\r\n");
  const status = Number(/^HTTP\/\d(?:\.\d)? (\d{3})/.exec(head)?.[1] ?? Number.NaN);
  const headers = new Headers(
    head.split("\r\n").flatMap((line): [string, string][] => {
      const [, name, value = ""] = /^([\w-]+):\s*(\S.*)?$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value]];
    }),
  );
  const text = body.join("\r\n\r\n");
  return status === 200 ? messageOf(text) : failure(status, text, headers, nowMs);
}

function messageOf(text: string): BatchAnswer {
  const message = json(text);
  if (typeof message === "object" && message !== null && "id" in message) return message as gmail_v1.Schema$Message;
  return new ScoutsError("source_unavailable");
}

function failure(status: number, text: string, headers: Headers, nowMs: number): ScoutsError {
  if (Number.isNaN(status)) return new ScoutsError("source_unavailable");
  return gmailFailure({ response: { status, data: json(text), headers } }, nowMs);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON: the status alone tells the failure.
    return undefined;
  }
}
