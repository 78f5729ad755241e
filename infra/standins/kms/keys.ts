import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { replaceFile } from "../replace-file.ts";
import { StandInError } from "../stand-in-error.ts";

const keyBytes = 32;
const keyFile = z.record(
  z.string(),
  z
    .base64()
    .transform((text) => Buffer.from(text, "base64"))
    .refine((key) => key.length === keyBytes),
);

export interface KeyStore {
  get(arn: string): Buffer | undefined;
  /** The key of that name, made when there is none. @throws what the file system says, where it cannot be kept */
  getOrCreate(arn: string): Buffer;
  /** The key whose fingerprint this is. */
  byFingerprint(fingerprint: Buffer): { arn: string; key: Buffer } | undefined;
}

/** Names a key inside a ciphertext without giving it away. */
export function fingerprintOf(arn: string): Buffer {
  return createHash("sha256").update(arn).digest().subarray(0, 16);
}

/**
 * The keys, in one file only its owner can read, replaced whole on every change so that a killed process leaves the old
 * or the new one. Throws {@link StandInError} `state_unusable`.
 */
export function openKeys(directory: string): KeyStore {
  const path = join(directory, "keys.json");
  const keys = new Map(Object.entries(readKeys(path)));

  function save(all: ReadonlyMap<string, Buffer>): void {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const plain = Object.fromEntries([...all].map(([arn, key]) => [arn, key.toString("base64")]));
    replaceFile(path, JSON.stringify(plain));
  }

  return {
    get: (arn) => keys.get(arn),
    getOrCreate: (arn) => {
      const known = keys.get(arn);
      if (known !== undefined) return known;
      const key = randomBytes(keyBytes);
      save(new Map([...keys, [arn, key]]));
      // Nothing is sealed with a key before it is kept.
      keys.set(arn, key);
      return key;
    },
    byFingerprint: (fingerprint) => {
      for (const [arn, key] of keys) if (fingerprintOf(arn).equals(fingerprint)) return { arn, key };
      return undefined;
    },
  };
}

function readKeys(path: string): Record<string, Buffer> {
  try {
    return keyFile.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw new StandInError("state_unusable", `The key file ${path} cannot be read.`, error);
  }
}
