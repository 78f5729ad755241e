import { beforeEach, expect, test } from "vitest";
import { type ScoutId, scoutId } from "../../../events/ids.ts";
import type { SyncMessage, TriageMessage } from "../../../events/queues.ts";
import { syncBatch } from "../../../functions/worker/sync-batch.ts";
import type { SourceConnector } from "../../../shared/scouts/connectors/connector.ts";
import { seen } from "../../../shared/scouts/connectors/metadata.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import { closedBreaker } from "../../memory/breaker.ts";
import { newId } from "../../memory/chance.ts";
import { noLog } from "../../memory/log.ts";
import { MemoryQueue } from "../../memory/queue.ts";
import type { MemoryTable } from "../../memory/table.ts";
import { ada, newLedger, nowMs } from "./setting.ts";

const names = ["A", "B", "C", "D", "E"].map((end) => scoutId.parse(`sct_01KE5Q8600ESE4NYY1EVXDNQE${end}`));
const plentyMs = () => 100_000;

let ledger: MemoryTable;
let scouts: ScoutStore;
let triage: MemoryQueue<TriageMessage>;
let sync: MemoryQueue<SyncMessage>;

beforeEach(async () => {
  ledger = newLedger();
  scouts = new ScoutStore(ledger);
  triage = new MemoryQueue({ visibilityMs: 1, maxReceives: 5 }, () => nowMs);
  sync = new MemoryQueue({ visibilityMs: 1, maxReceives: 5, fifo: true }, () => nowMs);
  for (const id of names) {
    const row = { userId: ada, scoutId: id, sourceType: "feed", sealed: "x", createdAt: 1, maintainedAt: nowMs };
    await scouts.create({ ...row, revision: 0, cursor: "before" });
  }
});

/** What a delivery of a message for each scout comes to, when one of their sources takes the worker with it. */
async function deliver(receiveCount: number, poison?: ScoutId): Promise<void> {
  const death = Promise.withResolvers<undefined>();
  let isDead = false;
  const never = new Promise<never>(() => {});
  const source: SourceConnector = {
    sourceType: "feed",
    pollOnly: true,
    listNew: async (scout) => {
      if (scout.scoutId === poison) {
        isDead = true;
        death.resolve(undefined);
      }
      // What others do side by side does not come to its end.
      await Promise.resolve();
      return isDead ? never : { refs: [], cursor: "after" };
    },
    fetchMetadata: () => never,
    fetchContent: () => never,
    sees: async () => seen("somewhere"),
    currentCursor: async () => "",
    setupWatch: async () => undefined,
    stopWatch: async () => {},
  };
  const ports = {
    ...{ ledger, triage, sync, newId, breaker: closedBreaker, log: noLog },
    connectors: new Map([["feed", source]]),
    notices: { toEveryDevice: async () => {} },
    clock: () => nowMs,
    random: () => 0.5,
  };
  const batch = names.map((id) => ({
    body: { v: 1, userId: ada, scoutId: id, cause: "poll" } as const,
    receiveCount,
  }));
  await Promise.race([syncBatch(ports, batch, plentyMs), death.promise]);
}

const looked = async () => {
  const rows = await scouts.list(ada);
  return new Map(rows.map((row) => [row.scoutId, row.cursor]));
};

test.each(names)(
  "P2: a scout whose look takes its worker with it (%s) keeps none that came in the same batch, and its owner sees it",
  async (poison) => {
    for (let receive = 1; receive <= 3; receive += 1) await deliver(receive, poison);
    expect(await looked()).toEqual(new Map(names.map((id) => [id, id === poison ? "before" : "after"])));
    for (const row of await scouts.list(ada)) {
      expect(row.failureCode).toBe(row.scoutId === poison ? "interrupted" : undefined);
    }
    // Once it is mended nothing is left of it.
    await deliver(4);
    expect(await scouts.get(ada, poison)).toMatchObject({ cursor: "after" });
    expect((await scouts.get(ada, poison)).failureCode).toBeUndefined();
  },
);
