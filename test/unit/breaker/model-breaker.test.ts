import { beforeEach, describe, expect, test } from "vitest";
import type { ErrorCode } from "../../../events/error-kinds.ts";
import { parseBreakerRow } from "../../../shared/breaker/breaker-row.ts";
import { BreakerView } from "../../../shared/breaker/breaker-view.ts";
import { requeuesAllowed } from "../../../shared/breaker/drain-rate.ts";
import { ModelBreaker } from "../../../shared/breaker/model-breaker.ts";
import { ledgerKey } from "../../../shared/keys.ts";
import type { ModelProbeResult } from "../../../shared/llm/model-probe.ts";
import type { Table } from "../../../shared/ports/table.ts";
import { MemoryTable } from "../../memory/table.ts";

const minuteMs = 60_000;
const beganMs = Date.UTC(2026, 2, 7, 18);
const plentyMs = 30_000;

let ledger: MemoryTable;
let nowMs: number;
let probed: number;
let answer: () => ModelProbeResult | Promise<ModelProbeResult>;
let events: string[];
let ids: number;

beforeEach(() => {
  [ledger, nowMs, probed, events, ids] = [new MemoryTable(), beganMs, 0, [], 0];
  answer = () => ({ ok: true });
});

const refused = (code: ErrorCode) => (): ModelProbeResult => ({ ok: false, code });

/** An environment of its own: what it knows, no other knows. */
function environment(table: Table = ledger, setting = "one"): ModelBreaker {
  return new ModelBreaker({
    ledger: table,
    clock: () => nowMs,
    random: () => 0.5,
    newId: () => {
      ids += 1;
      return `p${ids}`;
    },
    setting,
    log: { event: (code) => void events.push(code), error: (code) => void events.push(code) },
    probe: {
      probe: async () => {
        probed += 1;
        return answer();
      },
    },
  });
}

const row = async () => parseBreakerRow(await ledger.get(ledgerKey.breaker()));
const blame = (code: ErrorCode, of = environment(), remainingMs = plentyMs) => of.blame(code, nowMs - 10, remainingMs);

describe("P2: who is to blame for a failed request", () => {
  test("the item, when the probe is answered: one mail never closes the door to everybody", async () => {
    for (let n = 0; n < 20; n += 1) {
      expect(await blame("model_forbidden")).toEqual({ whose: "item" });
      nowMs += minuteMs;
    }
    expect(await environment().current()).toBeUndefined();
    expect(events).not.toContain("model_breaker_opened");
  });

  test.each<ErrorCode>([
    "model_forbidden",
    "model_unknown",
    "model_request_refused",
    "model_quota_spent",
    "model_unreachable",
    "model_not_an_api",
  ])("the model, at once, when the probe is told %s", async (code) => {
    answer = refused(code);
    const open = { code, sinceMs: nowMs };
    expect(await blame("model_timeout")).toEqual({ whose: "model", open });
    expect(await environment().current()).toEqual(open);
    expect(events).toContain("model_breaker_opened");
  });

  test.each<ErrorCode>(["model_rate_limited", "model_unavailable", "model_timeout"])(
    "nobody yet, when the probe is told %s; the model, when that lasts",
    async (code) => {
      answer = refused(code);
      expect(await blame(code)).toEqual({ whose: "unclear" });
      const breaker = environment();
      let minutes = 0;
      for (; (await breaker.current()) === undefined && minutes < 20; minutes += 1) {
        nowMs += minuteMs;
        await breaker.tick();
      }
      expect(minutes).toBeGreaterThanOrEqual(2);
      expect(await breaker.current()).toMatchObject({ code });
      expect((await row()).failedProbes).toBeGreaterThanOrEqual(3);
    },
  );

  test("the item again, when a busy server has answered in between", async () => {
    answer = refused("model_unavailable");
    await blame("model_unavailable");
    answer = () => ({ ok: true });
    nowMs += 5 * minuteMs;
    expect(await blame("model_timeout")).toEqual({ whose: "item" });
    expect(await row()).toMatchObject({ failedProbes: 0 });
  });

  test("a refusal of the probe's own text is an answer: somebody is there", async () => {
    answer = refused("model_refused");
    expect(await blame("model_forbidden")).toEqual({ whose: "item" });
  });

  test("nobody, when there is no time to ask", async () => {
    expect(await blame("model_timeout", environment(), 1_000)).toEqual({ whose: "unclear" });
    expect(probed).toBe(0);
  });

  test("a good probe speaks for what was asked before it, and is not repeated for what fails soon after", async () => {
    const breaker = environment();
    const startedAtMs = nowMs;
    await breaker.blame("model_forbidden", startedAtMs, plentyMs);
    expect(await environment().blame("model_timeout", startedAtMs, plentyMs)).toEqual({ whose: "item" });
    nowMs += 1_000;
    expect(await environment().blame("model_timeout", nowMs, plentyMs)).toEqual({ whose: "unclear" });
    expect(probed).toBe(1);
  });
});

describe("one prober at a time", () => {
  test("many failures side by side, in one environment and in many, are one probe", async () => {
    answer = refused("model_forbidden");
    const one = environment();
    const blames = await Promise.all([
      ...Array.from({ length: 10 }, () => blame("model_forbidden", one)),
      ...Array.from({ length: 10 }, () => blame("model_forbidden")),
    ]);
    expect(probed).toBe(1);
    expect(blames.filter(({ whose }) => whose === "item")).toEqual([]);
    expect((await environment().current())?.code).toBe("model_forbidden");
  });

  test("a prober that stops does not write over the one that took its place", async () => {
    const stuck = Promise.withResolvers<ModelProbeResult>();
    answer = () => stuck.promise;
    const slow = blame("model_forbidden");
    await ledger.get(ledgerKey.breaker());
    nowMs += minuteMs;
    answer = () => ({ ok: true });
    expect(await blame("model_forbidden")).toEqual({ whose: "item" });
    stuck.resolve({ ok: false, code: "model_forbidden" });
    await slow;
    expect(await environment().current()).toBeUndefined();
  });

  test("a time of the future that no rule makes keeps nobody from probing", async () => {
    answer = refused("model_unknown");
    const far = nowMs + 365 * 86_400_000;
    await ledger.update(ledgerKey.breaker(), {
      set: [
        [["leaseUntil"], far],
        [["nextProbeAt"], far],
      ],
    });
    expect(await blame("model_unknown")).toMatchObject({ whose: "model" });
  });
});

describe("while it is open", () => {
  beforeEach(async () => {
    answer = refused("model_forbidden");
    await blame("model_forbidden");
    probed = 0;
    events.length = 0;
  });

  test("no worker probes; the cron does, seldomer and seldomer, and says each minute that it is open", async () => {
    expect(await blame("model_forbidden")).toMatchObject({ whose: "model" });
    expect(probed).toBe(0);
    const breaker = environment();
    for (let minute = 0; minute < 60; minute += 1) {
      nowMs += minuteMs;
      await breaker.tick();
    }
    expect(probed).toBeGreaterThanOrEqual(10);
    expect(probed).toBeLessThanOrEqual(16);
    expect(events.filter((code) => code === "model_breaker_open")).toHaveLength(60);
    expect((await breaker.current())?.sinceMs).toBe(beganMs);
  });

  test("the first answer closes it, and what waits comes back slowly at first", async () => {
    answer = () => ({ ok: true });
    nowMs += minuteMs;
    const closed = await environment().tick();
    expect(await environment().current()).toBeUndefined();
    expect(events).toContain("model_breaker_closed");
    const rates = [0, 1, 2, 10].map((minutes) => requeuesAllowed(closed, nowMs + minutes * minuteMs));
    expect(rates).toEqual([100, 200, 400, 2_000]);
  });

  test("with a time of closing that a clock set back has left far ahead, nothing waits until then", () => {
    expect(requeuesAllowed({ closedAt: nowMs + 3_600_000 }, nowMs)).toBe(requeuesAllowed({}, nowMs));
    // Clocks of two functions differ by a little.
    expect(requeuesAllowed({ closedAt: nowMs + 1_000 }, nowMs)).toBe(requeuesAllowed({ closedAt: nowMs }, nowMs));
  });

  test("another reason is told without a new beginning", async () => {
    answer = refused("model_quota_spent");
    nowMs += minuteMs;
    await environment().tick();
    expect(await environment().current()).toEqual({ code: "model_quota_spent", sinceMs: beganMs });
  });

  test("settings that were changed are probed at once, and so is what somebody waits for", async () => {
    await environment().tick();
    expect(probed).toBe(0);
    await new BreakerView({ ledger, clock: () => nowMs, log: { event: () => {}, error: () => {} } }).requestProbe();
    await environment().tick();
    expect(probed).toBe(1);
    await environment().tick();
    expect(probed).toBe(1);
    await environment(ledger, "another key").tick();
    expect(probed).toBe(2);
  });
});

test("an environment reads the row every five seconds at most, and stands still for no table", async () => {
  let reads = 0;
  let fails = false;
  const counting: Table = Object.assign(Object.create(ledger), {
    get: async (key: Parameters<Table["get"]>[0]) => {
      reads += 1;
      if (fails) throw new Error("no table");
      return ledger.get(key);
    },
  });
  const breaker = environment(counting);
  for (let n = 0; n < 100; n += 1) await breaker.current();
  expect(reads).toBe(1);
  nowMs += 5_000;
  await Promise.all(Array.from({ length: 10 }, () => breaker.current()));
  expect(reads).toBe(2);
  fails = true;
  nowMs += 5_000;
  expect(await breaker.current()).toBeUndefined();
  expect(events).toContain("breaker_not_read");
});
