import * as z from "zod";
import { ScoutsError } from "../../events/errors.ts";
import type { KeyService } from "../ports/key-service.ts";

/**
 * The plaintext of a key ring: 256-bit keys, the newest last. KMS `Encrypt` takes 4 KB, which is some forty keys, so the
 * whole ring is one ciphertext and opening it is one request.
 */
export const keyRingContent = z.object({
  keys: z
    .array(z.object({ kid: z.string().regex(/^[\w-]{1,32}$/), key: z.base64().length(44) }))
    .min(1)
    .max(40),
});
export type KeyRingContent = z.infer<typeof keyRingContent>;

export interface RingKey {
  readonly kid: string;
  readonly key: Uint8Array;
}

export interface KeyRing {
  /** What is sealed from now on is sealed with this key. */
  readonly newest: RingKey;
  find(kid: string): RingKey | undefined;
}

/** @param ciphertext base64 of the KMS ciphertext of {@link keyRingContent} as JSON */
export async function openKeyRing(service: KeyService, ciphertext: string, purpose: string): Promise<KeyRing> {
  const plaintext = await service.decrypt(Buffer.from(ciphertext, "base64"), { purpose });
  return parseKeyRing(new TextDecoder().decode(plaintext));
}

/** @throws configuration_invalid when the ring is not of the agreed form; what it holds is not repeated. */
export function parseKeyRing(json: string): KeyRing {
  const keys = contentOf(json).keys.map(({ kid, key }) => ({ kid, key: new Uint8Array(Buffer.from(key, "base64")) }));
  const newest = keys.at(-1);
  if (!newest) throw new ScoutsError("configuration_invalid", { data: { what: "key ring" } });
  return { newest, find: (kid) => keys.find((each) => each.kid === kid) };
}

function contentOf(json: string): KeyRingContent {
  try {
    return keyRingContent.parse(JSON.parse(json));
  } catch {
    // The cause would quote key material.
    throw new ScoutsError("configuration_invalid", { data: { what: "key ring" } });
  }
}
