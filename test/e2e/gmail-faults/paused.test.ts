import { afterEach, expect, it } from "vitest";
import { changeScout } from "../../../shared/scouts/lifecycle/change-scout.ts";
import { disableScout } from "../../../shared/scouts/lifecycle/disable-scout.ts";
import { newId } from "../../memory/chance.ts";
import { cleanUp } from "../../standins/mailbox-fixture.ts";
import { Cloud, scout, user } from "./cloud.ts";

afterEach(cleanUp);

const log = { event: () => {}, error: () => {} };

async function pause(cloud: Cloud, paused: boolean): Promise<void> {
  const { ledger, sync } = cloud;
  const connectors = new Map([["gmail", cloud.connector]]);
  await changeScout(
    { ledger, sync, connectors, vault: cloud.vault, clock: () => cloud.nowMs, newId, log },
    await cloud.row(),
    { paused },
  );
}

const watching = (cloud: Cloud) => [cloud.mailbox.requests("watch"), cloud.mailbox.requests("stop")];

it("P2: Gmail is told to stop for a paused scout, and to go on when it does; mail of the meantime is judged, once", async () => {
  const cloud = await Cloud.open();
  const [watches = 0] = watching(cloud);
  await pause(cloud, true);
  await cloud.pass(2);
  expect(watching(cloud)).toEqual([watches, 1]);
  const refs = cloud.deliver(3);
  await cloud.hint("push");
  await cloud.pass(30);
  expect(cloud.statuses(refs)).toEqual({ none: 3 });
  await pause(cloud, false);
  await cloud.pass(2);
  expect(watching(cloud)).toEqual([watches + 1, 1]);
  expect(cloud.statuses(refs)).toEqual({ queued: 3 });
});

it("P2: also when the history is gone by then", async () => {
  const cloud = await Cloud.open();
  await pause(cloud, true);
  await cloud.pass(2);
  const refs = cloud.deliver(3);
  cloud.nowMs += 8 * 86_400_000;
  cloud.mailbox.expireHistory();
  await pause(cloud, false);
  await cloud.pass(2);
  expect(cloud.statuses(refs)).toEqual({ queued: 3 });
  expect((await cloud.row()).gapTo).toBeGreaterThan(0);
});

it("a scout that an administrator forbids has its watch stopped, and with access withdrawn it is left to lapse", async () => {
  const forbidden = await Cloud.open();
  const notices = { toEveryDevice: async () => {} };
  const of = { userId: user, scoutId: scout };
  await disableScout({ scouts: forbidden.scouts, notices, clock: () => forbidden.nowMs, log }, of, "source_forbidden");
  await forbidden.pass(2);
  expect(forbidden.mailbox.requests("stop")).toBe(1);

  const withdrawn = await Cloud.open();
  withdrawn.mailbox.revokeGrants();
  await withdrawn.hint("push");
  await withdrawn.pass(2);
  const { disabledCode, dueAt } = await withdrawn.row();
  expect({ disabledCode, dueAt }).toEqual({ disabledCode: "reauth", dueAt: undefined });
  const asked = withdrawn.mailbox.requests();
  await withdrawn.pass(60);
  expect(withdrawn.mailbox.requests()).toBe(asked);
});
