import * as z from "zod";
import { ScoutsError } from "../../events/errors.ts";
import type { KeyService } from "../ports/key-service.ts";

/** What a key may be called. */
export const kidForm = /^[\w-]{1,32}$/;

/**
 * The plaintext of a key ring: 256-bit keys, of which the last one seals. In a deployment a new one comes first for the time of a
 * deployment, so that every environment opens with it before one seals with it (docs/deploy.md). KMS `Encrypt` takes 4 KB, which is
 * some forty keys, so the whole ring is one ciphertext and opening it is one request.
 */
export const keyRingContent = z.object({
  keys: z
    .array(z.object({ kid: z.string().regex(kidForm), key: z.base64().length(44) }))
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

/** A ring with a new key at its end; what is sealed from then on is sealed with it, and all the old ones still open. */
export function withNewKey(content: KeyRingContent, kid: string, key: Uint8Array): KeyRingContent {
  if (content.keys.some((each) => each.kid === kid)) {
    throw new ScoutsError("configuration_invalid", { data: { what: "key ring", kid } });
  }
  const keys = [...content.keys, { kid, key: Buffer.from(key).toString("base64") }];
  return keyRingContent.parse({ keys });
}

/** The newest key alone: to be kept once nothing is sealed under the others. */
export function newestOnly({ keys }: KeyRingContent): KeyRingContent {
  return { keys: keys.slice(-1) };
}

/** @param ciphertext base64 of the KMS ciphertext of {@link keyRingContent} as JSON */
export async function openKeyRing(service: KeyService, ciphertext: string, purpose: string): Promise<KeyRing> {
  const plaintext = await service.decrypt(Buffer.from(ciphertext, "base64"), { purpose });
  return parseKeyRing(new TextDecoder().decode(plaintext));
}

/** @throws configuration_invalid when the ring is not of the agreed form; what it holds is not repeated. */
export function parseKeyRing(json: string): KeyRing {
  return keyRingOf(parseKeyRingContent(json));
}

/**
 * A key ring from its parsed content: the last key is the newest, and seals what is new.
 *
 * @throws configuration_invalid when there is no key
 */
export function keyRingOf(content: KeyRingContent): KeyRing {
  const keys = content.keys.map(({ kid, key }) => ({ kid, key: new Uint8Array(Buffer.from(key, "base64")) }));
  const newest = keys.at(-1);
  if (!newest) throw new ScoutsError("configuration_invalid", { data: { what: "key ring" } });
  return { newest, find: (kid) => keys.find((each) => each.kid === kid) };
}

/** @throws configuration_invalid as {@link parseKeyRing} */
export function parseKeyRingContent(json: string): KeyRingContent {
  try {
    return keyRingContent.parse(JSON.parse(json));
  } catch {
    // The cause would quote key material.
    throw new ScoutsError("configuration_invalid", { data: { what: "key ring" } });
  }
}
