import { DecryptCommand, KMSClient } from "@aws-sdk/client-kms";
import { ScoutsError } from "../../events/errors.ts";
import type { KeyService } from "../ports/key-service.ts";
import { answeredInTime } from "./answered-in-time.ts";
import { awsFailure } from "./failures.ts";

/** {@link KeyService} on AWS KMS; the ciphertext names its own key. */
export class KmsKeyService implements KeyService {
  readonly #client: KMSClient;

  constructor(client: KMSClient = new KMSClient(answeredInTime())) {
    this.#client = client;
  }

  async decrypt(ciphertext: Uint8Array, context: Readonly<Record<string, string>>): Promise<Uint8Array> {
    try {
      const answer = await this.#client.send(
        new DecryptCommand({ CiphertextBlob: ciphertext, EncryptionContext: { ...context } }),
      );
      if (answer.Plaintext) return answer.Plaintext;
    } catch (error) {
      throw awsFailure(error, "keys_unavailable");
    }
    throw new ScoutsError("keys_unavailable");
  }
}
