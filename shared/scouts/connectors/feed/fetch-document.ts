import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { type ErrorCode, isScoutsError, ScoutsError } from "../../../../events/errors.ts";
import { checkAddress, guardedLookup, type Reach } from "../address-guard.ts";

/** Large feeds are some hundred kilobytes; what is beyond this is none, or an attack. */
export const maxDocumentBytes = 4 * 1024 * 1024;
const maxRedirects = 5;
/** From the first look-up to the last byte, redirects included. */
const defaultTimeoutMs = 10_000;
const longestWaitMs = 86_400_000;
const maxHeaderBytes = 16 * 1024;
const redirecting: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const accept =
  "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, application/json;q=0.8, */*;q=0.1";

/** What a server wants to be shown next time, to answer 304 when nothing has changed (RFC 9110 §13). */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

export interface FetchedDocument {
  readonly body: Buffer;
  readonly contentType: string;
  readonly validators: Validators;
}

export interface FetchOptions {
  readonly reach: Reach;
  readonly timeoutMs?: number;
  /** For `Retry-After` with a date. */
  readonly nowMs: number;
}

/**
 * Reads one document by HTTP. Nothing a server does makes it read more than {@link maxDocumentBytes} (after
 * decompression), take longer than the timeout, follow more than five redirects, or connect out of reach.
 *
 * @returns `undefined` when the server says that nothing has changed since `known` (304)
 * @throws source_address_refused, source_unavailable, source_rate_limited, source_forbidden, source_gone,
 * source_unreadable
 */
export async function fetchDocument(
  address: string,
  known: Validators,
  options: FetchOptions,
): Promise<FetchedDocument | undefined> {
  const signal = AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs);
  let url = new URL(address);
  try {
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const response = await get(url, known, options.reach, signal);
      const target = redirectTarget(response, url);
      if (target === undefined) return await documentOf(response, options.nowMs);
      response.destroy();
      url = target;
    }
  } catch (error) {
    throw isScoutsError(error) ? error : new ScoutsError("source_unavailable", { cause: error });
  }
  throw new ScoutsError("source_unavailable", { data: { redirects: maxRedirects } });
}

function get(url: URL, known: Validators, reach: Reach, signal: AbortSignal): Promise<IncomingMessage> {
  checkAddress(url, reach);
  const { request } = url.protocol === "https:" ? https : http;
  const headers = {
    accept,
    "accept-encoding": "gzip, br, deflate",
    "user-agent": "scouts",
    ...(known.etag === undefined ? {} : { "if-none-match": known.etag }),
    ...(known.lastModified === undefined ? {} : { "if-modified-since": known.lastModified }),
  };
  // No agent: a connection kept for reuse would be one whose address was checked for somebody else.
  const options = {
    headers,
    signal,
    agent: false as const,
    maxHeaderSize: maxHeaderBytes,
    lookup: guardedLookup(reach),
  };
  return new Promise((resolve, reject) => {
    request(url, options, resolve).once("error", reject).end();
  });
}

/** Where a redirect leads. From an encrypted address to one that is not, nobody is led. */
function redirectTarget(response: IncomingMessage, from: URL): URL | undefined {
  const { location } = response.headers;
  if (!redirecting.has(response.statusCode ?? 0) || location === undefined) return undefined;
  const target = URL.parse(location, from.href);
  if (!target || (from.protocol === "https:" && target.protocol !== "https:")) {
    response.destroy();
    throw new ScoutsError("source_address_refused");
  }
  return target;
}

async function documentOf(response: IncomingMessage, nowMs: number): Promise<FetchedDocument | undefined> {
  const status = response.statusCode ?? 0;
  if (status === 200) {
    const body = await readBody(response);
    return { body, contentType: response.headers["content-type"] ?? "", validators: validatorsOf(response) };
  }
  response.destroy();
  if (status === 304) return undefined;
  const wait = retryAfterMs(response.headers["retry-after"], nowMs);
  throw new ScoutsError(codeOf(status, wait), {
    data: { status, ...(wait === undefined ? {} : { retryAfterMs: wait }) },
  });
}

/** 403 and 404 come and go with servers' rules and mistakes; only 401 and 410 (RFC 9110 §15.5.11) are meant to last. */
function codeOf(status: number, wait: number | undefined): ErrorCode {
  if (status === 401) return "source_forbidden";
  if (status === 410) return "source_gone";
  if (status === 429 || (status === 503 && wait !== undefined)) return "source_rate_limited";
  return "source_unavailable";
}

/** Seconds or a date (RFC 9110 §10.2.3), at most a day. */
function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const waitMs = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 1000), longestWaitMs);
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of decompressed(response)) {
    bytes += chunk.length;
    if (bytes > maxDocumentBytes) throw new ScoutsError("source_unreadable", { data: { maxBytes: maxDocumentBytes } });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decompressed(response: IncomingMessage): Readable {
  const through = decompressors.get(response.headers["content-encoding"]?.trim().toLowerCase() ?? "");
  // Failures of either end up at the reader of the last.
  return through ? pipeline(response, through(), () => {}) : response;
}

const decompressors = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["br", createBrotliDecompress],
  ["deflate", createInflate],
]);

/** Only what has the form of a validator is kept and sent back: the server chose it. */
function validatorsOf(response: IncomingMessage): Validators {
  const { etag, "last-modified": lastModified } = response.headers;
  return {
    ...(etag !== undefined && /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/.test(etag) ? { etag } : {}),
    ...(lastModified !== undefined && /^[\w ,:+-]{10,40}$/.test(lastModified) ? { lastModified } : {}),
  };
}
