import { beforeEach, describe, expect, test } from "vitest";
import { answerFrame } from "../../../shared/devices/frames/answer.ts";
import { ledgerKey } from "../../../shared/keys.ts";
import { MemoryCloud } from "../../socket/cloud.ts";
import { ada, inbox, item, laptop, newFrame, phone, relevant } from "../scouts/setting.ts";

const fromLaptop = { userId: ada, deviceId: laptop, connectionId: "c1" };
const fromPhone = { userId: ada, deviceId: phone, connectionId: "c2" };
const minuteMs = 60_000;

let cloud: MemoryCloud;
beforeEach(async () => {
  cloud = new MemoryCloud();
  const scout = { userId: ada, scoutId: inbox, createdAt: cloud.nowMs, sourceType: "gmail", sealed: "" };
  await cloud.ledger.put({ ...ledgerKey.scout(ada, inbox), ...scout });
});

/** A proposal that a device has acknowledged. */
async function known(ref: string, by = fromLaptop): Promise<void> {
  await cloud.items.judge(item(ref), relevant, cloud.nowMs);
  await answerFrame(
    cloud.ports,
    by,
    JSON.stringify({ type: "scout_proposal_ack", id: newFrame(), proposalId: `${inbox}.${ref}` }),
  );
  cloud.posted.splice(0);
}

async function pulled(acksUntil: number | undefined): Promise<readonly string[]> {
  await cloud.delivery.pull(fromLaptop, { limit: 9, acksUntil });
  return cloud.posted
    .splice(0)
    .flatMap(({ frame }) => (frame.type === "scout_proposal" ? [frame.proposal.sourceMsgRef] : []))
    .toSorted();
}

describe("P2: a device whose store was restored from an older copy", () => {
  test("is given again what it acknowledged since that copy, as often as it says so, and nothing older", async () => {
    await known("before");
    const copiedAtMs = cloud.nowMs + minuteMs;
    cloud.nowMs += 2 * minuteMs;
    await known("since");
    await known("elsewhere", fromPhone);
    cloud.nowMs += minuteMs;
    expect(await pulled(undefined)).toEqual(["elsewhere"]);
    for (const _ of [1, 2]) {
      expect(await pulled(copiedAtMs)).toEqual(["elsewhere", "since"]);
    }
    expect(await pulled(cloud.nowMs)).toEqual(["elsewhere"]);
  });

  test("is given nothing again for an ack of a time that is yet to come: the cloud's clock has stepped back since", async () => {
    const rightMs = cloud.nowMs;
    cloud.nowMs += 365 * 86_400_000;
    await known("later");
    cloud.nowMs = rightMs;
    expect(await pulled(rightMs - minuteMs)).toEqual([]);
  });
});
