import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { statSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { DeviceError } from "../errors.ts";
import { readPrivateFile, removePrivateFile, writePrivateFile } from "../private-file.ts";
import { waitForFileLock } from "../store/held-locks.ts";
import type { KeyPair } from "./sealed-box.ts";

/**
 * What a data folder is encrypted by: the public half as it is, the private one under the passphrase. `isDone` is false while what
 * was kept before is still being sealed (or, where `isEnding`, opened again).
 */
const keyFile = z.strictObject({
  version: z.literal(1),
  publicKey: z.string(),
  kdf: z.strictObject({ name: z.literal("scrypt"), cost: z.int(), salt: z.string() }),
  nonce: z.string(),
  /** The private half and its tag (AES-256-GCM), base64url. */
  wrapped: z.string(),
  isEnding: z.boolean(),
  isDone: z.boolean(),
});
export type KeyFile = z.infer<typeof keyFile>;

/** 128 MB and some 0.4 s a guess (OWASP's password storage cheat sheet: N=2^17, r=8, p=1). */
const cost = 2 ** 17;
const maxmem = 256 * 1024 * 1024;
const cipher = "aes-256-gcm";
const tagBytes = 16;

const fileIn = (dataFolder: string) => path.join(dataFolder, "device", "passphrase.json");

/** Undefined when nothing is encrypted. @throws DeviceError `passphrase_unreadable` */
export const readKeyFile = (dataFolder: string): KeyFile | undefined =>
  readPrivateFile(fileIn(dataFolder), keyFile, (cause) => {
    throw new DeviceError("passphrase_unreadable", { cause });
  });

/** Changes whenever the file may have. */
export function keyFileVersion(dataFolder: string): string {
  const found = statSync(fileIn(dataFolder), { throwIfNoEntry: false });
  return found === undefined ? "" : `${found.ino} ${found.size} ${found.mtimeMs}`;
}

/** On the disk before this returns: what is sealed by it comes after. */
export const writeKeyFile = (dataFolder: string, value: KeyFile): void => writePrivateFile(fileIn(dataFolder), value);

/** Nothing may be sealed by its key any more: it could never be read again. Nothing happens when there is none. */
export const removeKeyFile = (dataFolder: string): void => removePrivateFile(fileIn(dataFolder));

/** Whoever changes it needs tenths of a second, most of them for the passphrase. */
const changeWaitMs = 30_000;

/**
 * Has the key file as it is now for `work` alone, which may replace or remove it: of two programs that change it at once the one would
 * take back what the other has said is done, and a key that something is sealed by already could be gone.
 *
 * @throws DeviceError `store_busy`, `passphrase_unreadable`, `store_full`
 */
export async function aloneWithKeyFile<T>(dataFolder: string, work: (now: KeyFile | undefined) => T): Promise<T> {
  const release = await waitForFileLock(`${fileIn(dataFolder)}.lock`, changeWaitMs);
  if (release === undefined) {
    throw new DeviceError("store_busy", { sentence: "Another program is changing the passphrase; try again." });
  }
  try {
    return work(readKeyFile(dataFolder));
  } finally {
    release();
  }
}

/** The private half under a passphrase. */
export function wrappedKey(pair: KeyPair, passphrase: string): Pick<KeyFile, "kdf" | "nonce" | "wrapped"> {
  const salt = randomBytes(16).toString("base64url");
  const kdf = { name: "scrypt", cost, salt } as const;
  const nonce = randomBytes(12);
  const wrapping = createCipheriv(cipher, wrappingKey(kdf, passphrase), nonce);
  wrapping.setAAD(Buffer.from(pair.publicKey));
  const wrapped = Buffer.concat([
    wrapping.update(Buffer.from(pair.privateKey, "base64url")),
    wrapping.final(),
    wrapping.getAuthTag(),
  ]);
  return { kdf, nonce: nonce.toString("base64url"), wrapped: wrapped.toString("base64url") };
}

/** @throws DeviceError `passphrase_wrong` */
export function unwrappedKey({ publicKey, kdf, nonce, wrapped }: KeyFile, passphrase: string): KeyPair {
  const bytes = Buffer.from(wrapped, "base64url");
  const opening = createDecipheriv(cipher, wrappingKey(kdf, passphrase), Buffer.from(nonce, "base64url"), {
    authTagLength: tagBytes,
  });
  opening.setAAD(Buffer.from(publicKey));
  opening.setAuthTag(bytes.subarray(-tagBytes));
  try {
    const privateKey = Buffer.concat([opening.update(bytes.subarray(0, -tagBytes)), opening.final()]);
    return { publicKey, privateKey: privateKey.toString("base64url") };
  } catch {
    // No cause: node says only that it cannot be authenticated.
    throw new DeviceError("passphrase_wrong");
  }
}

/** The same characters, however a keyboard gives them (NFKC). */
function wrappingKey({ cost: N, salt }: KeyFile["kdf"], passphrase: string): Buffer {
  return scryptSync(passphrase.normalize("NFKC"), Buffer.from(salt, "base64url"), 32, { N, r: 8, p: 1, maxmem });
}
