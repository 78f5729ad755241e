import { EncryptCommand, KMSClient } from "@aws-sdk/client-kms";
import { ScoutsError } from "../../events/errors.ts";
import { answeredInTime } from "./answered-in-time.ts";
import { awsFailure } from "./failures.ts";

/** Encrypts under a KMS key: operators' work, which no function is granted. */
export class KmsKeyWrapper {
  readonly #client: KMSClient;

  constructor(client: KMSClient = new KMSClient(answeredInTime())) {
    this.#client = client;
  }

  /** @param keyId ARN or id of the KMS key @throws keys_unavailable */
  async encrypt(keyId: string, plaintext: Uint8Array, context: Readonly<Record<string, string>>): Promise<Uint8Array> {
    try {
      const answer = await this.#client.send(
        new EncryptCommand({ KeyId: keyId, Plaintext: plaintext, EncryptionContext: { ...context } }),
      );
      if (answer.CiphertextBlob) return answer.CiphertextBlob;
    } catch (error) {
      throw awsFailure(error, "keys_unavailable");
    }
    throw new ScoutsError("keys_unavailable");
  }
}
