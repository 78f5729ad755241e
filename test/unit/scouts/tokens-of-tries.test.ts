import { expect, test } from "vitest";
import { ScoutsError } from "../../../events/errors.ts";
import { AccountStore } from "../../../shared/billing/account-store.ts";
import { ledgerKey } from "../../../shared/keys.ts";
import { triageBatch } from "../../../shared/scouts/triage/triage-batch.ts";
import { JudgingCloud } from "./judging-cloud.ts";
import { ada, inbox, ref } from "./setting.ts";

/** More than the row of somebody's tokens could name at once: DynamoDB takes 400 KB of it. */
const names = Array.from({ length: 2_100 }, (_, index) => `m${String(index).padStart(15, "0")}`);

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

test("what was billed for a verdict that could not be written is counted once, beside that of another delivery", async () => {
  const cloud = await new JudgingCloud().begin();
  const body = { v: 1 as const, userId: ada, scoutId: inbox, ref: ref("m1") };
  const delivered = () => triageBatch(cloud.ports(), cloud.sender, [{ body, receiveCount: 1 }], () => 50_000);
  const [asked, firstEnded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let second: Promise<unknown> | undefined;
  cloud.meanwhile = async () => {
    if (second === undefined) {
      second = delivered();
      await asked.promise;
      failNextVerdict(cloud);
    } else {
      asked.resolve();
      await firstEnded.promise;
    }
  };
  await delivered();
  firstEnded.resolve();
  await second;
  expect(await cloud.row("m1")).toMatchObject({ status: "queued", inputTokens: 200, outputTokens: 20 });
  expect(await cloud.tokens()).toEqual({ used: 220, committed: 220, open: 0 });
});

test("a verdict that nothing could be done about at its source then is counted, and done about when its message comes again", async () => {
  const cloud = await new JudgingCloud().begin();
  cloud.verdict = "spam";
  const autoTrash = { set: [[["autoTrash"], true] as const] };
  await cloud.ledger.update(ledgerKey.scout(ada, inbox), autoTrash);
  // After the verdict neither table nor queue takes anything for a moment.
  const { send } = cloud.triage;
  cloud.meanwhile = async () => {
    failAfterNextVerdict(cloud);
    cloud.triage.send = () => Promise.reject(new ScoutsError("queue_unavailable"));
  };
  await send.call(cloud.triage, [{ body: { v: 1, userId: ada, scoutId: inbox, ref: ref("m1") }, group: ada }]);
  await cloud.work();
  cloud.triage.send = send;
  expect(await cloud.row("m1")).toMatchObject({ status: "spam", trash: "due" });
  expect(await cloud.tokens()).toEqual({ used: 110, committed: 110, open: 0 });
  await cloud.pass(7);
  expect(await cloud.row("m1")).toMatchObject({ status: "spam", trash: "kept", keptBecause: "not_granted" });
  expect([cloud.asked, cloud.triage.length]).toEqual([["m1"], 0]);
});

function failAfterNextVerdict({ ledger }: JudgingCloud): void {
  const { update } = ledger;
  let verdicts = 0;
  ledger.update = async (key, ...asked) => {
    if (!key.sk.startsWith("ITEM#")) return update.call(ledger, key, ...asked);
    verdicts += 1;
    if (verdicts === 1) return update.call(ledger, key, ...asked);
    ledger.update = update;
    throw new ScoutsError("storage_throttled");
  };
}

function failNextVerdict({ ledger }: JudgingCloud): void {
  const { update } = ledger;
  ledger.update = async (key, ...asked) => {
    if (!key.sk.startsWith("ITEM#")) return update.call(ledger, key, ...asked);
    ledger.update = update;
    throw new ScoutsError("storage_throttled");
  };
}
