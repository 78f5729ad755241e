import { expect, test } from "vitest";
import { checkScouts } from "../../device/doctor/scout-checks.ts";
import healthSample from "../../events/samples/health.scoutHealth.json" with { type: "json" };
import scoutSample from "../../events/samples/http.scoutResponse.json" with { type: "json" };
import { startCloud, temporaryStore } from "./setting.ts";

const well = { ...scoutSample, disabledCode: null, disabledAt: null, failing: undefined };

async function checksWith(damaged: readonly string[] | undefined) {
  const cloud = await startCloud();
  cloud.onRequest = (path, _, response) => {
    response.setHeader("content-type", "application/json");
    const isHealth = path.endsWith("/health");
    response.end(JSON.stringify(isHealth ? { ...healthSample, damaged } : { scouts: [well], nextCursor: null }));
    return "handled";
  };
  const home = { apiUrl: cloud.url, auth: async () => "t" };
  return checkScouts(home, Date.now(), (work) => work(temporaryStore().knownScouts));
}

test("nothing silent: rows of its store that a home cannot read are told by doctor, with what to do", async () => {
  const checks = await checksWith(["account", "usage", "model"]);
  expect(checks).toMatchObject([
    { name: "home", state: "fail", code: "rows_damaged" },
    { name: "home", state: "fail", code: "model_row_damaged" },
  ]);
  expect(checks[0]?.detail).toContain("account, usage (row_damaged)");
  expect(checks[0]?.advice).toMatch(/newer version.*docs\/operate\.md/);
  expect(checks[1]?.advice).toMatch(/newer version.*scouts ops model reset/);
  expect(await checksWith(["model"])).toMatchObject([{ code: "model_row_damaged" }]);
});

test("a home that can read all of them is well", async () => {
  expect(await checksWith(undefined)).toMatchObject([{ name: "scouts", state: "ok" }]);
});
