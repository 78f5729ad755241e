import { expect, onTestFinished, test } from "vitest";
import { checkHome, offsetMs } from "../../device/doctor/home-checks.ts";
import { serveLoopback } from "../../infra/standins/loopback-server.ts";

const askedAtMs = 1_000_000_000_000;

test.each([
  ["the same second", 0, 40, 0],
  ["a second written before the question was asked, as whole seconds are", -999, 40, 0],
  ["the second in which the answer came", 3_000, 3_000, 0],
  ["ahead by more than the answer took", 25_000, 40, 24_960],
  ["behind by more than a second can hide", -60_000, 40, -59_001],
])("the clock: %s", (_, theirs, tookMs, offset) => {
  expect(offsetMs(askedAtMs + theirs, askedAtMs, tookMs)).toBe(offset);
});

test.each([
  ["a clock half a minute off", 200, "fail", 45_000],
  ["a clock that agrees", 200, "ok", 0],
])("doctor on %s", async (_, status, state, aheadMs) => {
  const server = await serveLoopback(() => ({
    status,
    headers: { date: new Date(Date.now() + aheadMs).toUTCString() },
    body: "{}",
  }));
  onTestFinished(() => server.close());
  const checks = await checkHome(server.url, Date.now);
  expect(checks).toMatchObject([
    { name: "home", state: "ok" },
    { name: "clock", state },
  ]);
});

test("a home that answers badly, or in the clear from elsewhere, is told so", async () => {
  const server = await serveLoopback(() => ({ status: 503 }));
  onTestFinished(() => server.close());
  expect((await checkHome(server.url, Date.now))[0]).toMatchObject({
    state: "fail",
    detail: expect.stringContaining("503"),
  });
  expect(await checkHome("http://api.example.com/", Date.now)).toMatchObject([
    { name: "home", state: "fail", detail: "The address is not encrypted, and not on this machine." },
  ]);
});
