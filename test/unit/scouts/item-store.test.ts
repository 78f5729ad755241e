import { beforeEach, describe, expect, test } from "vitest";
import { ledgerKey } from "../../../shared/keys.ts";
import { openAtOf } from "../../../shared/scouts/items/item-row.ts";
import { ItemStore } from "../../../shared/scouts/items/item-store.ts";
import type { MemoryTable } from "../../memory/table.ts";
import { ada, bob, decide, inbox, item, laptop, newLedger, nowMs, phone, relevant, spam } from "./setting.ts";

let ledger: MemoryTable;
let items: ItemStore;

beforeEach(() => {
  ledger = newLedger();
  items = new ItemStore(ledger);
});

const one = item("m1");
const shown = { ...one, openAt: openAtOf(nowMs, inbox, "m1") };
const why = { sourceType: "gmail", dueAtMs: nowMs + 1, nowMs } as const;
const failed = { ...why, status: "failed", code: "internal", attempts: 1 } as const;
const deferred = { ...failed, status: "deferred", code: "source_rate_limited", attempts: 0 } as const;

/** Each state by the writes that lead there. */
const states: Record<string, () => Promise<unknown>> = {
  failed: () => items.postpone(one, failed),
  deferred: () => items.postpone(one, deferred),
  queued: () => items.judge(one, relevant, nowMs),
  spam: () => items.judge(one, spam, nowMs),
  delivered: async () => {
    await items.judge(one, relevant, nowMs);
    await items.delivered(one, laptop, 1, nowMs);
  },
  acked: async () => {
    await items.judge(one, relevant, nowMs);
    await decide(ledger, one);
  },
  expired: async () => {
    await states["delivered"]?.();
    await items.close(shown, "expired", nowMs);
  },
  gone: () => items.end(one, { status: "gone", sourceType: "gmail", code: "item_gone" }, nowMs),
  "gone once judged": async () => {
    await states["delivered"]?.();
    await items.close(shown, "gone", nowMs);
  },
  dead: () => items.end(one, { status: "dead", sourceType: "gmail", code: "model_refused" }, nowMs),
};

const decidedNow = async () => {
  const { how } = await decide(ledger, one);
  return how === "done";
};

/** Every way to leave a state, and the states it may leave ("absent": the row does not exist yet). */
const waiting = ["absent", "failed", "deferred", "gone"];
const open = ["queued", "delivered"];
const moves: Record<string, { from: readonly string[]; to: string; move: () => Promise<unknown> }> = {
  judged: { from: waiting, to: "queued", move: () => items.judge(one, relevant, nowMs + 1) },
  postponed: { from: waiting, to: "deferred", move: () => items.postpone(one, deferred) },
  "set aside": {
    from: waiting,
    to: "dead",
    move: () => items.end(one, { status: "dead", sourceType: "gmail", code: "internal" }, nowMs),
  },
  "stored on a device": { from: open, to: "delivered", move: () => items.delivered(one, laptop, 1, nowMs) },
  decided: { from: [...open, "expired", "gone", "gone once judged", "spam"], to: "acked", move: () => decidedNow() },
  expired: { from: open, to: "expired", move: () => items.close(shown, "expired", nowMs) },
  "gone at its source": { from: open, to: "gone", move: () => items.close(shown, "gone", nowMs) },
};

const table = Object.entries(moves).flatMap(([name, { from, to }]) =>
  ["absent", ...Object.keys(states)].map(
    (state) => [state, name, from.includes(state) ? to : state.split(" ")[0]] as const,
  ),
);

describe("P2: a write names the states it may leave; in any other it changes nothing", () => {
  test.each(table)("%s, then %s: %s", async (state, name, expected) => {
    await states[state]?.();
    const before = ledger.peek(keyOfOne());
    const answer = await moves[name]?.move();
    const after = ledger.peek(keyOfOne());
    expect(after?.["status"] ?? "absent").toBe(expected);
    if (!moves[name]?.from.includes(state)) {
      expect(answer).toBe(false);
      expect(after).toEqual(before);
    }
  });
});

describe("P2: two workers on one item", () => {
  test("one verdict stands, and only its tokens count", async () => {
    const answers = await Promise.all([items.judge(one, relevant, nowMs), items.judge(one, spam, nowMs)]);
    expect(answers.filter(Boolean)).toHaveLength(1);
    const [row] = await items.getMany([one]);
    expect(row).toMatchObject({ status: "queued", inputTokens: 100, outputTokens: 10 });
  });

  test("a useless answer's tokens count once, with the write that ends the item", async () => {
    const how = { status: "dead", sourceType: "gmail", code: "model_answer_invalid" } as const;
    const tokens = { inputTokens: 70, outputTokens: 7 };
    await items.end(one, how, nowMs, tokens);
    await items.end(one, how, nowMs, tokens);
    expect((await items.getMany([one]))[0]).toMatchObject({ inputTokens: 70, outputTokens: 7 });
  });
});

describe("indexes are entered and left with the state", () => {
  const due = async () => [...(await ledger.dump())].filter((row) => row["dueShard"] !== undefined).length;
  const recent = async () => (await items.openAfter(ada, {}, 50)).rows.map(({ ref }) => ref);

  test("a waiting item is due, a judged one is not, a relevant one is among the recent until it is decided", async () => {
    await items.postpone(one, failed);
    expect(await due()).toBe(1);
    await items.judge(one, relevant, nowMs);
    expect(await due()).toBe(0);
    expect(await recent()).toEqual(["m1"]);
    await items.delivered(one, laptop, 1, nowMs);
    expect(await recent()).toEqual(["m1"]);
    await decide(ledger, one);
    expect(await recent()).toEqual([]);
  });

  test("spam is never among a person's open proposals", async () => {
    await items.judge(one, spam, nowMs);
    expect(await recent()).toEqual([]);
  });
});

describe("reading a person's open proposals", () => {
  test("oldest first, page by page, nobody else's, each once", async () => {
    for (let n = 9; n > 0; n -= 1) await items.judge(item(`m${n}`), relevant, nowMs + n);
    await items.judge(item("theirs", bob), relevant, nowMs);
    const seen: string[] = [];
    for (let after: string | undefined; ; ) {
      const { rows, last } = await items.openAfter(ada, after === undefined ? {} : { after }, 4);
      seen.push(...rows.map(({ ref }) => ref));
      if (last === undefined) break;
      after = last;
    }
    expect(seen).toEqual(["m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9"]);
  });

  test("a cursor means after: the item it names is not given again", async () => {
    await items.judge(item("m1"), relevant, nowMs);
    await items.judge(item("m2"), relevant, nowMs);
    const { rows } = await items.openAfter(ada, { after: openAtOf(nowMs, inbox, "m1") }, 50);
    expect(rows.map(({ ref }) => ref)).toEqual(["m2"]);
  });

  test("which devices have stored it is kept by device", async () => {
    await items.judge(one, relevant, nowMs);
    await items.delivered(one, laptop, 1, nowMs + 1);
    await items.delivered(one, phone, 1, nowMs + 2);
    const [row] = await items.getMany([one]);
    expect(row?.on).toEqual({ [laptop]: nowMs + 1, [phone]: nowMs + 2 });
  });
});

function keyOfOne() {
  return ledgerKey.item(ada, inbox, one.ref);
}
