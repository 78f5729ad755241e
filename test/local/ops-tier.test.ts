import { expect, test } from "vitest";
import { changeTierDeployed } from "../../cli/ops/deployed-ledger.ts";
import { AccountStore } from "../../shared/billing/account-store.ts";
import { userIdOf } from "../../shared/privacy/opaque.ts";
import { ItemStore } from "../../shared/scouts/items/item-store.ts";
import { inbox, nowMs, ref } from "../unit/scouts/setting.ts";
import { deployedLedger } from "./deployed-ledger.ts";

const ada = userIdOf("https://issuer.example.com", "ada");

test("scouts ops tier puts a person on a tier and releases what waited for tokens, past the first page too", async () => {
  const ledger = await deployedLedger();
  const items = new ItemStore(ledger);
  const waits = { status: "deferred", sourceType: "inbox", dueAtMs: nowMs * 2, nowMs, attempts: 0 } as const;
  const ids = Array.from({ length: 620 }, (_, n) => ({ userId: ada, scoutId: inbox, ref: ref(`m${n}`) }));
  await Promise.all(
    ids.map((id, n) => items.postpone(id, { ...waits, code: n % 2 === 0 ? "quota_exceeded" : "reauth" })),
  );
  expect(await changeTierDeployed("ledger", ada, "pro")).toEqual({ released: 310, damaged: 0 });
  expect(await new AccountStore(ledger).get(ada)).toMatchObject({ tier: "pro" });
  const [released, other] = await Promise.all(ids.slice(0, 2).map(async (id) => (await items.getMany([id]))[0]?.dueAt));
  expect([Number(released) <= Date.now(), other]).toEqual([true, nowMs * 2]);
});
