import * as z from "zod";
import type { ErrorCode } from "../../../../events/error-kinds.ts";
import { type ErrorData, ScoutsError } from "../../../../events/errors.ts";
import type { UnreachedReason } from "../../../../events/sources/unreached.ts";
import { boundedWaitMs } from "../../../requests/wait.ts";
import { unreached, unreachedReason } from "../unreached.ts";

/** What ImapFlow and Node's sockets throw, as far as it tells one failure from another. */
const thrown = z.object({
  code: z.string().optional().catch(undefined),
  authenticationFailed: z.boolean().optional().catch(undefined),
  serverResponseCode: z.string().optional().catch(undefined),
  responseStatus: z.string().optional().catch(undefined),
  /** The server's own words: read here, and never handed on. */
  responseText: z.string().optional().catch(undefined),
  response: z.string().optional().catch(undefined),
  /** Milliseconds that Exchange asks to wait for, in words. */
  throttleReset: z.number().optional().catch(undefined),
  reason: z.string().optional().catch(undefined),
  tlsFailed: z.boolean().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
});
type Thrown = z.infer<typeof thrown>;

/** What ImapFlow throws of a FETCH that is refused: the answer as it has read it, with its code first. */
const refusedFetch = z.object({
  response: z.object({
    attributes: z
      .tuple([z.object({ section: z.tuple([z.object({ value: z.string() })]).rest(z.unknown()) })])
      .rest(z.unknown()),
  }),
});

/** A server that counts says so in words of its own; RFC 5530 has `LIMIT`, `OVERQUOTA`, `INUSE`. */
const tooMuch = /too many|\blimit|\bquota|\bthrottl|\brate\b|try again later|bandwidth|maximum number/i;
const temporary = /temporar|unavailable|not available|try again|internal error|timed? ?out|backend/i;
const responseCode = /\[([A-Z-]+)(?:[^A-Z[\]-][^[\]]*)?\]/i;
const waitAfterLimitMs = 60_000;

const malformed =
  /^(?:ParserError|MAX_IMAP_NESTING_REACHED$|LineTooLarge$|LiteralTooLarge$|ResponseTooLarge$|InvalidResponse$|UnexpectedTag$|ResponseProcessingFailed$)/;

/** How ImapFlow calls connections that fail; Node's sockets and resolvers have names of their own. */
const ofConnection = new Map<string, UnreachedReason>([
  ["CONNECT_TIMEOUT", "slow"],
  ["UPGRADE_TIMEOUT", "slow"],
  ["ETIMEOUT", "slow"],
  ["GREETING_TIMEOUT", "silent"],
  ["NoConnection", "cut"],
  ["EConnectionClosed", "cut"],
  ["ClosedAfterConnectText", "cut"],
  ["ClosedAfterConnectTLS", "cut"],
]);

/** By code of the answer (RFC 5530, RFC 9051 §7.1). What only the owner can mend switches the scout off. */
const byResponseCode = new Map<string, ErrorCode>([
  ["LIMIT", "source_rate_limited"],
  ["OVERQUOTA", "source_rate_limited"],
  ["THROTTLED", "source_rate_limited"],
  ["INUSE", "source_rate_limited"],
  ["UNAVAILABLE", "source_unavailable"],
  ["SERVERBUG", "source_unavailable"],
  ["AUTHENTICATIONFAILED", "reauth"],
  ["EXPIRED", "reauth"],
  ["AUTHORIZATIONFAILED", "source_forbidden"],
  ["CONTACTADMIN", "source_forbidden"],
  ["PRIVACYREQUIRED", "source_not_encrypted"],
  ["NOPERM", "source_folder_unknown"],
  ["NONEXISTENT", "source_folder_unknown"],
]);

/**
 * What went wrong at an IMAP server, as the product's own error. The server's words stay in the cause: they name users
 * and quote content.
 */
export function imapFailure(error: unknown): ScoutsError {
  if (error instanceof ScoutsError) return error;
  // What the guard of names refused comes wrapped by nobody, but Node's own lookups may.
  if (error instanceof Error && error.cause instanceof ScoutsError) return error.cause;
  const { data: found } = thrown.safeParse(error);
  const code = found && isOfConnection(found) ? (limitOf(error) ?? codeOf(found)) : "source_unreadable";
  if (code === "source_unavailable") return unreached(reasonOf(found?.code ?? ""), error);
  return new ScoutsError(code, { data: dataOf(code, found), cause: error });
}

function dataOf(code: ErrorCode, found: Thrown | undefined): ErrorData {
  if (code === "source_rate_limited") return { retryAfterMs: waitOf(found?.throttleReset) };
  return code === "reauth" && found && !hasExpired(found) ? { mayPass: true } : {};
}

/** Servers refuse a right password in passing, with the words they have for a wrong one; of one that has expired none says so by mistake. */
const hasExpired = (error: Thrown): boolean => codeIn(error, wordsOf(error)) === "EXPIRED";

const waitOf = (askedMs = 0): number => Math.max(waitAfterLimitMs, boundedWaitMs(askedMs));

/** Of a refused FETCH a limit alone counts: of a folder or a password the next look is told when it selects and signs in. */
function limitOf(error: unknown): ErrorCode | undefined {
  const { data } = refusedFetch.safeParse(error);
  const said = data && byResponseCode.get(data.response.attributes[0].section[0].value.toUpperCase());
  return said === "source_rate_limited" ? said : undefined;
}

const reasonOf = (code: string): UnreachedReason | undefined => ofConnection.get(code) ?? unreachedReason(code);

/** Whether a server has refused something or a connection has failed. All else is what was made of an answer here. */
const isOfConnection = ({ code, responseStatus, authenticationFailed, tlsFailed }: Thrown): boolean =>
  code !== undefined || responseStatus !== undefined || authenticationFailed === true || tlsFailed === true;

/** Whether a server that refused said that it will not for long. */
export function willPass(error: unknown): boolean {
  const { data: found } = thrown.safeParse(error);
  if (!found) return false;
  const words = wordsOf(found);
  return saidBy(found, words) === "source_unavailable" || temporary.test(words);
}

const wordsOf = (error: Thrown): string =>
  [error.responseText, error.response, error.reason].filter((text) => text !== undefined).join(" ");

const codeIn = ({ serverResponseCode }: Thrown, words: string): string =>
  (serverResponseCode ?? responseCode.exec(words)?.[1] ?? "").toUpperCase();

const saidBy = (error: Thrown, words: string): ErrorCode | undefined => byResponseCode.get(codeIn(error, words));

/** What of a refused sign-in its words say better: of a folder it says nothing, and a wrong password is not tried again later. */
const isSaidOfSignIn = (said: ErrorCode, { authenticationFailed }: Thrown, words: string): boolean =>
  authenticationFailed === true &&
  (said === "source_folder_unknown" || (said === "reauth" && (tooMuch.test(words) || temporary.test(words))));

function codeOf(error: Thrown): ErrorCode {
  const { code = "", authenticationFailed, tlsFailed, message = "" } = error;
  const words = wordsOf(error);
  const said = saidBy(error, words);
  if (unreachedReason(code) === "certificate") return "source_certificate_refused";
  if (code === "STARTTLS_INJECTION" || /does not support STARTTLS/.test(message)) return "source_not_encrypted";
  if (unreachedReason(code) === "plain") return "source_not_encrypted";
  if (malformed.test(code)) return "source_unreadable";
  if (code === "ETHROTTLE") return "source_rate_limited";
  if (said !== undefined && !isSaidOfSignIn(said, error, words)) return said;
  if (code === "NotFound") return "source_folder_unknown";
  if (tooMuch.test(words)) return "source_rate_limited";
  // A refusal in no known words is taken for what it says, unless it speaks of a time that passes.
  if (authenticationFailed)
    return temporary.test(words) || error.responseStatus === "BYE" ? "source_unavailable" : "reauth";
  return tlsFailed && /^ERR_SSL/.test(code) ? "source_not_encrypted" : "source_unavailable";
}
