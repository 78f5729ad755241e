import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock as deviceClock } from "../../device/connection/clock.ts";
import { ticketedAddress } from "../../device/connection/ticket.ts";
import { deviceId } from "../../events/ids.ts";
import { systemClock as homeClock } from "../../infra/local/gateway/connections.ts";
import { json, serveLoopback } from "../../infra/standins/loopback-server.ts";
import { boundedWaitMs } from "../../shared/requests/wait.ts";
import { clockTable } from "../chaos/clock-table.ts";
import { cleanUp, closeLater } from "../standins/mailbox-fixture.ts";

afterEach(cleanUp);

describe("D5: a clock that steps locks nobody out for longer than the rule asks", async () => {
  it.each(await clockTable())("$rule, $step: waits $waitMs ms", ({ waitMs, boundMs }) => {
    expect(waitMs).toBeLessThanOrEqual(boundMs);
  });
});

describe("D5: waits that others ask for", () => {
  it.each([
    [-5, 0],
    [Number.NaN, 0],
    [1_500, 1_500],
    [1e18, 3_600_000],
    [Number.POSITIVE_INFINITY, 3_600_000],
  ])("%d ms is %d ms", (asked, waited) => {
    expect(boundedWaitMs(asked)).toBe(waited);
  });

  it("an hour is the most a device waits before it asks for a ticket again", async () => {
    const cloud = closeLater(await serveLoopback(() => json(429, {}, { "retry-after": "9999999999" })));
    const { signal } = new AbortController();
    const api = { apiUrl: cloud.url, auth: async () => "t" };
    const asked = ticketedAddress(api, deviceId.parse("dev_01KE5Q8600ESE4NYY1EVXDNQEB"), signal);
    await expect(asked).rejects.toMatchObject({ code: "ticket_unavailable", data: { retryAfterMs: 3_600_000 } });
  });
});

describe("D5: timers longer than the machine's longest", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const fortyDaysMs = 40 * 86_400_000;

  it.each<[string, (work: () => void) => () => void]>([
    ["the device's", (work) => deviceClock.after(fortyDaysMs, work)],
    ["the home's", (work) => homeClock.setTimeout(work, fortyDaysMs).cancel],
  ])("%s go off when it is time, and not at once", (_, begin) => {
    const work = vi.fn();
    begin(work);
    vi.advanceTimersByTime(fortyDaysMs - 1);
    expect(work).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(work).toHaveBeenCalledOnce();
    const never = vi.fn();
    const cancel = begin(never);
    vi.advanceTimersByTime(30 * 86_400_000);
    cancel();
    vi.advanceTimersByTime(fortyDaysMs);
    expect(never).not.toHaveBeenCalled();
  });
});
