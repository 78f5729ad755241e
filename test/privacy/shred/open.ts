import { createDecipheriv, hkdfSync } from "node:crypto";
import type { Canary } from "../scan/canary.ts";
import { NeedleSearch, needlesOf } from "../scan/needles.ts";
import type { AtRest } from "../scan/scanner.ts";
import { type SealedPart, sealedParts } from "./sealed-parts.ts";

/** 256 bits that may be a key. */
export interface FoundKey {
  readonly origin: string;
  readonly bytes: Buffer;
}

/** A canary that could be read. */
export interface Opened {
  readonly label: string;
  readonly place: string;
  readonly key: string;
}

/**
 * What AES-GCM enciphers, read with the key alone: GCM is counter mode from block 2 on (NIST SP 800-38D §7.1), and tag and
 * associated data only say whether it is genuine. So no context has to be guessed, and a wrong one hides nothing.
 */
export function decipher(key: Buffer, { iv, ciphertext }: Pick<SealedPart, "iv" | "ciphertext">): Buffer {
  const counter = Buffer.concat([iv, Buffer.of(0, 0, 0, 2)]);
  return createDecipheriv("aes-256-ctr", key, counter).update(ciphertext);
}

/** A key as it is, and what a session derives from one (shared/privacy/session-sealer.ts). */
function derived(key: Buffer): Buffer[] {
  const from = (purpose: string) =>
    Buffer.from(hkdfSync("sha256", key, new Uint8Array(), `scouts/session/${purpose}`, key.length));
  return [key, from("seal"), from("name")];
}

/** Tries every key on everything that may be sealed. */
export function openAll(
  atRest: Iterable<AtRest>,
  keys: readonly FoundKey[],
  canaries: readonly Canary[],
): readonly Opened[] {
  const search = new NeedleSearch<string>();
  for (const { label, text } of canaries) for (const { bytes } of needlesOf(text)) search.add(bytes, label);
  const opened: Opened[] = [];
  const parts = sealedParts(atRest);
  for (const { origin, bytes } of keys) {
    for (const key of derived(bytes)) {
      for (const part of parts) {
        for (const label of search.find(decipher(key, part))) opened.push({ label, place: part.place, key: origin });
      }
    }
  }
  return opened;
}
