import { isUtf8 } from "node:buffer";
import { once } from "node:events";
import http, { type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import https from "node:https";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { isScoutsError, ScoutsError } from "../../../events/errors.ts";
import { checkAddress, guardedLookup, isPublicAddress, type Reach } from "./address-guard.ts";
import { unreached, unreachedReason } from "./unreached.ts";

/** From the first look-up to the last byte, redirects included. */
const defaultTimeoutMs = 10_000;
const longestWaitMs = 86_400_000;
const maxHeaderBytes = 16 * 1024;
const redirecting: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const permanent: ReadonlySet<number> = new Set([301, 308]);

export interface GuardedGetOptions {
  readonly reach: Reach;
  /** Which addresses are the internet's; {@link isPublicAddress} unless told. */
  readonly isPublic?: (address: string) => boolean;
  readonly timeoutMs?: number;
  /** For `Retry-After` with a date. */
  readonly nowMs: number;
  /** Of the body, after decompression. */
  readonly maxBytes: number;
  /** Whether the beginning of a longer body is answered, and not refused. */
  readonly mayCut?: boolean;
  /**
   * Redirects that are followed; with 0, the default, one is answered like any other status. They get all of `headers`:
   * whoever sends a secret follows none.
   */
  readonly maxRedirects?: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface GuardedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Read where the status is 200, else empty. */
  readonly body: Buffer;
  /** The body goes on where this ends. */
  readonly isCut?: true;
  /** Whether a server of the internet answered first, and not one of the home's own network. */
  readonly isPublic: boolean;
  /** How long the server asks to be left alone (`Retry-After`), a second to a day. */
  readonly retryAfterMs?: number;
  /** Where it was read in the end. */
  readonly url: string;
  /** Where it has moved to for good: as far as redirects led that are permanent (RFC 9110 §15.4.2, §15.4.9) without a gap. */
  readonly permanentUrl: string;
}

/**
 * One GET to an address that a person chose. Nothing a server does makes it read more than `maxBytes`, take longer than
 * the timeout, follow more redirects than allowed, or connect out of reach; where any address may be reached, a server of
 * the internet still leads nobody inside. What a status means is the caller's to say.
 *
 * @throws source_address_refused, source_unavailable (no answer), source_leads_round (more redirects), source_too_large (longer than
 * `maxBytes`, unless it may be cut)
 */
export async function guardedGet(address: string, options: GuardedGetOptions): Promise<GuardedAnswer> {
  const { maxRedirects = 0, isPublic = isPublicAddress } = options;
  const signal = AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs);
  let url = new URL(address);
  let permanentUrl = url.href;
  let { reach } = options;
  try {
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const { response, from } = await get(url, { ...options, reach }, signal);
      // Who is not known may be anybody.
      if (from === undefined || isPublic(from)) reach = "public";
      const target = maxRedirects === 0 ? undefined : redirectTarget(response, url);
      if (target === undefined) {
        return { ...(await answerOf(response, { ...options, reach })), url: url.href, permanentUrl };
      }
      response.destroy();
      if (permanentUrl === url.href && permanent.has(response.statusCode ?? 0)) permanentUrl = target.href;
      url = target;
    }
  } catch (error) {
    if (isScoutsError(error)) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw unreached(signal.aborted ? "slow" : unreachedReason(code), error);
  }
  throw new ScoutsError("source_leads_round", { data: { redirects: maxRedirects } });
}

interface Met {
  readonly response: IncomingMessage;
  /** The server's address as it was when it was connected to: one that has hung up has none any more. */
  readonly from: string | undefined;
}

function get(url: URL, { reach, headers }: GuardedGetOptions, signal: AbortSignal): Promise<Met> {
  checkAddress(url, reach);
  const { request } = url.protocol === "https:" ? https : http;
  // No agent: a connection kept for reuse would be one whose address was checked for somebody else.
  const options = {
    headers: { "accept-encoding": "gzip, br, deflate", "user-agent": "scouts", ...headers },
    signal,
    agent: false as const,
    maxHeaderSize: maxHeaderBytes,
    lookup: guardedLookup(reach),
  };
  return new Promise((resolve, reject) => {
    let from: string | undefined;
    request(url, options, (response) => resolve({ response, from }))
      .once("socket", (socket) => {
        socket.once("connect", () => {
          from = socket.remoteAddress;
        });
      })
      .once("error", reject)
      .end();
  });
}

/** Where a redirect leads. From an encrypted address to one that is not, nobody is led. */
function redirectTarget(response: IncomingMessage, from: URL): URL | undefined {
  const { location } = response.headers;
  if (!redirecting.has(response.statusCode ?? 0) || location === undefined) return undefined;
  const target = URL.parse(inUtf8(location), from.href);
  if (!target || (from.protocol === "https:" && target.protocol !== "https:")) {
    response.destroy();
    throw new ScoutsError("source_address_refused");
  }
  return target;
}

/** A header as its bytes were meant: browsers read an address in them as UTF-8, and Node gives each byte as a character. */
function inUtf8(header: string): string {
  const bytes = Buffer.from(header, "latin1");
  return isUtf8(bytes) ? bytes.toString() : header;
}

async function answerOf(
  response: IncomingMessage,
  { nowMs, maxBytes, mayCut = false, reach }: GuardedGetOptions,
): Promise<Omit<GuardedAnswer, "url" | "permanentUrl">> {
  const { statusCode: status = 0, headers } = response;
  const isPublic = reach === "public";
  if (status === 200) return { status, headers, ...(await readBody(response, maxBytes, mayCut)), isPublic };
  response.destroy();
  const wait = retryAfterMs(headers["retry-after"], nowMs);
  return { status, headers, body: Buffer.alloc(0), isPublic, ...(wait === undefined ? {} : { retryAfterMs: wait }) };
}

/** Seconds or a date (RFC 9110 §10.2.3), at most a day. */
function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const waitMs = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 1000), longestWaitMs);
}

async function readBody(
  response: IncomingMessage,
  maxBytes: number,
  mayCut: boolean,
): Promise<Pick<GuardedAnswer, "body" | "isCut">> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of await decompressed(response)) {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes <= maxBytes) continue;
    if (mayCut) return { body: Buffer.concat(chunks).subarray(0, maxBytes), isCut: true };
    throw new ScoutsError("source_too_large", { data: { maxBytes } });
  }
  return { body: Buffer.concat(chunks) };
}

async function decompressed(response: IncomingMessage): Promise<Readable> {
  const coding = response.headers["content-encoding"]?.trim().toLowerCase() ?? "";
  const through = coding === "deflate" ? await inflaterOf(response) : decompressors.get(coding);
  // Failures of either end up at the reader of the last.
  return through ? pipeline(response, through(), () => {}) : response;
}

const decompressors = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["br", createBrotliDecompress],
]);

/**
 * Some servers leave out the wrapper that `deflate` stands for (RFC 9110 §8.4.1.2). Its first byte ends in an 8 (RFC 1950 §2.2), as what
 * compressors write without it does not.
 */
async function inflaterOf(response: IncomingMessage): Promise<typeof createInflate | typeof createInflateRaw> {
  await once(response, "readable");
  const first: Buffer | null = response.read(1);
  if (first) response.unshift(first);
  return ((first?.[0] ?? 8) & 0x0f) === 8 ? createInflate : createInflateRaw;
}
