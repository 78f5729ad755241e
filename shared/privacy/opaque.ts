import { createHash, createHmac } from "node:crypto";
import { type UserId, userId } from "../../events/ids.ts";
import type { Transient } from "./transient.ts";

const alphabet = "0123456789abcdefghijklmnopqrstuv";

/** Base32 (RFC 4648 §7 alphabet, lower case, unpadded) of the first `length` × 5 bits. */
function base32(bytes: Uint8Array, length: number): string {
  let bits = 0;
  let buffer = 0;
  let text = "";
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5 && text.length < length) {
      bits -= 5;
      text += alphabet[(buffer >> bits) & 31];
    }
  }
  return text;
}

/** The id under which a person of an OIDC issuer is kept: says nothing about them, needs no look-up. */
export function userIdOf(issuer: string, subject: string): UserId {
  const digest = createHash("sha256").update(issuer).update("\0").update(subject).digest();
  return userId.parse(`usr_${base32(digest, 26)}`);
}

/** A mail address as tables hold it: HMAC-SHA-256 of the lower-cased address, so that nobody can test addresses. */
export function blindAddress(key: Uint8Array, address: string): string {
  return base32(createHmac("sha256", key).update(address.trim().toLowerCase()).digest(), 51);
}

/** Which source a scout is on, as tables hold it: HMAC-SHA-256 of what its connector calls it. Every letter counts. */
export function blindSource(key: Uint8Array, sourceType: string, identity: Transient<string>): string {
  const hmac = createHmac("sha256", key).update(`${sourceType}\0`).update(identity.reveal());
  return base32(hmac.digest(), 51);
}

/**
 * The dedupe id of a push. A digest of Google's message id, whose form is not promised: nothing of a body reaches a queue
 * as it came, and SQS's alphabet for such ids (SendMessage, `MessageDeduplicationId`) is never left.
 */
export function pushDedupeId(messageId: string): string {
  return base32(createHash("sha256").update(messageId).digest(), 51);
}
