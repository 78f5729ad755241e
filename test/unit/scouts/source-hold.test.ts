import { expect, test } from "vitest";
import { ScoutsError } from "../../../events/errors.ts";
import { scoutId } from "../../../events/ids.ts";
import { ledgerKey } from "../../../shared/keys.ts";
import { holdingSource, refuseSecondScout } from "../../../shared/scouts/lifecycle/source-hold.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import { MemoryTable } from "../../memory/table.ts";
import { ada, inbox, nowMs } from "./setting.ts";

const of = { userId: ada, scoutId: inbox };
const other = scoutId.parse("sct_01KE5Q8600ESE4NYY1EVXDNQEF");

class WithoutDeletes extends MemoryTable {
  override async delete(): Promise<boolean> {
    throw new ScoutsError("storage_throttled");
  }
}

test("a scout that was made is told as made, though the hold on its source cannot be let go", async () => {
  const ledger = new WithoutDeletes();
  const ports = { ledger, scouts: new ScoutStore(ledger), clock: () => nowMs };
  expect(await holdingSource(ports, of, "box", async () => "made")).toBe("made");
  const unreached = holdingSource(ports, of, "box", async () => {
    throw new ScoutsError("source_unavailable");
  });
  await expect(unreached).rejects.toMatchObject({ code: "source_unavailable" });
});

test("a hold that an add left that died is told as that, with how long it lasts, and then the source is free", async () => {
  const ledger = new WithoutDeletes();
  let now = nowMs;
  const ports = { ledger, scouts: new ScoutStore(ledger), clock: () => now };
  await holdingSource(ports, of, "box", async () => "died before its scout was made");
  const second = { userId: ada, scoutId: other };
  now += 20_000;
  await expect(holdingSource(ports, second, "box", async () => "made")).rejects.toMatchObject({
    code: "source_in_use",
    data: { scoutId: inbox, retryAfterMs: 40_000 },
  });
  now += 40_000;
  expect(await holdingSource(ports, second, "box", async () => "made")).toBe("made");
});

test("a damaged scout keeps no other source from being added, and its own from being added twice", async () => {
  const ledger = new MemoryTable();
  await ledger.put({ ...ledgerKey.scout(ada, other), address: "elsewhere", revision: "none" });
  const scouts = new ScoutStore(ledger);
  await expect(refuseSecondScout(scouts, of, "box")).resolves.toBeUndefined();
  await expect(refuseSecondScout(scouts, of, "elsewhere")).rejects.toMatchObject({
    code: "source_in_use",
    data: { scoutId: other },
  });
});

test("of two scouts on a source it is the one that stays, not the one that is being removed, which keeps it", async () => {
  const ledger = new MemoryTable();
  const leaving = scoutId.parse("sct_01KE5Q8600ESE4NYY1EVXDNQEA");
  const scouts = new ScoutStore(ledger);
  const row = { userId: ada, sourceType: "feed", sealed: "x", createdAt: 1, revision: 0, address: "box" };
  await scouts.create({ ...row, scoutId: leaving, deleting: true });
  const second = { userId: ada, scoutId: scoutId.parse("sct_01KE5Q8600ESE4NYY1EVXDNQEG") };
  await expect(refuseSecondScout(scouts, second, "box")).rejects.toMatchObject({
    code: "scout_deleting",
    data: { scoutId: leaving },
  });
  await scouts.create({ ...row, scoutId: other });
  await expect(refuseSecondScout(scouts, second, "box")).rejects.toMatchObject({
    code: "source_in_use",
    data: { scoutId: other },
  });
});
