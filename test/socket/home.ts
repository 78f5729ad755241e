import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { ensureScout, followConsent } from "../../cli/up/account.ts";
import { drain } from "../../cli/up/drain.ts";
import { type LocalSystem, startSystem } from "../../cli/up/system.ts";
import { askCloud, type CloudApi } from "../../device/connect/cloud-api.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { scoutResponse } from "../../events/http/scouts.ts";
import { deviceId, type ItemRef, itemRef, type ScoutId, type UserId } from "../../events/ids.ts";
import type { HomeOptions } from "../../infra/local/home.ts";
import { DynamoScan } from "../../shared/aws/dynamo-scan.ts";
import { DynamoTable } from "../../shared/aws/dynamo-table.ts";
import { systemRetries } from "../../shared/ports/clock.ts";
import type { Item } from "../../shared/ports/table.ts";
import { userIdOf } from "../../shared/privacy/opaque.ts";
import { ItemStore } from "../../shared/scouts/items/item-store.ts";
import { relevant } from "../unit/scouts/setting.ts";

/** A person with a connected scout that is at rest, so that the only proposals are those a test writes. */
export interface Person {
  readonly userId: UserId;
  readonly scoutId: ScoutId;
  readonly api: CloudApi;
}

/** The whole local home with nothing going on in it but what a test of delivery does. */
export interface DeliveryHome {
  readonly system: LocalSystem;
  readonly dataFolder: string;
  readonly items: ItemStore;
  readonly ledger: DynamoTable;
  readonly sessions: DynamoTable;
  readonly owner: Person;
  /** Somebody else with a scout on the same mailbox. */
  person(subject: string): Promise<Person>;
  /** Puts messages into the mailbox. */
  deliver(count: number, textBytes?: number): ItemRef[];
  /** Every row that a frame may change but for those that say who is connected, and how much has been asked. */
  rows(): Promise<readonly Item[]>;
  /** Writes the verdict "relevant" for messages, as triage does. */
  propose(to: Person, refs: readonly ItemRef[], atMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** Writes to the table side by side. */
const atOnce = 40;

export const subjectOf = (number: number) => `Message no. ${number}`;

function message(number: number, textBytes = 0): Uint8Array {
  const lines = [
    `From: Somebody <somebody${number}@mail.example>`,
    "To: you@example.com",
    `Subject: ${subjectOf(number)}`,
    `Message-ID: <${number}@mail.example>`,
    "",
    `This is message ${number}.`,
    ...Array.from({ length: Math.ceil(textBytes / 72) }, () => "x".repeat(70)),
    "",
  ];
  return Buffer.from(lines.join("\r\n"));
}

export async function startDeliveryHome(
  home: Pick<HomeOptions, "hostile" | "onLog" | "poolSize"> = {},
): Promise<DeliveryHome> {
  const folder = mkdtempSync(path.join(tmpdir(), "scouts-delivery-"));
  const mailboxPath = path.join(folder, "mail");
  mkdirSync(mailboxPath);
  writeFileSync(path.join(mailboxPath, "first.eml"), message(-1));
  const dataFolder = path.join(folder, "data");
  const { signal } = new AbortController();
  const system = await startSystem({
    ...systemTimeAndIds,
    dataFolder,
    mailboxPath,
    environment: {},
    signal,
    // A timer that comes due in the middle of a test would change rows that the test holds still.
    home: { ...home, timers: false },
  });
  const { region, credentials, endpoints } = system.home.operator;
  const client = new DynamoDBClient({ region, credentials, endpoint: endpoints.dynamodb });
  const nameOf = (table: string) => system.home.graph.tables[table]?.tableName ?? table;
  const tableCalled = (name: string) => new DynamoTable(nameOf(name), systemRetries, client);
  const allOf = async (name: string) => {
    const scan = new DynamoScan(nameOf(name), client);
    const found: Item[] = [];
    let page = await scan.scan();
    for (; page.next; page = await scan.scan(page.next)) found.push(...page.items);
    return [...found, ...page.items];
  };
  const ledger = tableCalled("Ledger");
  const items = new ItemStore(ledger);
  let serial = 0;

  const rest = async (subject: string, api: CloudApi, scoutId: ScoutId): Promise<Person> => {
    await askCloud(api, "PATCH", `/api/v1/scouts/${scoutId}`, scoutResponse, { paused: true });
    // The run that connecting began may still be looking.
    await system.world.push.whenIdle();
    await system.home.whenIdle();
    // A scout at rest has its watch given up by the next poll.
    await system.home.runCron("Poll");
    await system.home.whenIdle();
    return { userId: userIdOf(system.world.issuer.url, subject), scoutId, api };
  };
  await drain(system, signal);
  await system.device.close();
  const owner = await rest("owner", system.api, system.scoutId);
  // Whatever the first message was taken for, it is no proposal of a test.
  for (const row of (await items.openAfter(owner.userId, {}, 50)).rows) await items.close(row, "gone", Date.now());
  return {
    system,
    dataFolder,
    items,
    ledger,
    sessions: tableCalled("Sessions"),
    owner,
    async person(subject) {
      const api = { apiUrl: system.home.apiUrl, auth: () => system.world.issuer.token(subject) };
      const anyDevice = deviceId.parse("dev_01KE5Q8600ESE4NYY1EVXDNQEB");
      const first = { read: () => undefined, write: () => {}, isAnother: () => false };
      const consent = followConsent(system.world.ownerSecret);
      return rest(subject, api, (await ensureScout(api, anyDevice, consent, signal, first)).scoutId);
    },
    deliver(count, textBytes) {
      const { mailbox } = system.world;
      return Array.from({ length: count }, () => itemRef.parse(mailbox.deliver(message(serial++, textBytes))));
    },
    async propose({ userId, scoutId }, refs, atMs) {
      for (let start = 0; start < refs.length; start += atOnce) {
        const some = refs.slice(start, start + atOnce);
        const nowMs = atMs ?? Date.now();
        await Promise.all(some.map((ref) => items.judge({ userId, scoutId, ref }, relevant, nowMs)));
      }
    },
    async rows() {
      const all = [...(await allOf("Ledger")), ...(await allOf("Sessions"))];
      return all.filter(({ pk, sk }) => !pk.startsWith("TICKET#") && !/^(CONN|SESSION|ENDED|RATE)#/.test(sk));
    },
    async close() {
      client.destroy();
      await system.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
