import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { KMSClient } from "@aws-sdk/client-kms";
import { cloudFolderOf } from "../../infra/local/cloud-folder.ts";
import { region } from "../../infra/local/components/names.ts";
import { Principals } from "../../infra/local/engines/access.ts";
import { LocalHomeError, noHomeYet } from "../../infra/local/errors.ts";
import { evaluate } from "../../infra/local/graph.ts";
import { lockData } from "../../infra/local/lock.ts";
import { Teardown } from "../../infra/local/teardown.ts";
import { startKeyService } from "../../infra/local/world/key-service.ts";
import { readSecrets, saveSecrets } from "../../infra/local/world/secrets.ts";
import { answeredInTime } from "../../shared/aws/answered-in-time.ts";
import { DynamoScan } from "../../shared/aws/dynamo-scan.ts";
import { DynamoTable } from "../../shared/aws/dynamo-table.ts";
import { systemRetries } from "../../shared/ports/clock.ts";
import { keyRingOf } from "../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../shared/privacy/ring-sealer.ts";
import { type ResealCounts, resealAll } from "../../shared/scouts/lifecycle/reseal.ts";
import { EncryptedRing } from "./encrypted-ring.ts";
import { startLedger } from "./stopped-ledger.ts";

export interface RingKeys {
  /** Name of the key everything is sealed under from now on. */
  readonly kid: string;
  /** Keys of the ring that are left. */
  readonly keys: number;
}
export interface Rotation extends ResealCounts, RingKeys {}

/** A pass that finds a text changed under its hands is followed by another; workers are seldom that busy. */
const maxPasses = 5;

/**
 * Gives the vault of a local home that does not run a new key, seals everything again under it and, once nothing is left
 * under the old keys, takes them out of the ring. The new ring is written before anything is sealed under it, so that a
 * process that is killed leaves a ring that opens everything; run again it goes on.
 *
 * @throws LocalHomeError `data_in_use`, `data_unusable`; ScoutsError
 */
export async function rotateVault(dataFolder: string, keepOld: boolean, newId: () => string): Promise<Rotation> {
  return inStoppedHome(dataFolder, async (home) => {
    const ring = home.ring("vault", "VaultKeyRingKey");
    const added = await withKeyAdded(home, ring, "VaultKeyRing", newId());
    const counts = await resealUntilDone(ring, added.ciphertext, await home.openLedger());
    if (keepOld || counts.unreadable > 0 || counts.moved > 0) return { ...added.left, ...counts };
    return { ...(await oldKeysRemoved(home, ring, "VaultKeyRing", added.ciphertext)), ...counts };
  });
}

/**
 * Gives the ring that wraps session keys a new key, in a local home that does not run. Without the old ones every
 * session has ended: devices get a new one when they say hello, and what was sealed in an old one opens nothing.
 *
 * @throws LocalHomeError `data_in_use`, `data_unusable`; ScoutsError
 */
export async function rotateSessions(dataFolder: string, keepOld: boolean, newId: () => string): Promise<RingKeys> {
  return inStoppedHome(dataFolder, async (home) => {
    const ring = home.ring("session", "SessionKeyRingKey");
    const added = await withKeyAdded(home, ring, "SessionKeyRing", newId());
    return keepOld ? added.left : oldKeysRemoved(home, ring, "SessionKeyRing", added.ciphertext);
  });
}

type RingName = "VaultKeyRing" | "SessionKeyRing";

async function withKeyAdded(home: StoppedHome, ring: EncryptedRing, name: RingName, id: string) {
  const kid = `k-${id.toLowerCase()}`;
  const ciphertext = await ring.withNewKey(home.secret(name), kid);
  home.save(name, ciphertext);
  return { ciphertext, left: { kid, keys: (await ring.open(ciphertext)).keys.length } };
}

async function oldKeysRemoved(home: StoppedHome, ring: EncryptedRing, name: RingName, before: string) {
  const ciphertext = await ring.newestOnly(before);
  home.save(name, ciphertext);
  const { keys } = await ring.open(ciphertext);
  return { kid: keys.at(-1)?.kid ?? "", keys: keys.length };
}

interface StoppedHome {
  secret(name: RingName): string;
  save(name: RingName, value: string): void;
  ring(purpose: "vault" | "session", keyName: string): EncryptedRing;
  openLedger(): Promise<Stores>;
}

/** The secrets and engines of a home, without anything that would begin to work; nobody else may open them meanwhile. */
async function inStoppedHome<T>(dataFolder: string, work: (home: StoppedHome) => Promise<T>): Promise<T> {
  const worldDir = join(dataFolder, "world");
  let secrets = readSecrets(worldDir);
  if (!secrets) {
    throw noHomeYet(dataFolder);
  }
  const teardown = new Teardown();
  try {
    teardown.add(lockData(worldDir, "scouts ops keys rotate"));
    teardown.add(lockData(cloudFolderOf(dataFolder), "scouts ops keys rotate"));
    const kms = await startKeyService(worldDir);
    teardown.add(() => kms.close());
    const graph = await evaluate();
    const principals = new Principals();
    const { accessKeyId, secretAccessKey } = principals.create("operator", "everything");
    const credentials = { accessKeyId, secretAccessKey };
    const keys = new KMSClient({
      region,
      credentials: { accessKeyId: kms.accessKeyId, secretAccessKey },
      endpoint: kms.url,
    });
    teardown.add(() => keys.destroy());
    return await work({
      secret(name) {
        const value = secrets?.[name];
        if (value === undefined) throw new LocalHomeError("data_unusable", `The home in ${dataFolder} has no ${name}.`);
        return value;
      },
      save(name, value) {
        secrets = { ...secrets, [name]: value };
        saveSecrets(worldDir, secrets);
      },
      ring: (purpose, keyName) =>
        new EncryptedRing(keys, purpose, `arn:aws:kms:${region}:${graph.app.account}:key/${keyName}`),
      async openLedger() {
        const { name, client } = await startLedger(dataFolder, graph, { principals, credentials }, teardown);
        return storesOf(name, client);
      },
    });
  } finally {
    await teardown.run();
  }
}

interface Stores {
  readonly ledger: DynamoTable;
  readonly rows: DynamoScan;
}

function storesOf(name: string, client: DynamoDBClient): Stores {
  return { ledger: new DynamoTable(name, systemRetries, client), rows: new DynamoScan(name, client) };
}

/**
 * Seals everything in a deployed Ledger again under the newest key of its ring. Reaches AWS as its SDK does by default.
 *
 * @param ring the secret `VaultKeyRing` as it is set: base64 of the KMS ciphertext
 */
export async function resealDeployed(tableName: string, ring: string): Promise<ResealCounts> {
  const waits = answeredInTime();
  const [dynamo, keys] = [new DynamoDBClient(waits), new KMSClient(waits)];
  try {
    return await resealUntilDone(new EncryptedRing(keys, "vault", ""), ring.trim(), storesOf(tableName, dynamo));
  } finally {
    dynamo.destroy();
    keys.destroy();
  }
}

/** @returns what all passes did; `moved` and `unreadable` as the last one left them */
async function resealUntilDone(ring: EncryptedRing, ciphertext: string, stores: Stores): Promise<ResealCounts> {
  const sealer = new RingSealer(keyRingOf(await ring.open(ciphertext)));
  let resealed = 0;
  for (let pass = 1; ; pass += 1) {
    const counts = await resealAll({ ...stores, sealer });
    resealed += counts.resealed;
    const settled = counts.resealed === 0 && counts.moved === 0;
    if (settled || pass === maxPasses) return { ...counts, resealed };
  }
}
