import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from "jose";
import * as z from "zod";
import { isScoutsError, ScoutsError } from "../../../../events/errors.ts";
import { type GmailNotification, gmailNotification, pubsubPush } from "../../../../events/webhooks.ts";
import type { Clock } from "../../../ports/clock.ts";

/** Google's keys change every few days; one fetch an hour, and one more when a token names a key we do not know. */
const keysMaxAgeMs = 3_600_000;
const issuer = "https://accounts.google.com";

export interface PushExpectations {
  readonly audience: string;
  readonly serviceAccount: string;
  readonly subscription: string;
}

const claims = z.object({ email: z.string(), email_verified: z.literal(true) });

/** What the look-up of a key finds wrong with the token; all else is of the keys. */
const ofToken = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported];

/**
 * Google's signing keys, fetched when first needed. Where they cannot be had it throws `source_unavailable`: that says nothing
 * of the token.
 */
export function pushKeys(jwksUrl: string): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(jwksUrl), { cacheMaxAge: keysMaxAgeMs, cooldownDuration: 30_000 });
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (cause) {
      if (ofToken.some((kind) => cause instanceof kind)) throw cause;
      throw new ScoutsError("source_unavailable", { data: { what: "push keys" }, cause });
    }
  };
}

/**
 * Checks that a delivery comes from our subscription and nobody else: RS256 signature, issuer, audience, expiry, and the
 * push service account's verified address (https://cloud.google.com/pubsub/docs/authenticate-push-subscriptions). The
 * token is reused within its hour, so it is no nonce.
 *
 * @throws unauthenticated, with no detail for the caller; what {@link pushKeys} throws where there are no keys
 */
export async function authenticatePush(
  authorization: string | undefined,
  keys: JWTVerifyGetKey,
  expected: PushExpectations,
  clock: Clock,
): Promise<void> {
  const token = /^Bearer (\S+)$/i.exec(authorization ?? "")?.[1];
  if (token === undefined) throw new ScoutsError("unauthenticated");
  const { email } = await verified(token, keys, expected, clock);
  if (email !== expected.serviceAccount) throw new ScoutsError("unauthenticated");
}

async function verified(token: string, keys: JWTVerifyGetKey, expected: PushExpectations, clock: Clock) {
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ["RS256"],
      issuer,
      audience: expected.audience,
      requiredClaims: ["exp", "iat"],
      currentDate: new Date(clock()),
    });
    return claims.parse(payload);
  } catch (cause) {
    throw isScoutsError(cause) ? cause : new ScoutsError("unauthenticated", { cause });
  }
}

export interface Push {
  readonly messageId: string;
  readonly notification: GmailNotification;
}

/**
 * Reads an authentic delivery. `undefined` when it is not a Gmail notification: a redelivery would not mend that.
 *
 * @throws unauthenticated when the delivery is of another subscription
 */
export function readPush(body: string, expected: PushExpectations): Push | undefined {
  const push = pubsubPush.safeParse(json(body));
  if (!push.success) return undefined;
  if (push.data.subscription !== expected.subscription) throw new ScoutsError("unauthenticated");
  // Node's base64 decoder takes both alphabets, and Google has sent both.
  const text = Buffer.from(push.data.message.data, "base64").toString("utf8");
  const notification = gmailNotification.safeParse(json(text));
  return notification.success ? { messageId: push.data.message.messageId, notification: notification.data } : undefined;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON is no notification: it is dropped and logged by its reader.
    return undefined;
  }
}
