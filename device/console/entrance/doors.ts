import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import type { MiddlewareHandler } from "hono";
import { failureBody } from "../failure.ts";
import { toldCode } from "../told.ts";
import type { TabTokens } from "./tab-tokens.ts";

/** What stands around each request. */
export interface ConsoleEnvironment {
  readonly Bindings: HttpBindings;
}

/** The names a program of this machine has for its loopback address. */
const names = ["127.0.0.1", "localhost"];

/**
 * Said with every answer. Nothing but our own files is loaded or asked, no text becomes markup or script (Trusted Types:
 * no policy can be made), nobody frames the page, nothing is kept.
 */
const headers: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

export const withSafeHeaders: MiddlewareHandler<ConsoleEnvironment> = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
};

/**
 * Answers this machine's own pages and programs only. Pages elsewhere reach every port of it, also by a name of their own
 * that is bound to 127.0.0.1 (DNS rebinding): `Host` must be this address (RFC 9110 §7.2), `Origin`, where there is one, as
 * well; what a browser loads without one is told by `Sec-Fetch-Site`. Only to the page itself a link may lead.
 */
export const ownRequestsOnly: MiddlewareHandler<ConsoleEnvironment> = async (c, next) => {
  if (isOwn(c.env.incoming)) return next();
  return c.json(failureBody({ code: "forbidden", message: "This address answers its own page only." }), 403);
};

function isOwn({ method, url, headers: sent, rawHeaders, socket }: IncomingMessage): boolean {
  const here = names.map((name) => `${name}:${socket.localPort}`);
  const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === "host");
  if (hosts.length !== 1 || !here.includes(hosts[0] ?? "")) return false;
  if (sent.origin !== undefined && sent.origin !== `http://${hosts[0]}`) return false;
  // The absolute form (RFC 9112 §3.2.2) names another host than the header may.
  if (!url?.startsWith("/")) return false;
  const site = sent["sec-fetch-site"];
  if (site === undefined || site === "same-origin") return true;
  const isPage = method === "GET" && !/^\/(?:api|v1)(?:\/|$)/.test(url);
  return isPage && sent["sec-fetch-mode"] === "navigate" && sent["sec-fetch-dest"] === "document";
}

/** The largest request: the settings of a source, certificates and grants among them. */
const maxBodyBytes = 32_768;
/** Of what a person keeps: a note of a million letters, a calendar of years. */
const maxWorkBytes = 8 * 1024 * 1024;
/** A file of work comes in base64, which takes four bytes for three. */
const maxImportBytes = 11 * 1024 * 1024;
/** A file is no larger that is changed (FileAccess). */
const maxFileBytes = 32 * 1024 * 1024;

function mostBytes(path: string): number {
  if (path.startsWith("/v1/files/")) return maxFileBytes;
  if (path === "/api/work/import") return maxImportBytes;
  return path.startsWith("/api/work/") || path.startsWith("/api/edits/") ? maxWorkBytes : maxBodyBytes;
}

/** Refuses a body that is large, or that does not say how large it is, before it is read. */
export const smallRequestsOnly: MiddlewareHandler<ConsoleEnvironment> = async (c, next) => {
  const { headers: sent } = c.env.incoming;
  const isSmall =
    sent["transfer-encoding"] === undefined && Number(sent["content-length"] ?? 0) <= mostBytes(c.req.path);
  if (isSmall) return next();
  return c.json(failureBody(toldCode("payload_too_large")), 413);
};

/** What an address may say as often as somebody likes: patterns of files and words they are marked with. */
const severalTimes = new Set(["globs", "tags"]);

/** Refuses an address that says one thing twice: whichever of the two was meant, the other would be passed over in silence. */
export const saidOnce: MiddlewareHandler<ConsoleEnvironment> = async (c, next) => {
  const twice = Object.entries(c.req.queries()).find(([name, { length }]) => length > 1 && !severalTimes.has(name));
  if (twice === undefined) return next();
  const message = `The address says ${JSON.stringify(twice[0])} more than once; say it once.`;
  return c.json(failureBody({ code: "invalid_request", message }), 400);
};

/** Answers tabs that hold a token. */
export const tabsOnly =
  (tokens: TabTokens): MiddlewareHandler<ConsoleEnvironment> =>
  async (c, next) => {
    const [, token] = /^Bearer ([\w-]{43})$/.exec(c.req.header("authorization") ?? "") ?? [];
    if (token !== undefined && tokens.isGood(token)) return next();
    return c.json(
      failureBody({ code: "unauthenticated", message: "This tab is not signed in: run `scouts console`." }),
      401,
    );
  };
