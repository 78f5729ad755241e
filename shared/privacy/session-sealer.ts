import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { ScoutsError } from "../../events/errors.ts";
import { type FileName, fileName, type SessionId } from "../../events/ids.ts";
import { Transient } from "./transient.ts";

const cipher = "aes-256-gcm";
const keyBytes = 32;
/** NIST SP 800-38D §8.2.2: random 96-bit IVs are good for 2^32 messages a key; a session seals thousands. */
const ivBytes = 12;
const tagBytes = 16;
/** The first byte of everything sealed. */
const version = 1;
const headBytes = 1 + ivBytes;

/**
 * Seals what is on its way for as long as a session lives: version, IV, ciphertext and tag (AES-256-GCM). The context —
 * what it is, and of what — is authenticated and not stored, so that a blob moved to another place opens nothing there.
 * Used on both sides: the cloud holds the key wrapped, the device in memory. Sealing and naming have a key each, derived
 * from the session's (RFC 5869).
 */
export class SessionSealer {
  readonly sessionId: SessionId;
  readonly #sealKey: Uint8Array;
  readonly #nameKey: Uint8Array;

  /** @param key 256 bits, base64, as `session_ready` brings it. @throws sealed_unreadable when it is no such key */
  constructor(sessionId: SessionId, key: Transient<string>) {
    const secret = Buffer.from(key.reveal(), "base64");
    if (secret.length !== keyBytes) throw new ScoutsError("sealed_unreadable");
    this.sessionId = sessionId;
    this.#sealKey = derived(secret, "seal");
    this.#nameKey = derived(secret, "name");
  }

  sealBytes(content: Transient<Uint8Array>, context: readonly string[]): Uint8Array {
    const iv = randomBytes(ivBytes);
    const sealing = createCipheriv(cipher, this.#sealKey, iv, { authTagLength: tagBytes });
    sealing.setAAD(this.#aad(context));
    const ciphertext = Buffer.concat([sealing.update(content.reveal()), sealing.final()]);
    return Buffer.concat([Buffer.of(version), iv, ciphertext, sealing.getAuthTag()]);
  }

  /** @throws sealed_unreadable when it was sealed by another session, for another context, or altered. */
  openBytes(sealed: Uint8Array, context: readonly string[]): Transient<Uint8Array> {
    if (sealed[0] !== version || sealed.length < headBytes + tagBytes) throw new ScoutsError("sealed_unreadable");
    try {
      const iv = sealed.subarray(1, headBytes);
      const opening = createDecipheriv(cipher, this.#sealKey, iv, { authTagLength: tagBytes });
      opening.setAAD(this.#aad(context));
      opening.setAuthTag(sealed.subarray(-tagBytes));
      const content = Buffer.concat([opening.update(sealed.subarray(headBytes, -tagBytes)), opening.final()]);
      return new Transient(new Uint8Array(content));
    } catch (cause) {
      throw new ScoutsError("sealed_unreadable", { cause });
    }
  }

  /** @returns base64url */
  sealText(content: Transient<string>, context: readonly string[]): string {
    const bytes = content.map((text) => new TextEncoder().encode(text));
    return Buffer.from(this.sealBytes(bytes, context)).toString("base64url");
  }

  /** @throws sealed_unreadable */
  openText(sealed: string, context: readonly string[]): Transient<string> {
    const content = this.openBytes(Buffer.from(sealed, "base64url"), context);
    return content.map((bytes) => new TextDecoder().decode(bytes));
  }

  /** The name of a file within this session: says nothing about it, and is another one when its content is. */
  nameOf(path: Transient<string>, contentHash: string): FileName {
    const mac = createHmac("sha256", this.#nameKey).update(path.reveal()).update("\0").update(contentHash);
    return fileName.parse(`fil_${mac.digest().subarray(0, 24).toString("base64url")}`);
  }

  /** JSON of a list keeps its parts apart, whatever is in them. */
  #aad(context: readonly string[]): Buffer {
    return Buffer.from(JSON.stringify(["scouts/v1", this.sessionId, ...context]));
  }
}

function derived(secret: Uint8Array, purpose: "seal" | "name"): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, new Uint8Array(), `scouts/session/${purpose}`, keyBytes));
}
