import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { KMSClient } from "@aws-sdk/client-kms";
import { ulid } from "ulidx";
import { DynamoScan } from "../../../shared/aws/dynamo-scan.ts";
import { DynamoTable } from "../../../shared/aws/dynamo-table.ts";
import { keyRingOf } from "../../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../../shared/privacy/ring-sealer.ts";
import { type ResealCounts, resealAll } from "../../../shared/scouts/reseal.ts";
import { region } from "../components/names.ts";
import { Principals } from "../engines/access.ts";
import { FrontDoor } from "../engines/door.ts";
import { Meter } from "../engines/meter.ts";
import { startTables } from "../engines/tables.ts";
import { LocalHomeError } from "../errors.ts";
import { evaluate } from "../graph.ts";
import { lockData } from "../lock.ts";
import { startKms } from "../standins/kms/start.ts";
import { Teardown } from "../teardown.ts";
import { readSecrets, saveSecrets } from "../up/secrets.ts";
import { VaultRing } from "./vault-ring.ts";

export interface Rotation extends ResealCounts {
  /** Name of the key everything is sealed under now. */
  readonly kid: string;
  /** Keys of the ring that are left. */
  readonly keys: number;
}

/** A pass that finds a text changed under its hands is followed by another; workers are seldom that busy. */
const maxPasses = 5;

/**
 * Gives the vault of a local home that does not run a new key, seals everything again under it and, once nothing is left
 * under the old keys, takes them out of the ring. The new ring is written before anything is sealed under it, so that a
 * process that is killed leaves a ring that opens everything; run again it goes on.
 *
 * @throws LocalHomeError `data_in_use`, `data_unusable`; ScoutsError
 */
export async function rotateVault(dataFolder: string, keepOld: boolean): Promise<Rotation> {
  const worldDir = join(dataFolder, "world");
  const secrets = readSecrets(worldDir);
  const before = secrets?.["VaultKeyRing"];
  if (!secrets || before === undefined) {
    throw new LocalHomeError("data_unusable", `There is no home in ${dataFolder} yet; start one with \`scouts up\`.`);
  }
  const teardown = new Teardown();
  try {
    teardown.add(lockData(worldDir));
    teardown.add(lockData(join(dataFolder, "cloud")));
    const { ring, ledger } = await openStores(dataFolder, teardown);
    const kid = `k-${ulid().toLowerCase()}`;
    let ciphertext = await ring.withNewKey(before, kid);
    saveSecrets(worldDir, { ...secrets, VaultKeyRing: ciphertext });
    const counts = await resealUntilDone(ring, ciphertext, ledger);
    if (!keepOld && counts.unreadable === 0 && counts.moved === 0) {
      ciphertext = await ring.newestOnly(ciphertext);
      saveSecrets(worldDir, { ...secrets, VaultKeyRing: ciphertext });
    }
    return { kid, keys: (await ring.open(ciphertext)).keys.length, ...counts };
  } finally {
    await teardown.run();
  }
}

/** The engines a home would start, without anything that would begin to work. */
async function openStores(dataFolder: string, teardown: Teardown): Promise<{ ring: VaultRing; ledger: Stores }> {
  const kms = await startKms({ stateDir: join(dataFolder, "world", "kms") });
  teardown.add(() => kms.close());
  const graph = await evaluate();
  const principals = new Principals();
  const { accessKeyId, secretAccessKey } = principals.create("operator", "everything");
  const door = new FrontDoor(principals, new Meter(), undefined);
  const tables = await startTables(join(dataFolder, "cloud", "dynamodb"), graph, door);
  teardown.add(() => tables.close());
  const node = graph.tables["Ledger"];
  if (!node) throw new LocalHomeError("config_invalid", "The configuration has no Ledger.");
  const credentials = { accessKeyId, secretAccessKey };
  const dynamo = new DynamoDBClient({ region, credentials, endpoint: tables.endpoint });
  const keys = new KMSClient({ region, credentials, endpoint: kms.url });
  teardown.add(() => {
    dynamo.destroy();
    keys.destroy();
  });
  const keyId = `arn:aws:kms:${region}:${graph.app.account}:key/VaultKeyRingKey`;
  return { ring: new VaultRing(keys, keyId), ledger: storesOf(node.tableName, dynamo) };
}

interface Stores {
  readonly ledger: DynamoTable;
  readonly rows: DynamoScan;
}

function storesOf(name: string, client: DynamoDBClient): Stores {
  return { ledger: new DynamoTable(name, client), rows: new DynamoScan(name, client) };
}

/**
 * Seals everything in a deployed Ledger again under the newest key of its ring. Reaches AWS as its SDK does by default.
 *
 * @param ringFile holds the secret `VaultKeyRing` as it is set: base64 of the KMS ciphertext
 */
export async function resealDeployed(tableName: string, ringFile: string): Promise<ResealCounts> {
  const [dynamo, keys] = [new DynamoDBClient(), new KMSClient()];
  try {
    const ciphertext = readFileSync(ringFile, "utf8").trim();
    return await resealUntilDone(new VaultRing(keys, ""), ciphertext, storesOf(tableName, dynamo));
  } finally {
    dynamo.destroy();
    keys.destroy();
  }
}

/** @returns what all passes did; `moved` and `unreadable` as the last one left them */
async function resealUntilDone(ring: VaultRing, ciphertext: string, stores: Stores): Promise<ResealCounts> {
  const sealer = new RingSealer(keyRingOf(await ring.open(ciphertext)));
  let resealed = 0;
  for (let pass = 1; ; pass += 1) {
    const counts = await resealAll({ ...stores, sealer });
    resealed += counts.resealed;
    const settled = counts.resealed === 0 && counts.moved === 0;
    if (settled || pass === maxPasses) return { ...counts, resealed };
  }
}
