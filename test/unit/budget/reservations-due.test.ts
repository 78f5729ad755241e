import { beforeEach, describe, expect, test } from "vitest";
import { ScoutsError } from "../../../events/errors.ts";
import { TokenBudget } from "../../../shared/billing/token-budget.ts";
import { reservationLifeMs } from "../../../shared/billing/usage-row.ts";
import { userIdOf } from "../../../shared/privacy/opaque.ts";
import { settleReservations } from "../../../shared/scouts/triage/settle-reservations.ts";
import { newId } from "../../memory/chance.ts";
import { noLog } from "../../memory/log.ts";
import type { MemoryTable } from "../../memory/table.ts";
import { ada, newLedger } from "../scouts/setting.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const noCaps = { total: undefined, within: new Map() };

let nowMs: number;
let ledger: MemoryTable;
let budget: TokenBudget;
/** What operations' rows say by now. */
let results: Map<string, { total: number; reservation: string }>;

beforeEach(() => {
  nowMs = Date.UTC(2026, 4, 10, 10, 20);
  ledger = newLedger();
  budget = new TokenBudget(ledger, "triage", () => nowMs, newId);
  results = new Map();
});

const reserve = (op: string, user = ada) => budget.reserve(user, [{ op, within: "s", tokens: 3000, base: 0 }], noCaps);

/** The hourly timer's run. */
const settle = (table = ledger) =>
  settleReservations({ ledger: table, clock: () => nowMs, newId, log: noLog }, [
    {
      feature: "triage",
      prefix: "",
      resultsOf: async (_, ops) => new Map([...results].filter(([op]) => ops.includes(op))),
    },
  ]);

const usage = (user = ada) => budget.read(user, "2026-05");

describe("P2: reservations of workers that died are ended", () => {
  test("within two hours, however often their person reserves meanwhile; a result that is written is counted", async () => {
    const { granted } = await reserve("died");
    results.set("died", { total: 390, reservation: granted[0]?.id ?? "" });
    const untilMs = nowMs + 2 * hourMs;
    for (let minute = 1; nowMs < untilMs; minute += 1) {
      nowMs += minuteMs;
      const { month, granted: own } = await reserve(`m${minute}`);
      await budget.settle(
        ada,
        month,
        own.map((each) => ({ request: each })),
      );
      if (minute % 60 === 10) await settle();
    }
    expect(await usage()).toMatchObject({ committed: 390, used: 390, open: new Map() });
  });

  test("those that were made shortly before a run are ended by the next", async () => {
    await reserve("died");
    nowMs = Date.UTC(2026, 4, 10, 10, 59);
    await reserve("died later");
    nowMs = Date.UTC(2026, 4, 10, 11);
    await settle();
    expect([...(await usage()).open.keys()]).toEqual(["died later"]);
    nowMs += hourMs;
    await settle();
    expect((await usage()).open).toEqual(new Map());
    expect((await usage()).dueAt).toBeUndefined();
  });

  test("one that is made while a run looks on stays in sight", async () => {
    await reserve("died");
    nowMs += hourMs;
    const update = ledger.update.bind(ledger);
    let others = 1;
    ledger.update = async (key, change, when) => {
      const clears = change.remove?.some((path) => path[0] === "dueAt") ?? false;
      if (clears && others-- > 0) await reserve("meanwhile");
      return update(key, change, when);
    };
    await settle();
    nowMs += hourMs + reservationLifeMs;
    await settle();
    expect((await usage()).open).toEqual(new Map());
  });

  test("people of a page are looked at side by side: who reads slowly holds up no other", async () => {
    const others = Array.from({ length: 40 }, (_, at) => userIdOf("https://issuer.example/", `person ${at}`));
    for (const user of others) await reserve("died", user);
    nowMs += hourMs;
    const get = ledger.get.bind(ledger);
    let [reading, most] = [0, 0];
    ledger.get = async (key) => {
      reading += 1;
      most = Math.max(most, reading);
      await Promise.resolve();
      reading -= 1;
      return get(key);
    };
    expect(await settle()).toBe(40);
    expect(most).toBeGreaterThan(1);
  });

  test("whatever keeps one person's from being ended keeps no other's, and is not hidden", async () => {
    const others = Array.from({ length: 40 }, (_, at) => userIdOf("https://issuer.example/", `person ${at}`));
    for (const user of others) await reserve("died", user);
    nowMs += hourMs;
    const get = ledger.get.bind(ledger);
    let kept: string | undefined;
    ledger.get = async (key) => {
      kept ??= key.pk;
      if (key.pk === kept) throw new ScoutsError("storage_throttled");
      return get(key);
    };
    await expect(settle()).rejects.toMatchObject({ code: "storage_throttled" });
    ledger.get = get;
    const open = await Promise.all(others.map(async (user) => (await usage(user)).open.size));
    expect(open.filter((count) => count > 0)).toEqual([1]);
  });
});
