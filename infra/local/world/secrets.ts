import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EncryptCommand, KMSClient } from "@aws-sdk/client-kms";
import * as z from "zod";
import { replaceFile } from "../../standins/replace-file.ts";
import { region } from "../components/names.ts";
import type { KeyServiceAddress } from "../engines/kms-front.ts";
import { LocalHomeError } from "../errors.ts";

const stored = z.record(z.string(), z.string());

/** What `docs/deploy.md` has an operator do by hand with `sst secret set`, done once for this machine and kept. */
export async function localSecrets(
  worldDir: string,
  kms: KeyServiceAddress,
  modelApiKey: string,
  langfuseSecretKey: string,
): Promise<Record<string, string>> {
  const kept = readSecrets(worldDir) ?? (await make(kms));
  saveSecrets(worldDir, kept);
  return { ...kept, ModelApiKey: modelApiKey, LangfuseSecretKey: langfuseSecretKey };
}

const fileIn = (worldDir: string) => join(worldDir, "secrets.json");

async function make(kms: KeyServiceAddress): Promise<Record<string, string>> {
  return {
    AddressKey: randomKey(),
    TicketKey: randomKey(),
    GoogleClientSecret: randomBytes(18).toString("base64url"),
    VaultKeyRing: await keyRing(kms, "VaultKeyRing", "vault"),
    SessionKeyRing: await keyRing(kms, "SessionKeyRing", "session"),
  };
}

function randomKey(): string {
  return randomBytes(32).toString("base64");
}

/** A ring of one key, encrypted by the KMS key that infra/keys.ts makes for it. */
async function keyRing(kms: KeyServiceAddress, name: string, purpose: string): Promise<string> {
  const client = new KMSClient({
    endpoint: kms.url,
    region,
    credentials: { accessKeyId: kms.accessKeyId, secretAccessKey: "unused" },
  });
  try {
    const content = JSON.stringify({ keys: [{ kid: "k1", key: randomKey() }] });
    const { CiphertextBlob } = await client.send(
      new EncryptCommand({
        KeyId: `arn:aws:kms:${region}:000000000000:key/${name}Key`,
        Plaintext: new TextEncoder().encode(content),
        EncryptionContext: { purpose },
      }),
    );
    return Buffer.from(CiphertextBlob ?? []).toString("base64");
  } finally {
    client.destroy();
  }
}

/** What is kept; nothing before the first start. @throws LocalHomeError `data_unusable` */
export function readSecrets(worldDir: string): Record<string, string> | undefined {
  const path = fileIn(worldDir);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    // Not made yet; a disk that cannot be read is met when they are written.
    return undefined;
  }
  try {
    return stored.parse(JSON.parse(text));
  } catch {
    // Making new ones would orphan everything sealed under the old.
    throw new LocalHomeError("data_unusable", `${path} is damaged; restore it, or start with another data folder.`);
  }
}

/** Replaces all of them at once. */
export function saveSecrets(worldDir: string, secrets: Record<string, string>): void {
  const path = fileIn(worldDir);
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  replaceFile(path, JSON.stringify(secrets, null, 2));
}
