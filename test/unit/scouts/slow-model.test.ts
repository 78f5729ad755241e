import { expect, test } from "vitest";
import { ScoutsError } from "../../../events/errors.ts";
import { AccountStore } from "../../../shared/billing/account-store.ts";
import { JudgingCloud } from "./judging-cloud.ts";
import { ada } from "./setting.ts";

/** More than the row of somebody's tokens could name at once: DynamoDB takes 400 KB of it. */
const names = Array.from({ length: 2_500 }, (_, index) => `m${String(index).padStart(15, "0")}`);

test("P2: items that a slow model does not get to in time set nothing aside while they wait, however many they are", async () => {
  const cloud = await new JudgingCloud().begin();
  cloud.unitsPerMinute = 60_000;
  await new AccountStore(cloud.ledger).setTier(ada, "power");
  cloud.meanwhile = () => Promise.reject(new ScoutsError("model_timeout"));
  await cloud.arrive(...names);
  expect(await cloud.tokens()).toEqual({ used: 0, committed: 0, open: 0 });
  cloud.meanwhile = async () => {};
  await cloud.pass(1);
  const rows = await Promise.all(names.map((name) => cloud.row(name)));
  expect(new Set(rows.map((row) => `${row?.status} ${row?.reasonCode}`))).toEqual(new Set(["queued other"]));
  expect(await cloud.tokens()).toEqual({ used: 110 * names.length, committed: 110 * names.length, open: 0 });
});
