import { beforeEach, expect, test } from "vitest";
import { ScoutsError } from "../../../events/errors.ts";
import { ledgerKey } from "../../../shared/keys.ts";
import type { ItemRow } from "../../../shared/scouts/items/item-row.ts";
import { deleteScout } from "../../../shared/scouts/lifecycle/delete-scout.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import { MailboxStore } from "../../../shared/scouts/watch/mailbox-store.ts";
import { newId } from "../../memory/chance.ts";
import { noLog } from "../../memory/log.ts";
import { JudgingCloud } from "./judging-cloud.ts";
import { ada, inbox, item } from "./setting.ts";

let cloud: JudgingCloud;
/** Items of which the person's devices were shown something. */
let shown: string[];
beforeEach(async () => {
  [cloud, shown] = [await new JudgingCloud().begin(), []];
  const note = (rows: readonly Pick<ItemRow, "ref">[]) => void shown.push(...rows.map(({ ref }) => ref));
  cloud.sender = {
    sendFresh: async (proposals) => note(proposals.map(({ row }) => row)),
    sendAgain: async (rows) => note(rows),
  };
});

async function remove(): Promise<boolean> {
  const { ledger, clock } = cloud;
  const ports = {
    ...{ ledger, clock, newId, log: noLog, connectors: new Map(), releases: new Map() },
    scouts: new ScoutStore(ledger),
    mailboxes: new MailboxStore(ledger),
    trials: { forget: async () => {} },
    notices: { toEveryDevice: async () => {} },
  };
  return deleteScout(ports, ada, inbox, Number.POSITIVE_INFINITY);
}
const open = async (): Promise<readonly string[]> =>
  (await cloud.items.openAfter(ada, {}, 50)).rows.map(({ ref }) => ref);

test("what is judged while its person removes the scout is shown to nobody, then or later", async () => {
  cloud.meanwhile = async () => expect(await remove()).toBe(true);
  await cloud.arrive("m1");
  expect(cloud.asked).toEqual(["m1"]);
  expect([shown, await open()]).toEqual([[], []]);
  expect(cloud.triage.length).toBe(0);
});

const rowsLeft = () => cloud.ledger.dump().filter(({ sk }) => sk.startsWith("ITEM#"));

test.each(["relevant", "spam"] as const)("P1: nothing is left of what was judged %s meanwhile", async (verdict) => {
  cloud.verdict = verdict;
  cloud.meanwhile = async () => expect(await remove()).toBe(true);
  await cloud.arrive("m1");
  expect([shown, rowsLeft()]).toEqual([[], []]);
  expect(await cloud.tokens()).toEqual({ used: 110, committed: 110, open: 0 });
});

test("P1: nor of what failed meanwhile, once its next try has met that", async () => {
  cloud.meanwhile = async () => {
    await remove();
    throw new ScoutsError("model_timeout");
  };
  await cloud.arrive("m1");
  await cloud.pass(1);
  expect([shown, rowsLeft(), cloud.triage.length]).toEqual([[], [], 0]);
});

test("the same when its worker dies before it has looked, and its message comes again", async () => {
  cloud.meanwhile = async () => {
    await remove();
    // Its last write is the verdict.
    cloud.ledger.getMany = () => Promise.reject(new ScoutsError("storage_unavailable"));
  };
  const { getMany } = cloud.ledger;
  await cloud.arrive("m1");
  expect([shown, cloud.triage.length]).toEqual([[], 1]);
  cloud.ledger.getMany = getMany;
  await cloud.pass(7);
  expect([shown, await open(), cloud.triage.length]).toEqual([[], [], 0]);
});

test("a scout that is being removed, and cannot be for now, shows nothing more", async () => {
  cloud.meanwhile = async () => {
    const key = ledgerKey.scout(ada, inbox);
    await cloud.ledger.update(key, {
      set: [
        [["deleting"], true],
        [["disabledCode"], "scout_deleting"],
      ],
    });
  };
  await cloud.arrive("m1");
  expect([shown, await open()]).toEqual([[], []]);
});

test("what is still on the queue when the scout is removed leaves nothing of it behind", async () => {
  await cloud.arrive("m1");
  expect(await remove()).toBe(true);
  await cloud.arrive("m1", "m2", "m3");
  expect(await cloud.items.getMany(["m1", "m2", "m3"].map((name) => item(name)))).toEqual([]);
  expect([shown, cloud.triage.length]).toEqual([["m1"], 0]);
  expect(await cloud.tokens()).toEqual({ used: 110, committed: 110, open: 0 });
});

test("P2: a proposal of a scout that is there is shown, also while its row is damaged", async () => {
  cloud.meanwhile = async () => {
    await cloud.ledger.update(ledgerKey.scout(ada, inbox), { set: [[["createdAt"], "yesterday"]] });
  };
  await cloud.arrive("m1");
  expect([shown, await open()]).toEqual([["m1"], ["m1"]]);
});
