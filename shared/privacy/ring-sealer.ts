import { decodeProtectedHeader, FlattenedEncrypt, flattenedDecrypt } from "jose";
import { ScoutsError } from "../../events/errors.ts";
import type { KeyRing } from "./key-ring.ts";
import { Transient } from "./transient.ts";

/**
 * Seals what must last under the newest key of a ring, as a JWE (RFC 7516; `dir`, A256GCM). The context — whose it is,
 * what it is — is authenticated but not stored: opening under another context fails, so a row copied onto another
 * person's key opens nothing.
 */
export class RingSealer {
  readonly #ring: KeyRing;

  constructor(ring: KeyRing) {
    this.#ring = ring;
  }

  /** @returns `protected.iv.ciphertext.tag`, each base64url. */
  async seal(content: Transient<string>, context: readonly string[]): Promise<string> {
    const { kid, key } = this.#ring.newest;
    const jwe = await new FlattenedEncrypt(new TextEncoder().encode(content.reveal()))
      .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid })
      .setAdditionalAuthenticatedData(aad(context))
      .encrypt(key);
    return [jwe.protected, jwe.iv, jwe.ciphertext, jwe.tag].join(".");
  }

  /** @throws sealed_unreadable when the key is unknown, the context another one or the text altered. */
  async open(sealed: string, context: readonly string[]): Promise<Transient<string>> {
    const [header = "", iv = "", ciphertext = "", tag = ""] = sealed.split(".");
    try {
      const { plaintext } = await flattenedDecrypt(
        { protected: header, iv, ciphertext, tag, aad: Buffer.from(aad(context)).toString("base64url") },
        (header) => this.#key(header?.kid),
        { keyManagementAlgorithms: ["dir"], contentEncryptionAlgorithms: ["A256GCM"] },
      );
      return new Transient(new TextDecoder().decode(plaintext));
    } catch (cause) {
      throw new ScoutsError("sealed_unreadable", { cause });
    }
  }

  /** Whether a text is sealed under the newest key; one that is no sealed text at all is not. */
  isCurrent(sealed: string): boolean {
    try {
      return decodeProtectedHeader({ protected: sealed.split(".")[0] ?? "" }).kid === this.#ring.newest.kid;
    } catch {
      // No header of a sealed text.
      return false;
    }
  }

  /** The same content under the newest key. @throws sealed_unreadable */
  async reseal(sealed: string, context: readonly string[]): Promise<string> {
    return this.seal(await this.open(sealed, context), context);
  }

  #key(kid: unknown): Uint8Array {
    const found = typeof kid === "string" ? this.#ring.find(kid) : undefined;
    if (!found) throw new ScoutsError("sealed_unreadable");
    return found.key;
  }
}

/** Joined with a character no id holds, so that no two contexts read the same. */
function aad(context: readonly string[]): Uint8Array {
  return new TextEncoder().encode(context.join("\n"));
}
