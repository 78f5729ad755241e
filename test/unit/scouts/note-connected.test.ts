import { beforeEach, expect, test } from "vitest";
import { ledgerKey } from "../../../shared/keys.ts";
import { changeOf } from "../../../shared/ports/row-change.ts";
import type { StoredScout } from "../../../shared/scouts/scout-row.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import type { MemoryTable } from "../../memory/table.ts";
import { ada, inbox, newLedger, nowMs } from "./setting.ts";

let ledger: MemoryTable;
let scouts: ScoutStore;
const connection = { address: "a", cursor: "c9", dueAtMs: nowMs, nowMs };

beforeEach(async () => {
  ledger = newLedger();
  scouts = new ScoutStore(ledger);
  const of = { userId: ada, scoutId: inbox, sourceType: "feed", failures: 0 };
  await scouts.create({ ...of, sealed: "x", createdAt: 1, revision: 0 });
  await scouts.connected(await scouts.get(ada, inbox), { ...connection, cursor: "c0" });
});

/** A look at the source ends, which moves the row on. */
async function lookEnds(cursor: string): Promise<void> {
  const row = await scouts.get(ada, inbox);
  expect(await scouts.commitPosition(row, { cursor }, { dueAtMs: nowMs, nowMs })).toBe(true);
}

test("a scout is connected on what a look that ends meanwhile has left: its place is kept", async () => {
  const row = await scouts.get(ada, inbox);
  await scouts.disable(ada, inbox, "reauth", nowMs);
  await lookEnds("c1");
  await scouts.noteConnected(row, connection);
  const after = await scouts.get(ada, inbox);
  expect(after).toMatchObject({ cursor: "c1", address: "a" });
  expect(after.disabledCode).toBeUndefined();
});

test("one that is being deleted meanwhile is not connected", async () => {
  const row = await scouts.get(ada, inbox);
  await ledger.update(ledgerKey.scout(ada, inbox), changeOf<StoredScout>({ set: { deleting: true } }), {
    exists: ["pk"],
  });
  await expect(scouts.noteConnected(row, connection)).rejects.toMatchObject({ code: "scout_deleting" });
});

test("and one whose row will not stand still is refused, not tried for ever", async () => {
  const row = await scouts.get(ada, inbox);
  const restless = new ScoutStore(ledger);
  let asked = 0;
  restless.connected = async () => {
    asked += 1;
    return false;
  };
  await expect(restless.noteConnected(row, connection)).rejects.toMatchObject({ code: "conflict" });
  expect(asked).toBe(5);
});
