import { beforeEach, expect, test } from "vitest";
import { isScoutsError } from "../../../events/errors.ts";
import type { DeviceId } from "../../../events/ids.ts";
import { categorizeLeaseMs } from "../../../events/proposals/categorize.ts";
import { answerFrame } from "../../../shared/devices/frames/answer.ts";
import { CategorizeLeases } from "../../../shared/scouts/items/categorize-leases.ts";
import { MemoryCloud } from "../../socket/cloud.ts";
import { ada, bob, decide, inbox, item, laptop, newFrame, phone, relevant } from "../scouts/setting.ts";

const one = item("m1");
const proposalId = `${inbox}.m1`;
const canary = "KANARIENVOGEL";
let cloud: MemoryCloud;
let leases: CategorizeLeases;
beforeEach(async () => {
  cloud = new MemoryCloud();
  leases = new CategorizeLeases(cloud.ledger);
  await cloud.items.judge(one, relevant, cloud.nowMs);
});

async function take(deviceId: DeviceId, round = 1): Promise<string> {
  try {
    await leases.take(one, { deviceId, round }, cloud.nowMs);
    return "taken";
  } catch (error) {
    if (isScoutsError(error)) return error.code;
    throw error;
  }
}

test("of two devices one has a round read; the other may when the lease is over", async () => {
  expect(await Promise.all([take(laptop), take(phone)])).toEqual(["taken", "categorize_claimed"]);
  expect(await take(laptop)).toBe("taken");
  cloud.nowMs += categorizeLeaseMs - 1;
  expect(await take(phone)).toBe("categorize_claimed");
  cloud.nowMs += 1;
  expect(await take(phone)).toBe("taken");
  expect(await take(laptop)).toBe("categorize_claimed");
});

test("the next round is another lease, and the one before is none any more", async () => {
  await take(laptop);
  await decide(cloud.ledger, one);
  expect(await take(phone)).toBe("proposal_not_open");
  await cloud.ports.rounds.reopened(one, 1, cloud.nowMs);
  expect(await take(laptop)).toBe("proposal_not_open");
  expect(await take(phone, 2)).toBe("taken");
  expect(await take(laptop, 2)).toBe("categorize_claimed");
});

test("a clock that has stepped back since keeps nobody from a lease for ever", async () => {
  await take(laptop);
  cloud.nowMs -= 24 * 3_600_000;
  expect(await take(phone)).toBe("taken");
});

test("nobody takes a lease on what is another person's", async () => {
  await expect(leases.take({ ...one, userId: bob }, { deviceId: laptop, round: 1 }, cloud.nowMs)).rejects.toMatchObject(
    {
      code: "proposal_not_found",
    },
  );
});

/** Both devices connected, the laptop says a result. @returns what was posted, and to whom */
async function say(deviceId: DeviceId, round = 1) {
  for (const [device, connectionId] of [
    [laptop, "c1"],
    [phone, "c2"],
  ] as const) {
    const hello = { type: "hello", id: newFrame(), protocol: 1, deviceId: device };
    await answerFrame(cloud.ports, { userId: ada, deviceId: device, connectionId }, JSON.stringify(hello));
  }
  cloud.posted.splice(0);
  const frame = {
    type: "categorize_result",
    id: newFrame(),
    proposalId,
    round,
    result: { inline: `{"a":"${canary}"}` },
  };
  const connectionId = deviceId === laptop ? "c1" : "c2";
  await answerFrame(cloud.ports, { userId: ada, deviceId, connectionId }, JSON.stringify(frame));
  return cloud.posted.splice(0).map(({ to, frame: { type } }) => `${type} to ${to}`);
}

test("a result goes to the person's other devices, from whoever has the round only, and is written nowhere", async () => {
  await take(laptop);
  expect(await say(laptop)).toEqual(["categorize_result to c2", "accepted to c1"]);
  expect(await say(phone)).toEqual(["accepted to c2"]);
  expect(await say(laptop, 2)).toEqual(["accepted to c1"]);
  expect(JSON.stringify([cloud.ledger.dump(), cloud.sessions.dump()])).not.toContain(canary);
});
