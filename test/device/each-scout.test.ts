import { expect, test } from "vitest";
import { healthOfEach, runsOfEach } from "../../device/sources/asked/each-scout.ts";
import type { ScoutHealth } from "../../events/health.ts";
import type { ScoutResponse } from "../../events/http/scouts.ts";
import { scoutId } from "../../events/ids.ts";
import { serviceAt } from "../unit/service-at.ts";

const scouts = Array.from(
  { length: 30 },
  (_, n): ScoutResponse => ({
    id: scoutId.parse(`sct_01JD00000000000000000000${String(n).padStart(2, "0")}`),
    ...{ name: `Scout ${n}`, sourceType: "feed", purpose: "", connected: true, paused: false, autoTrash: false },
    ...{ mutedSenders: 0, pauseAfterDays: 14, schedule: null, disabledCode: null, disabledAt: null, failing: null },
    ...{ restingSince: null, createdAt: 1, lastRunAt: 1, nextRunAt: 2 },
  }),
);

const wellAs = (id: string): ScoutHealth => ({
  scoutId: scoutId.parse(id),
  ...{ state: "active", disabledCode: null, since: null, lastRunAt: null, lastPushAt: null, lastPollAt: null },
  ...{ nextRunAt: null, pollEveryMs: 900_000, gap: null, waiting: null, quota: null },
  watch: { state: "none", expiresAt: null, failureCode: null, failedAt: null },
  failures: { count: 0, code: null, at: null, since: null },
  backlog: { waiting: 0, byCode: {}, dead: 0, complete: true },
  tokens: { month: "2026-11", scout: 0, scoutCap: null, owner: 0, ownerCap: null },
});

/** A home, and how many requests were under way at once. */
async function home(answer: (id: string) => object) {
  const seen = { now: 0, most: 0 };
  const apiUrl = await serviceAt((request, response) => {
    const [id = ""] = /sct_\w+/.exec(request.url ?? "") ?? [];
    seen.now -= 1;
    response.setHeader("content-type", "application/json").end(JSON.stringify(answer(id)));
  });
  // What each request begins with.
  const auth = async () => {
    seen.most = Math.max(seen.most, ++seen.now);
    return "token";
  };
  return { seen, api: { apiUrl, auth } };
}

test("nothing silent: of many scouts a home is asked about a few at once, so that each is answered", async () => {
  const { api, seen } = await home((id) => ({
    runs: [{ id: "run", scoutId: id, at: 1, outcome: "complete", queued: 1, pages: 1, code: null, durationMs: 1 }],
    nextCursor: null,
  }));
  const runs = await runsOfEach(api, scouts, 1);
  expect(runs.flat().map(({ name }) => name)).toEqual(scouts.map(({ name }) => name));
  expect(seen.most).toBeLessThanOrEqual(4);
});

test("nothing silent: how each of many scouts fares is told in their order, asked a few at once", async () => {
  const { api, seen } = await home(wellAs);
  const told = await Array.fromAsync(healthOfEach(api, scouts), ({ scout, health }) => [scout.name, health.scoutId]);
  expect(told).toEqual(scouts.map(({ id, name }) => [name, id]));
  expect(seen.most).toBeLessThanOrEqual(4);
});
