import { expect, test } from "vitest";
import type { ErrorCode } from "../../events/error-kinds.ts";
import { ScoutsError } from "../../events/errors.ts";
import { type HealthResponse, healthResponse } from "../../events/http/health.ts";
import { type HealthCheck, healthRoutes } from "../../functions/api/routes/health.ts";
import { serveRoutes } from "../../functions/api/serve.ts";
import type { Log } from "../../shared/ports/log.ts";

const silentLog: Log = { event: () => {}, error: () => {} };

/** A service whose checks fail as told; counts how often each was looked at. */
function service() {
  const failing = new Map<HealthCheck["name"], ErrorCode>();
  const looks = new Map<HealthCheck["name"], number>();
  const state = { nowMs: 1_000_000 };
  const check = (name: HealthCheck["name"]): HealthCheck => ({
    name,
    async run() {
      looks.set(name, (looks.get(name) ?? 0) + 1);
      const code = failing.get(name);
      if (code) throw new ScoutsError(code, { data: { hidden: "canary-of-health" } });
    },
  });
  const ports = {
    always: [check("tables")],
    deep: [check("queues"), check("vault_key_ring"), check("session_key_ring")],
    clock: () => state.nowMs,
    log: silentLog,
  };
  const app = serveRoutes(healthRoutes(), () => ports, silentLog);
  const ask = async (path: string): Promise<{ status: number; body: HealthResponse; text: string }> => {
    const answer = await app.request(`https://api.example.com${path}`, {}, { lambdaContext: { awsRequestId: "r1" } });
    const text = await answer.text();
    return { status: answer.status, body: healthResponse.parse(JSON.parse(text)), text };
  };
  return { failing, looks, state, ask };
}

test("health looks at the tables alone, and says by code that they cannot be read", async () => {
  const { failing, looks, state, ask } = service();
  expect(await ask("/health")).toMatchObject({
    status: 200,
    body: { status: "ok", checks: [{ name: "tables", ok: true }] },
  });
  failing.set("tables", "storage_unavailable");
  expect((await ask("/health")).status, "looked at most every five seconds").toBe(200);
  state.nowMs += 5000;
  const { status, body } = await ask("/health");
  expect(status).toBe(503);
  expect(body).toEqual({ status: "failing", checks: [{ name: "tables", ok: false, code: "storage_unavailable" }] });
  expect([...looks.keys()]).toEqual(["tables"]);
});

test("nothing silent: deep health fails without a key ring, which the tables do not notice", async () => {
  const { failing, ask } = service();
  failing.set("session_key_ring", "configuration_invalid");
  expect((await ask("/health")).status).toBe(200);
  const { status, body } = await ask("/health?deep");
  expect(status).toBe(503);
  expect(body.checks.filter(({ ok }) => !ok)).toEqual([
    { name: "session_key_ring", ok: false, code: "configuration_invalid" },
  ]);
});

test("anybody may ask: a thousand calls look once, and no answer holds more than codes", async () => {
  const { failing, looks, ask } = service();
  failing.set("queues", "queue_unavailable");
  const answers = await Promise.all(Array.from({ length: 1000 }, () => ask("/health?deep=1")));
  expect(looks.get("queues")).toBe(1);
  expect(answers.every(({ text }) => !text.includes("canary"))).toBe(true);
});

test("a clock that steps back by days does not keep an old answer alive", async () => {
  const { failing, state, ask } = service();
  expect((await ask("/health")).status).toBe(200);
  failing.set("tables", "storage_unavailable");
  state.nowMs -= 2 * 86_400_000;
  expect((await ask("/health")).status).toBe(503);
});
