import { createHash } from "node:crypto";
import type { AtRest } from "../scan/scanner.ts";

/** Something that may be a ciphertext of AES-GCM. */
export interface SealedPart {
  readonly place: string;
  readonly iv: Buffer;
  readonly ciphertext: Buffer;
}

const ivBytes = 12;
const tagBytes = 16;

/** IV first, or after a version; the tag last. */
function layouts(bytes: Buffer): Omit<SealedPart, "place">[] {
  return [1, 0].flatMap((head) => {
    const start = head + ivBytes;
    if (bytes.length <= start + tagBytes) return [];
    return { iv: bytes.subarray(head, start), ciphertext: bytes.subarray(start, -tagBytes) };
  });
}

/** A whole file of an engine is no sealed text; what it holds comes by itself, and its bytes are looked through for texts. */
const engineFile = /^(?:fauxqs\.db|dynamodb\/)[^:]*$/;
const jwe = /[\w-]*\.[\w-]*\.([\w-]{16})\.([\w-]+)\.[\w-]{22}|[\w-]+\.([\w-]{16})\.([\w-]+)\.[\w-]{22}/g;

/**
 * Everything in what is at rest that could be sealed, each once: the bytes as a whole, every text in them that may be
 * base64, every JWE (RFC 7516, with or without a place for an encrypted key).
 */
export function sealedParts(everything: Iterable<AtRest>): SealedPart[] {
  const parts = new Map<string, SealedPart>();
  const add = (place: string, found: Iterable<Omit<SealedPart, "place">>) => {
    for (const { iv, ciphertext } of found) {
      parts.set(createHash("sha256").update(iv).update(ciphertext).digest("base64"), { place, iv, ciphertext });
    }
  };
  for (const { place, data } of everything) {
    const bytes = Buffer.from(data);
    const text = bytes.toString("latin1");
    if (!engineFile.test(place)) add(place, layouts(bytes));
    for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{40,}/g)) add(place, layouts(Buffer.from(run, "base64")));
    for (const [, iv, ciphertext, iv4, ciphertext4] of text.matchAll(jwe)) {
      const [nonce, sealed] = [iv ?? iv4, ciphertext ?? ciphertext4].map((part) => Buffer.from(part ?? "", "base64"));
      if (nonce && sealed) add(place, [{ iv: nonce, ciphertext: sealed }]);
    }
  }
  return [...parts.values()];
}
