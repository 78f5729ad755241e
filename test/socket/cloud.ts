import { ScoutsError } from "../../events/errors.ts";
import { type ServerFrame, serverFrame } from "../../events/frames/frames.ts";
import type { DeviceId, ItemRef, UserId } from "../../events/ids.ts";
import { AccountStore } from "../../shared/billing/account-store.ts";
import { ConnectionStore } from "../../shared/devices/connection-store.ts";
import { Delivery, type DeliveryPorts } from "../../shared/devices/delivery.ts";
import { FrameLimit, frameRate } from "../../shared/devices/frame-limit.ts";
import type { DevicePorts } from "../../shared/devices/frames/device-ports.ts";
import { SessionStore } from "../../shared/devices/session-store.ts";
import type { Connections } from "../../shared/ports/connections.ts";
import type { Log } from "../../shared/ports/log.ts";
import type { Table } from "../../shared/ports/table.ts";
import { parseKeyRing } from "../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../shared/privacy/ring-sealer.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { RateLimit } from "../../shared/requests/rate-limit.ts";
import type { ItemMetadata, ScoutAtSource, SourceConnector } from "../../shared/scouts/connectors/connector.ts";
import { itemMetadata } from "../../shared/scouts/connectors/metadata.ts";
import { CategorizeLeases } from "../../shared/scouts/items/categorize-leases.ts";
import { ItemStore } from "../../shared/scouts/items/item-store.ts";
import { RoundStore } from "../../shared/scouts/items/round-store.ts";
import { scoutHealth } from "../../shared/scouts/lifecycle/health.ts";
import { SourceQuota } from "../../shared/scouts/quota/source-quota.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { chance, newId } from "../memory/chance.ts";
import { MemoryQueue } from "../memory/queue.ts";
import { MemoryTable } from "../memory/table.ts";
import { nowMs } from "../unit/scouts/setting.ts";

const ring = parseKeyRing(JSON.stringify({ keys: [{ kid: "k", key: Buffer.alloc(32, 9).toString("base64") }] }));

/** Work with content is another suite's. */
const nobody = { answer: () => Promise.reject(new ScoutsError("unknown_frame")) };

export interface From {
  readonly userId: UserId;
  readonly deviceId: DeviceId;
  readonly connectionId: string;
}

export interface Around {
  table?(table: Table): Table;
  sockets?: Connections;
  log?: Log;
}

/** A table that counts what it is asked, by operation. */
class CountedTable extends MemoryTable {
  readonly requests: Record<string, number> = {};

  #count(operation: string): void {
    this.requests[operation] = (this.requests[operation] ?? 0) + 1;
  }

  override get(...words: Parameters<MemoryTable["get"]>) {
    this.#count("get");
    return super.get(...words);
  }
  override getMany(...words: Parameters<MemoryTable["getMany"]>) {
    this.#count("getMany");
    return super.getMany(...words);
  }
  override put(...words: Parameters<MemoryTable["put"]>) {
    this.#count("put");
    return super.put(...words);
  }
  override update(...words: Parameters<MemoryTable["update"]>) {
    this.#count("update");
    return super.update(...words);
  }
  override delete(...words: Parameters<MemoryTable["delete"]>) {
    this.#count("delete");
    return super.delete(...words);
  }
  override query(...words: Parameters<MemoryTable["query"]>) {
    this.#count("query");
    return super.query(...words);
  }
}

/**
 * What the frame handler works on, in memory: tables, a source that answers by user and ref, sockets that keep what they
 * were given until a test says that they are gone.
 */
export class MemoryCloud {
  nowMs = nowMs;
  readonly ledger = new CountedTable({ recent: ["status"] });
  readonly sessions = new CountedTable();
  readonly items: ItemStore;
  readonly connections: ConnectionStore;
  readonly posted: { to: string; frame: ServerFrame }[] = [];
  readonly gone = new Set<string>();
  readonly closed: string[] = [];
  readonly ports: DevicePorts;
  readonly delivery: Delivery;

  /**
   * @param random decides which frames are charged: none, unless a test says so
   * @param around what the domain gets in place of a table and of the sockets, for tests that stand in between
   */
  constructor(random: () => number = () => 1, around: Around = {}) {
    const clock = () => this.nowMs;
    const ledger = around.table?.(this.ledger) ?? this.ledger;
    const sessions = around.table?.(this.sessions) ?? this.sessions;
    this.items = new ItemStore(ledger);
    this.connections = new ConnectionStore(sessions);
    const base: DeliveryPorts = {
      items: this.items,
      scouts: new ScoutStore(ledger),
      quota: new SourceQuota(ledger, clock, () => 0.5),
      connections: this.connections,
      connectors: new Map([["gmail", source]]),
      clock,
      log: around.log ?? { event: () => {}, error: () => {} },
      sockets: around.sockets ?? {
        post: async (to, frame) => {
          if (this.gone.has(to)) return "gone";
          this.posted.push({ to, frame: serverFrame.parse(JSON.parse(JSON.stringify(frame))) });
          return "sent";
        },
        close: async (connectionId) => {
          this.closed.push(connectionId);
          this.gone.add(connectionId);
        },
      },
    };
    this.delivery = new Delivery(base);
    this.ports = {
      ...base,
      delivery: this.delivery,
      sessions: new SessionStore(sessions, async () => new RingSealer(ring), chance),
      folders: nobody,
      newId,
      runs: nobody,
      accounts: new AccountStore(ledger),
      limit: new FrameLimit(new RateLimit(sessions, clock, frameRate), random),
      rounds: new RoundStore(ledger),
      leases: new CategorizeLeases(ledger),
      health: (row) => scoutHealth({ ledger, connectors: base.connectors, clock }, row),
      sync: new MemoryQueue({ visibilityMs: 1, maxReceives: 5, fifo: true }, clock),
    };
  }

  /** Requests to both tables so far. */
  requests(): number {
    const counts = [...Object.values(this.ledger.requests), ...Object.values(this.sessions.requests)];
    return counts.reduce((sum, count) => sum + count, 0);
  }
}

/** An item whose every text says whose it is, so that content that reaches somebody else is seen. */
export function itemOf(ref: string, userId: UserId): ItemMetadata {
  const text = (what: string) => `${what} of ${ref} of ${userId}`;
  return itemMetadata({
    subject: text("subject"),
    sender: { name: text("sender"), address: text("address") },
    snippet: text("snippet"),
    receivedAtMs: nowMs,
    present: true,
    relation: "unknown",
    automatic: false,
    attachments: [{ name: text("file"), sizeBytes: 1 }],
    listId: text("list"),
    sourceLink: `https://example.org/${userId}`,
  });
}

const source = {
  sourceType: "gmail",
  async fetchMetadata({ userId }: ScoutAtSource, ref: ItemRef) {
    return itemOf(ref, userId);
  },
  async fetchContent(scout: ScoutAtSource, ref: ItemRef) {
    return { ...(await source.fetchMetadata(scout, ref)), text: new Transient(`text of ${ref} of ${scout.userId}`) };
  },
} as unknown as SourceConnector;
