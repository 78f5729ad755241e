import type { IncomingHttpHeaders } from "node:http";
import type { ErrorCode } from "../../../../events/error-kinds.ts";
import { ScoutsError } from "../../../../events/errors.ts";
import type { UnreachedReason } from "../../../../events/sources/unreached.ts";
import { type GuardedGetOptions, guardedGet } from "../guarded-get.ts";

/** Large feeds are some hundred kilobytes, podcasts of many years some megabytes: of those the beginning is read. */
export const maxDocumentBytes = 4 * 1024 * 1024;
const maxRedirects = 5;
const accept =
  "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, application/json;q=0.8, */*;q=0.1";

/** What a server wants to be shown next time, to answer 304 when nothing has changed (RFC 9110 §13). */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

export interface FetchedDocument {
  readonly body: Buffer;
  /** Whether the document goes on where this ends. */
  readonly isCut: boolean;
  readonly contentType: string;
  readonly validators: Validators;
  /** Whether a server of the internet answered first, and not one of the home's own network. */
  readonly isPublic: boolean;
  /** Where it was read in the end, and where it has moved to for good. */
  readonly url: string;
  readonly permanentUrl: string;
}

export interface FetchOptions extends Pick<GuardedGetOptions, "reach" | "isPublic" | "timeoutMs" | "nowMs"> {
  /** {@link guardedGet} unless told. */
  readonly get?: typeof guardedGet;
}

/**
 * Reads one document by HTTP: its first {@link maxDocumentBytes}, over five redirects at most.
 *
 * @returns `undefined` when the server says that nothing has changed since `known` (304)
 * @throws source_address_refused, source_unavailable, source_rate_limited, source_wants_password, source_gone,
 * source_leads_round
 */
export function fetchDocument(
  address: string,
  known: Record<string, never>,
  options: FetchOptions,
): Promise<FetchedDocument>;
export function fetchDocument(
  address: string,
  known: Validators,
  options: FetchOptions,
): Promise<FetchedDocument | undefined>;
export async function fetchDocument(
  address: string,
  known: Validators,
  { get = guardedGet, ...options }: FetchOptions,
): Promise<FetchedDocument | undefined> {
  const answer = await get(address, {
    ...options,
    maxBytes: maxDocumentBytes,
    mayCut: true,
    maxRedirects,
    headers: {
      accept,
      ...(known.etag === undefined ? {} : { "if-none-match": known.etag }),
      ...(known.lastModified === undefined ? {} : { "if-modified-since": known.lastModified }),
    },
  });
  const { status, headers, body, isCut = false, isPublic, retryAfterMs, url, permanentUrl } = answer;
  if (status === 200) {
    const contentType = headers["content-type"] ?? "";
    return { body, isCut, contentType, validators: validatorsOf(headers), isPublic, url, permanentUrl };
  }
  // To a request that compares with nothing, a 304 is a server's mistake: believed, it would be no news for ever.
  if (status === 304 && (known.etag ?? known.lastModified) !== undefined) return undefined;
  const code = codeOf(status, retryAfterMs);
  throw new ScoutsError(code, {
    data: {
      status,
      ...(code === "source_unavailable" ? { reason: reasonOf(status) } : {}),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
  });
}

function reasonOf(status: number): UnreachedReason {
  if (status === 404) return "missing";
  return status === 403 ? "denied" : "status";
}

/** 403 and 404 come and go with servers' rules and mistakes; only 401 and 410 (RFC 9110 §15.5.11) are meant to last. */
function codeOf(status: number, wait: number | undefined): ErrorCode {
  if (status === 401) return "source_wants_password";
  if (status === 410) return "source_gone";
  if (status === 429 || (status === 503 && wait !== undefined)) return "source_rate_limited";
  return "source_unavailable";
}

/** Only what has the form of a validator is kept and sent back: the server chose it. */
function validatorsOf(headers: IncomingHttpHeaders): Validators {
  const { etag, "last-modified": lastModified } = headers;
  return {
    ...(etag !== undefined && /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/.test(etag) ? { etag } : {}),
    ...(lastModified !== undefined && /^[\w ,:+-]{10,40}$/.test(lastModified) ? { lastModified } : {}),
  };
}
