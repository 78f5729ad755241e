/**
 * An SST secret can be decrypted by whoever reads a function's configuration and bundle, which is not good enough for
 * people's tokens. So the two key rings are stored encrypted by a KMS key each, and only functions granted
 * `kms:Decrypt` on that key can open them, once per environment.
 */
function keyRing(name: string, description: string) {
  const key = new aws.kms.Key(
    `${name}Key`,
    { description, enableKeyRotation: true, deletionWindowInDays: 30 },
    // A table that outlives the stack is unreadable without its key.
    { retainOnDelete: $app.removal !== "remove" },
  );
  const secret = new sst.Secret(name);
  return { key, secret, open: sst.aws.permission({ actions: ["kms:Decrypt"], resources: [key.arn] }) };
}

export const vaultRing = keyRing("VaultKeyRing", "Opens the key ring of refresh tokens, scout names and purposes");
export const sessionRing = keyRing("SessionKeyRing", "Opens the key ring that wraps device session keys");
