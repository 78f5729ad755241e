import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  DecryptCommand,
  DescribeKeyCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  GenerateDataKeyWithoutPlaintextCommand,
  KMSClient,
} from "@aws-sdk/client-kms";
import { afterEach, describe, expect, it } from "vitest";
import { type KmsOptions, startKms } from "../../infra/standins/kms/start.ts";
import { cleanUp, closeLater, temporaryFolder } from "./mailbox-fixture.ts";

afterEach(cleanUp);

const KeyId = "arn:aws:kms:us-east-1:000000000000:key/vault";
const EncryptionContext = { purpose: "vault", user: "usr_1" };
const Plaintext = Buffer.from("a key ring");

async function openKms(options: Partial<KmsOptions> = {}) {
  const kms = closeLater(
    await startKms({ accessKeyId: "local", ...options, stateDir: options.stateDir ?? (await temporaryFolder()) }),
  );
  const client = new KMSClient({
    endpoint: kms.url,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    maxAttempts: 1,
  });
  return { kms, client };
}

describe("the KMS stand-in, through the AWS SDK", () => {
  it("opens what it sealed, in the same context whatever the order of its pairs", async () => {
    const { client } = await openKms();
    const { CiphertextBlob, KeyId: used } = await client.send(
      new EncryptCommand({ KeyId, Plaintext, EncryptionContext }),
    );
    expect(used).toBe(KeyId);
    expect(Buffer.from(CiphertextBlob ?? []).includes(Plaintext)).toBe(false);
    const reordered = { user: "usr_1", purpose: "vault" };
    const opened = await client.send(new DecryptCommand({ CiphertextBlob, EncryptionContext: reordered }));
    expect(Buffer.from(opened.Plaintext ?? [])).toEqual(Plaintext);
  });

  it("refuses another context, a changed bit, a cut and foreign bytes alike", async () => {
    const { client } = await openKms();
    const { CiphertextBlob = new Uint8Array() } = await client.send(
      new EncryptCommand({ KeyId, Plaintext, EncryptionContext }),
    );
    const flipped = Uint8Array.from(CiphertextBlob);
    flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
    const attempts: [Uint8Array, Record<string, string>][] = [
      [CiphertextBlob, { purpose: "vault" }],
      [CiphertextBlob, {}],
      [flipped, EncryptionContext],
      [CiphertextBlob.subarray(0, 20), EncryptionContext],
      [Buffer.from("not ours at all, but long enough to be a ciphertext blob"), EncryptionContext],
    ];
    for (const [blob, context] of attempts) {
      const call = client.send(new DecryptCommand({ CiphertextBlob: blob, EncryptionContext: context }));
      await expect(call).rejects.toMatchObject({ name: "InvalidCiphertextException" });
    }
  });

  it("makes data keys, with and without their plaintext", async () => {
    const { client } = await openKms();
    const made = await client.send(new GenerateDataKeyCommand({ KeyId, KeySpec: "AES_256", EncryptionContext }));
    expect(made.Plaintext).toHaveLength(32);
    const opened = await client.send(new DecryptCommand({ CiphertextBlob: made.CiphertextBlob, EncryptionContext }));
    expect(opened.Plaintext).toEqual(made.Plaintext);
    const sealed = await client.send(new GenerateDataKeyWithoutPlaintextCommand({ KeyId, KeySpec: "AES_256" }));
    expect(sealed).not.toHaveProperty("Plaintext");
  });

  it("names unknown keys, wrong keys and forbidden calls as AWS does", async () => {
    const { kms, client } = await openKms({
      allow: (operation, arn) => !(operation === "Decrypt" && arn.endsWith("/other")),
    });
    await expect(client.send(new DescribeKeyCommand({ KeyId }))).rejects.toMatchObject({ name: "NotFoundException" });
    const mine = await client.send(new EncryptCommand({ KeyId, Plaintext }));
    expect((await client.send(new DescribeKeyCommand({ KeyId }))).KeyMetadata?.Arn).toBe(KeyId);
    const other = `${KeyId.slice(0, -5)}other`;
    const theirs = await client.send(new EncryptCommand({ KeyId: other, Plaintext }));
    await expect(
      client.send(new DecryptCommand({ KeyId: other, CiphertextBlob: mine.CiphertextBlob })),
    ).rejects.toMatchObject({ name: "IncorrectKeyException" });
    await expect(client.send(new DecryptCommand({ CiphertextBlob: theirs.CiphertextBlob }))).rejects.toMatchObject({
      name: "AccessDeniedException",
    });
    expect(kms.requests("Decrypt")).toBe(2);
  });

  it("keeps its keys across restarts in a file only the owner can read, and says when it is damaged", async () => {
    const stateDir = await temporaryFolder();
    const first = await openKms({ stateDir });
    const { CiphertextBlob } = await first.client.send(new EncryptCommand({ KeyId, Plaintext }));
    await first.kms.close();
    const second = await openKms({ stateDir });
    const opened = await second.client.send(new DecryptCommand({ CiphertextBlob }));
    expect(Buffer.from(opened.Plaintext ?? [])).toEqual(Plaintext);
    const path = join(stateDir, "keys.json");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await writeFile(path, (await readFile(path, "utf8")).slice(0, 20));
    await expect(openKms({ stateDir })).rejects.toMatchObject({ code: "state_unusable" });
    // Whole JSON, and a key of which a part is missing: nothing could be sealed or opened with it.
    await writeFile(join(stateDir, "keys.json"), JSON.stringify({ [KeyId]: Buffer.alloc(31).toString("base64") }));
    await expect(openKms({ stateDir })).rejects.toMatchObject({ code: "state_unusable" });
  });

  it("P2: makes a key when it can be kept again, where it could not be before, and no other is lost meanwhile", async () => {
    const stateDir = await temporaryFolder();
    const { client } = await openKms({ stateDir });
    const seal = (key: string) => client.send(new EncryptCommand({ KeyId: key, Plaintext, EncryptionContext }));
    await seal("first");
    const keyFile = join(stateDir, "keys.json");
    const kept = await readFile(keyFile);
    await rm(keyFile);
    await mkdir(keyFile);
    await expect(seal("second")).rejects.toThrow();
    // What was not kept is not in the way of what will be, on a full disk least of all.
    expect(await readdir(stateDir)).toEqual(["keys.json"]);
    await seal("first");
    await rm(keyFile, { recursive: true });
    await writeFile(keyFile, kept);
    const sealed = await Promise.all([seal("second"), seal("third"), seal("second")]);
    const { client: restarted } = await openKms({ stateDir });
    for (const { CiphertextBlob } of sealed) {
      const opened = await restarted.send(new DecryptCommand({ CiphertextBlob, EncryptionContext }));
      expect(Buffer.from(opened.Plaintext ?? [])).toEqual(Plaintext);
    }
  });
});
