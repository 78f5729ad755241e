import { decodeProtectedHeader, FlattenedEncrypt, flattenedDecrypt } from "jose";
import { isScoutsError, ScoutsError } from "../../events/errors.ts";
import { type KeyRing, kidForm } from "./key-ring.ts";
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

  /**
   * @throws sealed_unreadable when the context is another one or the text altered; sealing_key_unknown, with its `kid`, when the
   * ring has no such key: it is of an older or newer deployment, and its operator's to mend
   */
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
      if (isScoutsError(cause, "sealing_key_unknown")) throw cause;
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

  /** The same content under the newest key. @throws as {@link open} */
  async reseal(sealed: string, context: readonly string[]): Promise<string> {
    return this.seal(await this.open(sealed, context), context);
  }

  #key(kid: unknown): Uint8Array {
    if (typeof kid !== "string" || !kidForm.test(kid)) throw new ScoutsError("sealed_unreadable");
    const found = this.#ring.find(kid);
    if (!found) throw new ScoutsError("sealing_key_unknown", { data: { kid } });
    return found.key;
  }
}

/** Whether a text cannot be opened with a ring, be it that it is altered or that its key has left. */
export function isUnopenable(error: unknown): boolean {
  return isScoutsError(error, "sealed_unreadable") || isScoutsError(error, "sealing_key_unknown");
}

/** Joined with a character no id holds, so that no two contexts read the same. */
function aad(context: readonly string[]): Uint8Array {
  return new TextEncoder().encode(context.join("\n"));
}
