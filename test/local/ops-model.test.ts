import { expect, test } from "vitest";
import { resetModelDeployed } from "../../cli/ops/model-row.ts";
import { ledgerKey } from "../../shared/keys.ts";
import { deployedLedger } from "./deployed-ledger.ts";

test("scouts ops model reset deletes what a deployment has noted of its model only where that cannot be read", async () => {
  const ledger = await deployedLedger();
  expect(await resetModelDeployed("ledger")).toBe(false);
  const sound = { ...ledgerKey.breaker(), failedProbes: 1, code: "model_unavailable", since: 1 };
  await ledger.put(sound);
  expect(await resetModelDeployed("ledger")).toBe(false);
  expect(await ledger.get(ledgerKey.breaker())).toEqual(sound);
  await ledger.put({ ...sound, failedProbes: "many" });
  expect(await resetModelDeployed("ledger")).toBe(true);
  expect(await ledger.get(ledgerKey.breaker())).toBeUndefined();
});
