import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { fingerprintOf } from "./keys.ts";

export type EncryptionContext = Readonly<Record<string, string>>;

const version = Buffer.from([1]);
const fingerprintBytes = 16;
const ivBytes = 12;
const tagBytes = 16;
const headBytes = version.length + fingerprintBytes + ivBytes;

/** version ‖ key fingerprint ‖ IV ‖ AES-256-GCM ciphertext ‖ tag; version, fingerprint and context are authenticated. */
export function encrypt(arn: string, key: Buffer, plaintext: Uint8Array, context: EncryptionContext): Buffer {
  const head = Buffer.concat([version, fingerprintOf(arn), randomBytes(ivBytes)]);
  const cipher = createCipheriv("aes-256-gcm", key, head.subarray(-ivBytes));
  cipher.setAAD(associated(head, context));
  return Buffer.concat([head, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** The fingerprint of the key a ciphertext was made with; undefined when it is not one of ours. */
export function keyFingerprint(ciphertext: Buffer): Buffer | undefined {
  if (ciphertext.length < headBytes + tagBytes || ciphertext[0] !== version[0]) return undefined;
  return ciphertext.subarray(version.length, version.length + fingerprintBytes);
}

/** The plaintext, or undefined when key, context or a single bit is another. */
export function decrypt(key: Buffer, ciphertext: Buffer, context: EncryptionContext): Buffer | undefined {
  const head = ciphertext.subarray(0, headBytes);
  const decipher = createDecipheriv("aes-256-gcm", key, head.subarray(-ivBytes), { authTagLength: tagBytes });
  decipher.setAAD(associated(head, context));
  decipher.setAuthTag(ciphertext.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(ciphertext.subarray(headBytes, -tagBytes)), decipher.final()]);
  } catch {
    // Another key or context, or damaged: it opens nothing.
    return undefined;
  }
}

/** Pairs are bound in the order of their names: KMS compares an encryption context as a set. */
function associated(head: Buffer, context: EncryptionContext): Buffer {
  const pairs = Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1));
  return Buffer.concat([head.subarray(0, -ivBytes), Buffer.from(JSON.stringify(pairs))]);
}
