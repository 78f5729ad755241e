import { randomBytes } from "node:crypto";
import type { KMSClient } from "@aws-sdk/client-kms";
import { KmsKeyService } from "../../shared/aws/kms-key-service.ts";
import { KmsKeyWrapper } from "../../shared/aws/kms-key-wrapper.ts";
import { type KeyRingContent, newestOnly, parseKeyRingContent, withNewKey } from "../../shared/privacy/key-ring.ts";

/** A key ring as an operator handles it: ciphertext in base64, opened in memory only. */
export class EncryptedRing {
  readonly #service: KmsKeyService;
  readonly #wrapper: KmsKeyWrapper;
  readonly #context: { readonly purpose: "vault" | "session" };
  readonly #keyId: string;

  /** @param keyId of the KMS key the ring is encrypted by; needed only where it is changed */
  constructor(client: KMSClient, purpose: "vault" | "session", keyId: string) {
    this.#service = new KmsKeyService(client);
    this.#wrapper = new KmsKeyWrapper(client);
    this.#context = { purpose };
    this.#keyId = keyId;
  }

  /** @throws keys_unavailable, configuration_invalid */
  async open(ciphertext: string): Promise<KeyRingContent> {
    const plaintext = await this.#service.decrypt(Buffer.from(ciphertext, "base64"), this.#context);
    return parseKeyRingContent(new TextDecoder().decode(plaintext));
  }

  async withNewKey(ciphertext: string, kid: string): Promise<string> {
    return this.#seal(withNewKey(await this.open(ciphertext), kid, randomBytes(32)));
  }

  async newestOnly(ciphertext: string): Promise<string> {
    return this.#seal(newestOnly(await this.open(ciphertext)));
  }

  async #seal(content: KeyRingContent): Promise<string> {
    const plaintext = new TextEncoder().encode(JSON.stringify(content));
    return Buffer.from(await this.#wrapper.encrypt(this.#keyId, plaintext, this.#context)).toString("base64");
  }
}
