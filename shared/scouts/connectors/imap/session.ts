import { isIP, type LookupFunction } from "node:net";
import type { ImapFlow } from "imapflow";
import { ScoutsError } from "../../../../events/errors.ts";
import { type After, systemAfter } from "../../../ports/clock.ts";
import { guardedLookup, isLoopbackAddress, isPublicAddress, type Reach } from "../address-guard.ts";
import { unreached } from "../unreached.ts";
import { imapFailure } from "./failures.ts";
import { greetingTimeoutMs, responseLimits, silenceTimeoutMs } from "./limits.ts";
import { type ImapAccess, portOf } from "./settings.ts";
import { whatSpeaks } from "./what-speaks.ts";

/** How servers are reached. */
export interface Dial {
  readonly reach: Reach;
  /** Certificate authorities besides those Node trusts, PEM: a test's own, say. */
  readonly ca?: string;
  /** Other than the resolver of this machine. */
  readonly lookup?: LookupFunction;
  /** The process's own timers unless told. */
  readonly after?: After;
  /** How long nothing need come on a connection that waits for news. */
  readonly quietMs?: number;
}

/** Loaded by the first connection: with its tables of charsets it is 1.4 MB. By `default`, as in gmail/client.ts. */
const library = async () => (await import("imapflow")).default;

/** Who reads: a password, or an access token for XOAUTH2 or OAUTHBEARER (RFC 7628). */
export type Credential = { readonly pass: string } | { readonly accessToken: string };

type Where = Pick<ImapAccess, "host" | "port" | "tls" | "user">;

/** What {@link openSession} is, and whatever stands in its place. */
export type OpenSession = (access: ImapAccess, credential: Credential, dial: Dial) => Promise<ImapFlow>;

const breaks = new WeakMap<ImapFlow, unknown>();

/** Why a connection broke, if it said so. */
export const brokenBy = (client: ImapFlow): unknown => breaks.get(client);

/**
 * Opens a connection, encrypted unless it ends on this machine, and signs in. What is connected to is the address that
 * was checked: the name is resolved here and not again.
 *
 * @throws source_address_refused, source_not_encrypted, source_certificate_refused, reauth, `source_*`
 */
export async function openSession(access: Where, credential: Credential, dial: Dial): Promise<ImapFlow> {
  const { host, tls, user } = access;
  const [address, imap] = await Promise.all([resolved(host, dial), library()]);
  if (tls === "none" && !isLoopbackAddress(address)) throw new ScoutsError("source_not_encrypted");
  const client = new imap.ImapFlow({
    host: address,
    port: portOf(access),
    secure: tls === "implicit",
    ...(tls === "implicit" ? {} : { doSTARTTLS: tls === "starttls" }),
    ...(isIP(host) === 0 ? { servername: host.replace(/\.$/, "") } : {}),
    tls: { minVersion: "TLSv1.2", ...(dial.ca === undefined ? {} : { ca: dial.ca }) },
    auth: { user, ...credential },
    // Its own logger writes down who reads which server.
    logger: false,
    clientInfo: { name: "scouts" },
    disableAutoIdle: true,
    // A compressed answer has no size one could bound.
    disableCompression: true,
    disableBinary: true,
    maxLockHoldTime: false,
    connectionTimeout: greetingTimeoutMs,
    greetingTimeout: greetingTimeoutMs,
    socketTimeout: dial.quietMs ?? silenceTimeoutMs,
    ...responseLimits,
  });
  // A connection says here why it breaks; the command that was under way, or comes next, hears only that it has.
  client.on("error", (reason: unknown) => breaks.set(client, reason));
  try {
    await client.connect();
    return client;
  } catch (error) {
    client.close();
    const failure = imapFailure(brokenBy(client) ?? error);
    if (failure.data["reason"] !== "silent") throw failure;
    const place = { host, tls, address, port: portOf(access), ca: dial.ca };
    throw unreached(await whatSpeaks(place, dial.after ?? systemAfter), failure.cause);
  }
}

/** The IP address of a host. @throws source_address_refused, source_unavailable */
async function resolved(host: string, { reach, lookup }: Dial): Promise<string> {
  if (isIP(host) !== 0) {
    if (reach === "public" && !isPublicAddress(host)) throw new ScoutsError("source_address_refused");
    return host;
  }
  // Never a name of the internet (RFC 6761 §6.3).
  if (reach === "public" && /(^|\.)localhost\.?$/.test(host)) throw new ScoutsError("source_address_refused");
  return new Promise((resolve, reject) => {
    (lookup ?? guardedLookup(reach))(host, { family: 0 }, (error, address) => {
      if (error) reject(imapFailure(error));
      else resolve(String(address));
    });
  });
}
