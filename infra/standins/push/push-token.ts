import type { SigningKey } from "../signing-key.ts";

export interface PushIdentity {
  readonly audience: string;
  readonly serviceAccount: string;
}

const hourSeconds = 3600;
/** A token is used for several deliveries within its hour, as Google's are; renewed while it still has this long. */
const marginSeconds = 300;

/**
 * Bearer tokens as Pub/Sub attaches them (https://cloud.google.com/pubsub/docs/authenticate-push-subscriptions): an
 * OpenID Connect token of Google's issuer for the push service account. The same one is given until it nears its end.
 */
export function pushTokens(key: SigningKey, identity: PushIdentity, clock: () => number): () => Promise<string> {
  let current: { token: Promise<string>; expiresAt: number; kid: string } | undefined;
  return () => {
    const now = Math.floor(clock() / 1000);
    if (current === undefined || current.expiresAt - now < marginSeconds || now < current.expiresAt - hourSeconds) {
      const expiresAt = now + hourSeconds;
      const token = key.sign({
        iss: "https://accounts.google.com",
        aud: identity.audience,
        azp: subject,
        sub: subject,
        email: identity.serviceAccount,
        email_verified: true,
        iat: now,
        exp: expiresAt,
      });
      current = { token, expiresAt, kid: key.kid };
    }
    return current.token;
  };
}

const subject = "113774264463038321964";
