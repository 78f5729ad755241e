import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { KMSClient } from "@aws-sdk/client-kms";
import * as z from "zod";
import { EncryptedRing } from "../../../cli/ops/encrypted-ring.ts";
import { region } from "../../../infra/local/components/names.ts";
import type { KeyServiceAddress } from "../../../infra/local/engines/kms-front.ts";
import type { AtRest } from "../scan/scanner.ts";
import { decipher, type FoundKey } from "./open.ts";
import { sealedParts } from "./sealed-parts.ts";

const keyBytes = 32;
/** A key in base64, which is how one is wrapped (shared/devices/session-store.ts). */
const wrappedBytes = 44;
const secretsFile = z.looseObject({ VaultKeyRing: z.string(), SessionKeyRing: z.string() });

/**
 * Every key that is left to whoever may do anything: what the key rings hold, opened by KMS; the deployment's secrets, read
 * in every way; every text at rest as long as a key; and every key that one of those unwraps.
 */
export async function keysLeft(
  dataFolder: string,
  kms: KeyServiceAddress,
  atRest: readonly AtRest[],
): Promise<readonly FoundKey[]> {
  const secrets = secretsFile.parse(JSON.parse(readFileSync(join(dataFolder, "world", "secrets.json"), "utf8")));
  const found = new Map<string, FoundKey>();
  const add = (origin: string, bytes: Buffer) => {
    if (bytes.length === keyBytes && !found.has(bytes.toString("hex")))
      found.set(bytes.toString("hex"), { origin, bytes });
  };
  for (const { origin, bytes } of await ringKeys(kms, secrets)) add(origin, bytes);
  for (const [name, value] of Object.entries(secrets)) {
    const secret = String(value);
    for (const encoding of ["base64", "hex", "utf8"] as const) add(`secret ${name}`, Buffer.from(secret, encoding));
    add(`digest of ${name}`, createHash("sha256").update(secret).digest());
  }
  for (const { place, data } of atRest) {
    const text = Buffer.from(data).toString("latin1");
    for (const [run] of text.matchAll(/(?<![\w+/-])[\w+/-]{43}(?![\w+/-])/g)) add(place, Buffer.from(run, "base64"));
    for (const [run] of text.matchAll(/(?<!\w)[0-9a-fA-F]{64}(?!\w)/g)) add(place, Buffer.from(run, "hex"));
  }
  const parts = sealedParts(atRest).filter(({ ciphertext }) => ciphertext.length === wrappedBytes);
  for (const { origin, bytes } of [...found.values()]) {
    for (const part of parts) {
      const text = decipher(bytes, part).toString("latin1");
      if (/^[A-Za-z0-9+/]{43}=$/.test(text)) add(`${part.place}, unwrapped by ${origin}`, Buffer.from(text, "base64"));
    }
  }
  return [...found.values()];
}

async function ringKeys(kms: KeyServiceAddress, secrets: z.infer<typeof secretsFile>): Promise<FoundKey[]> {
  const credentials = { accessKeyId: kms.accessKeyId, secretAccessKey: "unused" };
  const client = new KMSClient({ region, credentials, endpoint: kms.url });
  const rings = [
    ["vault", secrets.VaultKeyRing],
    ["session", secrets.SessionKeyRing],
  ] as const;
  try {
    const opened = await Promise.all(
      rings.map(async ([purpose, ciphertext]) => {
        const { keys } = await new EncryptedRing(client, purpose, "unused").open(ciphertext);
        return keys.map(({ kid, key }) => ({ origin: `${purpose} ring, ${kid}`, bytes: Buffer.from(key, "base64") }));
      }),
    );
    return opened.flat();
  } finally {
    client.destroy();
  }
}
