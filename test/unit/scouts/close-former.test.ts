import { beforeEach, describe, expect, test } from "vitest";
import type { ServerFrame } from "../../../events/frames/frames.ts";
import type { ItemRef } from "../../../events/ids.ts";
import type { SourceConnector } from "../../../shared/scouts/connectors/connector.ts";
import type { ItemRow } from "../../../shared/scouts/items/item-row.ts";
import { ItemStore } from "../../../shared/scouts/items/item-store.ts";
import { closeFormer } from "../../../shared/scouts/triage/close-former.ts";
import type { MemoryTable } from "../../memory/table.ts";
import { decide, inbox, item, laptop, newLedger, nowMs, ref, relevant, spam } from "./setting.ts";

let ledger: MemoryTable;
let items: ItemStore;
let told: ServerFrame[];
let logged: string[];

beforeEach(() => {
  ledger = newLedger();
  items = new ItemStore(ledger);
  [told, logged] = [[], []];
});

/** A source where `half` was what `whole` is. */
const source = { formerRefs: (of: ItemRef) => (of === "whole" ? [ref("half")] : []) } as Partial<SourceConnector>;
const closed = (rows: readonly ItemRow[]) =>
  closeFormer(
    {
      items,
      connectors: new Map([["gmail", source as SourceConnector]]),
      notices: { toEveryDevice: async (_user, frames) => void told.push(...frames) },
      clock: () => nowMs,
      log: { event: () => {}, error: (code) => void logged.push(code) },
    },
    rows,
  );
const judged = async (name: string, as = relevant) => {
  const row = await items.judge(item(name), as, nowMs);
  if (row === false) throw new Error(`${name} has its verdict`);
  return row;
};
const statusOf = async (name: string) => (await items.getMany([item(name)]))[0]?.status;

describe("what an item was before it was whole", () => {
  test("is closed on every device once the whole has its result, and said once", async () => {
    await judged("half");
    await items.delivered(item("half"), laptop, 1, nowMs);
    const whole = await judged("whole");
    for (let time = 1; time <= 2; time += 1) expect(await closed([whole])).toEqual(new Set());
    expect([await statusOf("half"), await statusOf("whole")]).toEqual(["gone", "queued"]);
    expect(told).toEqual([{ type: "scout_proposal_closed", proposalId: `${inbox}.half`, round: 1, reason: "gone" }]);
  });

  test("is closed as well when the whole is dismissed: its owner finds that among what was", async () => {
    await judged("half");
    await closed([await judged("whole", spam)]);
    expect(await statusOf("half")).toBe("gone");
  });

  test("P2: gets no verdict any more where that is still awaited, from whoever is at it", async () => {
    const whole = await judged("whole");
    await closed([whole]);
    // It was read before, and its model answers now.
    expect(await items.judge(item("half"), relevant, nowMs)).toBe(false);
    expect(await statusOf("half")).toBe("gone");
    expect(told).toEqual([]);
  });

  test("stays what it was decided as", async () => {
    await judged("half");
    await decide(ledger, item("half"));
    await closed([await judged("whole")]);
    expect([await statusOf("half"), told]).toEqual(["acked", []]);
  });

  test.each(["dead", "gone"] as const)("stays shown while the whole is %s: nothing is in its place", async (status) => {
    await judged("half");
    const whole = await items.end(item("whole"), { status, sourceType: "gmail", code: "item_unreadable" }, nowMs);
    expect(whole).toBeTruthy();
    await closed(whole ? [whole] : []);
    expect([await statusOf("half"), told]).toEqual(["queued", []]);
  });

  test("P2: that cannot be closed now has the message of the whole come again", async () => {
    await judged("half");
    const whole = await judged("whole");
    const { close } = items;
    items.close = () => Promise.reject(new Error("the store is away"));
    expect(await closed([whole])).toEqual(new Set([whole]));
    expect(logged).toEqual(["former_not_closed"]);
    items.close = close.bind(items);
    expect(await closed([whole])).toEqual(new Set());
    expect(await statusOf("half")).toBe("gone");
  });

  test("is nothing of an item that was whole from the first: nothing is written", async () => {
    await judged("half");
    items.end = () => Promise.reject(new Error("written"));
    await closed([await judged("other")]);
    expect([await statusOf("half"), logged]).toEqual(["queued", []]);
  });
});
