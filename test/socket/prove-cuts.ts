import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Device } from "../../device/connection/device.ts";
import { systemPorts } from "../../device/connection/ports.ts";
import { DeviceSocket } from "../../device/connection/socket.ts";
import { type DeviceStore, openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { joinProposalId, type ProposalId, splitProposalId } from "../../events/ids.ts";
import { seededRandom } from "../../infra/standins/seeded-random.ts";
import { startCuttingProxy } from "./cutting-proxy.ts";
import { type DeliveryHome, startDeliveryHome, subjectOf } from "./home.ts";

export interface CutsOptions {
  readonly proposals: number;
  readonly cuts: number;
  readonly seed: number;
}

/** What one device has in its database when all is over. */
export interface DeviceAccount {
  readonly rows: number;
  readonly distinct: number;
  /** Proposals the person has and this device does not. */
  readonly missing: number;
  /** Rows whose subject is not the one in the mailbox. */
  readonly wrongSubject: number;
  /** Proposals told to the program more or less than once. */
  readonly notToldOnce: number;
  readonly outboxWaiting: number;
  readonly outboxRefused: number;
  /** Proposals the cloud has no ack of from this device. */
  readonly notAcked: number;
  readonly connections: number;
}

export interface CutsProof {
  readonly cuts: number;
  readonly ms: number;
  readonly devices: readonly DeviceAccount[];
  readonly websocketRequests: number;
  readonly problems: Readonly<Record<string, number>>;
}

interface Member {
  readonly folder: string;
  readonly store: DeviceStore;
  readonly device: Device;
  readonly told: Map<ProposalId, number>;
  connections: number;
}

const devices = 2;

/**
 * Two devices of a person fetch their open proposals from the local home, with content from the mailbox, while
 * connections are cut like cables at random moments, posts meet 410 and `$disconnect` gets lost.
 */
export async function proveCuts({ proposals, cuts, seed }: CutsOptions): Promise<CutsProof> {
  const calm = { crashPerCall: 0, throttlePerRequest: 0, duplicatePerBatch: 0, lostDeletePerBatch: 0 };
  const home = await startDeliveryHome({ hostile: { seed, ...calm, gonePerPost: 0.0003, lostDisconnect: 0.3 } });
  const proxy = await startCuttingProxy(home.system.home.apiUrl);
  const members: Member[] = [];
  try {
    const { owner } = home;
    const refs = home.deliver(proposals);
    await home.propose(owner, refs);
    const ids = refs.map((ref) => joinProposalId(owner.scoutId, ref));

    const random = seededRandom(seed);
    const meanBetweenCuts = (devices * proposals) / cuts;
    const between = () => Math.max(1, Math.round(meanBetweenCuts * (0.4 + random())));
    let made = 0;
    let untilCut = between();
    const stored = () => {
      untilCut -= 1;
      if (untilCut > 0 || made === cuts) return;
      untilCut = between();
      // Somewhere in what follows, not exactly when a transaction has ended.
      setTimeout(() => proxy.cut(Math.floor(random() * devices)) && made++, random() * 30);
    };
    const problems: Record<string, number> = {};
    class CutSocket extends DeviceSocket {
      constructor(url: string) {
        super(proxy.through(url));
      }
    }
    for (let number = 0; number < devices; number += 1) {
      const folder = mkdtempSync(path.join(tmpdir(), "scouts-delivery-device-"));
      const store = openDeviceStore({ ...systemTimeAndIds, dataFolder: folder });
      const backoff = { baseMs: 20, capMs: 200 };
      const device = new Device({ ...systemPorts, ...owner.api, store, random, backoff, WebSocket: CutSocket });
      const member: Member = { folder, store, device, told: new Map(), connections: 0 };
      members.push(member);
      device.events.on("ready", () => {
        member.connections += 1;
      });
      device.events.on("problem", ({ code }) => {
        problems[code] = (problems[code] ?? 0) + 1;
      });
      device.events.on("proposal", ({ id }) => {
        member.told.set(id, (member.told.get(id) ?? 0) + 1);
        stored();
      });
    }
    const startMs = performance.now();
    for (const { device } of members) device.connect();
    await Promise.all(members.map(({ device }) => device.settled()));
    // Cuts that were due at the very end are made, and survived, as well.
    while (made < cuts) {
      if (!proxy.cut(Math.floor(random() * devices))) await new Promise(setImmediate);
      else made += 1;
      await Promise.all(members.map(({ device }) => reconnected(device)));
    }
    await Promise.all(members.map(({ device }) => device.settled()));
    const ms = performance.now() - startMs;
    const counted = home.system.home.requests().operations;
    const websocketRequests = Object.entries(counted)
      .filter(([operation]) => operation.startsWith("websocket:"))
      .reduce((sum, [, count]) => sum + count, 0);
    const accounts = await Promise.all(members.map((member) => accountOf(member, ids, home)));
    return { cuts: made, ms, devices: accounts, websocketRequests, problems };
  } finally {
    for (const { device } of members) await device.close();
    await proxy.close();
    for (const { store, folder } of members) {
      store.close();
      rmSync(folder, { recursive: true, force: true });
    }
    await home.close();
  }
}

/** Resolves when a device that may just have lost its connection has one. */
function reconnected(device: Device): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => {
      if (device.state === "ready") resolve();
      else device.events.once("caughtUp", () => resolve());
    });
  });
}

/** Counts in the database itself, by a connection of its own. */
async function accountOf(
  member: Member,
  ids: readonly ProposalId[],
  { items, owner }: DeliveryHome,
): Promise<DeviceAccount> {
  const database = new DatabaseSync(member.store.path, { readOnly: true });
  const rows = database.prepare("SELECT id, raw_subject AS subject FROM scout_suggestions").all();
  database.close();
  const subjects = new Map(rows.map(({ id, subject }) => [String(id), subject]));
  const wanted = new Map(ids.map((id, number) => [String(id), subjectOf(number)]));
  const { deviceId } = member.store.identity.get();
  let acked = 0;
  for (let start = 0; start < ids.length; start += 100) {
    const some = ids.slice(start, start + 100).map((id) => ({ userId: owner.userId, ...splitProposalId(id) }));
    acked += (await items.getMany(some)).filter(({ on }) => on[deviceId] !== undefined).length;
  }
  const outbox = member.store.outbox.counts();
  return {
    rows: rows.length,
    distinct: subjects.size,
    missing: ids.filter((id) => !subjects.has(id)).length,
    wrongSubject: [...subjects].filter(([id, subject]) => wanted.get(id) !== subject).length,
    notToldOnce: ids.filter((id) => member.told.get(id) !== 1).length,
    outboxWaiting: outbox.waiting,
    outboxRefused: outbox.refused,
    notAcked: ids.length - acked,
    connections: member.connections,
  };
}
