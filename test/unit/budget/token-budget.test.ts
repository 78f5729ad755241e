import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { UserId } from "../../../events/ids.ts";
import { monthOf, nextMonthMs } from "../../../shared/billing/month.ts";
import type { ReservationRequest, Reserved } from "../../../shared/billing/reservation.ts";
import { TokenBudget } from "../../../shared/billing/token-budget.ts";
import { parseUsageRow } from "../../../shared/billing/usage-row.ts";
import { ledgerKey } from "../../../shared/keys.ts";
import type { Table } from "../../../shared/ports/table.ts";
import { newId } from "../../memory/chance.ts";
import { MemoryTable } from "../../memory/table.ts";

const user = "usr_00000000000000000000000000" as UserId;
const startMs = Date.UTC(2026, 4, 10);
const hourMs = 3_600_000;

interface Result {
  total: number;
  reservation: string;
}

/** A table each of whose answers comes when the scheduler says. */
function interleaved(table: MemoryTable, scheduler: fc.Scheduler, check: () => void): Table {
  const later =
    <A extends unknown[], R>(name: string, call: (...asked: A) => Promise<R>) =>
    async (...asked: A): Promise<R> => {
      await scheduler.schedule(Promise.resolve(), name);
      const answer = await call(...asked);
      check();
      return answer;
    };
  return {
    get: later("get", (key) => table.get(key)),
    getMany: later("getMany", (keys) => table.getMany(keys)),
    put: later("put", (item, when) => table.put(item, when)),
    update: later("update", (key, change, when) => table.update(key, change, when)),
    delete: later("delete", (key, when) => table.delete(key, when)),
    query: later("query", (query) => table.query(query)),
  };
}

const request = (item: number, tokens: number): ReservationRequest => ({
  op: `i${item}`,
  within: `s${item % 2}`,
  tokens,
  base: 0,
});

/** One delivery of a message: which item, what the model takes, and where the worker dies. */
const delivery = fc.record({
  item: fc.nat(4),
  took: fc.integer({ min: 0, max: 100 }),
  dies: fc.constantFrom("never", "never", "never", "reserved", "judged", "fails", "waits"),
});

describe("token budget: reserve before, settle after", () => {
  it("never exceeds the cap, and counts every result once under duplicates, crashes and interleaving", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(delivery, { minLength: 1, maxLength: 14 }),
        fc.integer({ min: 50, max: 500 }),
        fc.scheduler(),
        async (deliveries, cap, scheduler) => {
          let nowMs = startMs;
          const table = new MemoryTable();
          const broken: string[] = [];
          const check = () => {
            const row = parseUsageRow(table.peek(ledgerKey.usage(user, monthOf(startMs), "triage")));
            const open = [...row.open.values()].reduce((sum, { tokens }) => sum + tokens, 0);
            if (row.committed > cap) broken.push(`${row.committed} of ${cap}`);
            if (row.committed !== row.used + open) broken.push(`${row.committed} is not ${row.used} + ${open}`);
          };
          const budget = new TokenBudget(interleaved(table, scheduler, check), "triage", () => nowMs, newId);
          const results = new Map<string, Result>();
          const caps = { total: cap, within: new Map([["s0", Math.floor(cap / 2)]]) };

          const work = async ({ item, took, dies }: (typeof deliveries)[number]) => {
            const asked = request(item, 100);
            if (results.has(asked.op)) return;
            const { month, granted } = await budget.reserve(user, [asked], caps);
            const mine = granted[0];
            if (!mine || dies === "reserved" || dies === "fails") return;
            if (dies === "waits") return budget.settle(user, month, [{ request: mine }]);
            await scheduler.schedule(Promise.resolve(), "model");
            // The conditional write of the verdict: one worker an item gets through.
            if (results.has(asked.op)) return;
            results.set(asked.op, { total: took, reservation: mine.id });
            if (dies === "judged") return;
            await budget.settle(user, month, [{ request: mine, result: { total: took, reservation: mine.id } }]);
          };
          await scheduler.waitFor(Promise.all(deliveries.map(work)));
          expect(broken).toEqual([]);

          nowMs += hourMs;
          await scheduler.waitFor(
            budget.settleFromResults(
              user,
              monthOf(startMs),
              (_, { expiresAt }) => expiresAt <= nowMs,
              async (ops) => new Map(ops.flatMap((op) => (results.has(op) ? [[op, results.get(op) as Result]] : []))),
            ),
          );
          const row = await scheduler.waitFor(budget.read(user, monthOf(startMs)));
          const owed = [...results.values()].reduce((sum, { total }) => sum + total, 0);
          expect(row.used).toBe(owed);
          expect(row.committed).toBe(row.used);
          expect(row.open.size).toBe(0);
        },
      ),
      { numRuns: 300 },
    );
  });

  describe("who reserved by a row that was written since counts nothing twice", () => {
    const caps = { total: undefined, within: new Map<string, number>() };
    /** A has counted 390 of the row; B, who had read none of it, has reserved and left that open; C looks again. */
    const lookedAtAgain = async () => {
      const budget = new TokenBudget(new MemoryTable(), "triage", () => startMs, newId);
      const a = await budget.reserve(user, [request(1, 1000)], caps);
      const [first] = a.granted;
      if (!first) throw new Error("not granted");
      await budget.settle(user, a.month, [{ request: first, result: { total: 390, reservation: first.id } }]);
      const b = await budget.reserve(user, [request(1, 1000)], caps);
      const c = await budget.reserve(user, [{ ...request(1, 1000), base: 390, writtenUnder: first.id }], caps);
      const [left, last] = [b.granted[0], c.granted[0]];
      if (!left || !last) throw new Error("not granted");
      return { budget, month: a.month, left, last };
    };

    it("when whoever looks again writes the result", async () => {
      const { budget, month, last } = await lookedAtAgain();
      await budget.settle(user, month, [{ request: last, result: { total: 400, reservation: last.id } }]);
      expect(await budget.read(user, month)).toMatchObject({ used: 400, committed: 400 });
    });

    it("when it is counted by whoever had reserved", async () => {
      const { budget, month, left } = await lookedAtAgain();
      await budget.settle(user, month, [{ request: left, result: { total: 400, reservation: left.id } }]);
      expect(await budget.read(user, month)).toMatchObject({ used: 400, committed: 400 });
    });

    it("and what was written under the reservation itself is counted when another joins", async () => {
      const { budget, month, last } = await lookedAtAgain();
      const again = { ...request(1, 1000), base: 400, writtenUnder: last.id };
      const [joined] = (await budget.reserve(user, [again], caps)).granted;
      if (!joined) throw new Error("not granted");
      await budget.settle(user, month, [{ request: joined, result: { total: 425, reservation: joined.id } }]);
      expect(await budget.read(user, month)).toMatchObject({ used: 425, committed: 425 });
    });
  });

  it("a batch is one write to reserve and one to settle", async () => {
    const table = new MemoryTable();
    let calls = 0;
    const counting = new Proxy(table, {
      get: (target, name) => {
        const value = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return (...asked: unknown[]) => {
          calls += 1;
          return Reflect.apply(value, target, asked);
        };
      },
    });
    const budget = new TokenBudget(counting, "triage", () => startMs, newId);
    const requests = [1, 2, 3, 4, 5].map((item) => request(item, 10));
    const { month, granted } = await budget.reserve(user, requests, { total: 1000, within: new Map() });
    await budget.settle(
      user,
      month,
      granted.map((each) => ({ request: each, result: { total: 4, reservation: each.id } })),
    );
    expect(calls).toBe(2);
    expect(await budget.read(user, month)).toMatchObject({ used: 20, committed: 20 });
  });

  it("what does not fit waits for the next month, what others hold only for a moment", async () => {
    const budget = new TokenBudget(new MemoryTable(), "triage", () => startMs, newId);
    const caps = { total: 250, within: new Map<string, number>() };
    const first = await budget.reserve(
      user,
      [1, 2, 3].map((item) => request(item, 100)),
      caps,
    );
    expect(first.granted.map(({ op }) => op)).toEqual(["i1", "i2"]);
    expect(first.refused).toMatchObject([{ request: { op: "i3" }, untilMs: startMs + 30_000 }]);
    await budget.settle(
      user,
      first.month,
      first.granted.map((each) => ({ request: each, result: { total: 90, reservation: each.id } })),
    );
    const second: Reserved = await budget.reserve(user, [request(3, 100)], caps);
    expect(second.refused).toMatchObject([{ untilMs: nextMonthMs(startMs) }]);
    expect(nextMonthMs(startMs)).toBe(Date.UTC(2026, 5, 1));
  });

  it("ends what many workers that died have left, beyond what one write may say", async () => {
    const table = new MemoryTable();
    const budget = new TokenBudget(table, "triage", () => startMs, newId);
    const left = Array.from({ length: 205 }, (_, item) => request(item, 10));
    for (let start = 0; start < left.length; start += 10) {
      await budget.reserve(user, left.slice(start, start + 10), { total: undefined, within: new Map() });
    }
    const { open } = await budget.read(user, monthOf(startMs));
    const judged = new Map([["i204", { total: 4, reservation: open.get("i204")?.id ?? "" }]]);
    const ended = await budget.settleFromResults(
      user,
      monthOf(startMs),
      () => true,
      async () => judged,
    );
    expect(ended).toBe(205);
    expect(await budget.read(user, monthOf(startMs))).toMatchObject({ used: 4, committed: 4, open: new Map() });
  });

  it("settles in the month the tokens were set aside in", async () => {
    let nowMs = Date.UTC(2026, 11, 31, 23, 59, 59);
    const budget = new TokenBudget(new MemoryTable(), "agents", () => nowMs, newId);
    const { month, granted } = await budget.reserve(user, [request(1, 50)], { total: undefined, within: new Map() });
    nowMs += 5_000;
    await budget.settle(
      user,
      month,
      granted.map((each) => ({ request: each, result: { total: 7, reservation: each.id } })),
    );
    expect(month).toBe("2026-12");
    expect((await budget.read(user, "2026-12")).used).toBe(7);
    expect((await budget.read(user, "2027-01")).used).toBe(0);
    expect(nextMonthMs(nowMs)).toBe(Date.UTC(2027, 1, 1));
  });

  it("a scout's own cap holds beside the person's", async () => {
    const budget = new TokenBudget(new MemoryTable(), "triage", () => startMs, newId);
    const caps = { total: 10_000, within: new Map([["s1", 100]]) };
    const { granted, refused } = await budget.reserve(user, [request(1, 80), request(2, 80), request(3, 80)], caps);
    expect(granted.map(({ op }) => op)).toEqual(["i1", "i2"]);
    expect(refused.map(({ request: { op } }) => op)).toEqual(["i3"]);
  });
});
