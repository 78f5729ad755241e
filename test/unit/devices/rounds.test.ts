import { beforeEach, describe, expect, test } from "vitest";
import { answerFrame } from "../../../shared/devices/frames/answer.ts";
import { ledgerKey } from "../../../shared/keys.ts";
import { expiryMs, rowLifeSeconds } from "../../../shared/scouts/items/item-row.ts";
import { RoundStore } from "../../../shared/scouts/items/round-store.ts";
import { MemoryCloud } from "../../socket/cloud.ts";
import { ada, decide, inbox, item, laptop, newFrame, phone, relevant, spam } from "../scouts/setting.ts";

const one = item("m1");
const proposalId = `${inbox}.m1`;
const atGmail = { sourceType: "gmail", sealed: "" };
const fromLaptop = { userId: ada, deviceId: laptop, connectionId: "c1" };
const fromPhone = { userId: ada, deviceId: phone, connectionId: "c2" };

let cloud: MemoryCloud;
beforeEach(async () => {
  cloud = new MemoryCloud();
  await cloud.items.judge(one, relevant, cloud.nowMs);
});

const row = async () => (await cloud.items.getMany([one]))[0];

async function say(from: typeof fromLaptop, frame: object) {
  await answerFrame(cloud.ports, from, JSON.stringify({ id: newFrame(), proposalId, ...frame }));
  return cloud.posted.splice(0).map((each) => each.frame);
}
const resolve = (outcome: string, round = 1) => ({ type: "scout_proposal_resolved", outcome, round });
const reopen = (round = 1) => ({ type: "scout_proposal_reopen", round });

describe("P2: a round is decided once", () => {
  test("the first decision counts; whoever comes later hears as what", async () => {
    expect(await say(fromLaptop, resolve("approved"))).toMatchObject([
      { type: "accepted", decision: "counted", outcome: "approved", round: 1 },
    ]);
    for (const outcome of ["rejected", "approved"]) {
      expect(await say(fromPhone, resolve(outcome))).toMatchObject([
        { type: "accepted", decision: "decided_elsewhere", outcome: "approved", round: 1 },
      ]);
    }
    expect(await row()).toMatchObject({ status: "acked", outcome: "approved", round: 1 });
  });

  test("two at once: one is counted, the other hears of it", async () => {
    const answers = await Promise.all([decide(cloud.ledger, one), decide(cloud.ledger, one, { outcome: "rejected" })]);
    expect(answers.map(({ how }) => how).sort()).toEqual(["done", "other"]);
  });

  test("said again under its id it is the decision that counts, and not another one", async () => {
    const frame = { ...resolve("approved"), id: newFrame() };
    for (const _ of [1, 2]) expect(await say(fromLaptop, frame)).toMatchObject([{ decision: "counted" }]);
  });

  test.each(["expired", "gone"] as const)(
    "a decision that comes when it is %s counts, and the next one hears of it",
    async (end) => {
      await cloud.items.close({ ...one, openAt: (await row())?.openAt }, end, cloud.nowMs);
      expect(await say(fromLaptop, resolve("approved"))).toMatchObject([{ decision: "counted" }]);
      expect(await say(fromPhone, resolve("rejected"))).toMatchObject([
        { decision: "decided_elsewhere", outcome: "approved" },
      ]);
    },
  );

  test("what was judged as spam since is decided all the same, and not among the dismissed any more", async () => {
    const other = item("m2");
    await cloud.items.judge(other, spam, cloud.nowMs);
    expect(await decide(cloud.ledger, other)).toMatchObject({ how: "done", row: { status: "acked" } });
    expect((await cloud.items.getMany([other]))[0]).not.toHaveProperty("openAt");
  });

  test("a proposal nobody knows of a scout that is there is refused", async () => {
    await cloud.ledger.put({
      ...ledgerKey.scout(ada, inbox),
      ...{ userId: ada, scoutId: inbox, createdAt: 1 },
      ...atGmail,
    });
    const answers = await say(fromLaptop, { ...resolve("approved"), proposalId: `${inbox}.none` });
    expect(answers).toMatchObject([{ type: "error", code: "proposal_not_found" }]);
    expect(await say(fromLaptop, { ...reopen(), proposalId: `${inbox}.none` })).toMatchObject([
      { type: "error", code: "proposal_not_found" },
    ]);
  });
});

describe("P3: closed because nobody decided it in time", () => {
  test("it is opened again in its next round, and one that is gone at its source is not", async () => {
    await cloud.items.close({ ...one, openAt: (await row())?.openAt }, "expired", cloud.nowMs);
    expect(await say(fromLaptop, reopen())).toMatchObject([{ type: "accepted", round: 2 }]);
    expect(await row()).toMatchObject({ status: "queued", round: 2, openedAt: cloud.nowMs });
    expect(await row()).not.toHaveProperty("closedAt");
    await cloud.items.close({ ...one, openAt: (await row())?.openAt }, "gone", cloud.nowMs);
    expect(await say(fromLaptop, reopen(2))).toMatchObject([{ type: "accepted", round: 2 }]);
    expect(await row()).toMatchObject({ status: "gone", round: 2 });
  });
});

describe("P2: reopened", () => {
  beforeEach(async () => {
    await cloud.items.delivered(one, laptop, 1, cloud.nowMs);
    await decide(cloud.ledger, one);
  });

  test("it is in its next round: as if it had just arrived, on no device, with its time before it", async () => {
    cloud.nowMs += expiryMs;
    expect(await say(fromLaptop, reopen())).toMatchObject([{ type: "accepted", round: 2 }]);
    const stored = cloud.ledger.peek({ pk: `USER#${ada}`, sk: `ITEM#${inbox}#m1` });
    expect(stored).toMatchObject({ status: "queued", round: 2, openedAt: cloud.nowMs, on: {}, openFor: ada });
    expect(stored).toMatchObject({ ttl: Math.floor(cloud.nowMs / 1_000) + rowLifeSeconds });
    for (const name of ["ackedAt", "outcome", "decidedBy"]) expect(stored).not.toHaveProperty(name);
    expect((await cloud.items.openAfter(ada, {}, 9)).rows).toMatchObject([{ ref: "m1", round: 2 }]);
    await cloud.delivery.pull(fromPhone, { limit: 9 });
    expect(cloud.posted).toMatchObject([{ frame: { type: "scout_proposal", proposal: { round: 2 } } }]);
  });

  test("by two devices, or twice by one, it is opened once", async () => {
    await say(fromLaptop, reopen());
    expect(await say(fromPhone, reopen())).toMatchObject([{ type: "accepted", round: 2 }]);
    expect(await row()).toMatchObject({ status: "queued", round: 2 });
    await decide(cloud.ledger, one, { round: 2 });
    expect(await say(fromLaptop, reopen())).toMatchObject([{ type: "accepted", round: 2 }]);
    expect(await row()).toMatchObject({ status: "acked", round: 2 });
  });

  test("connected devices get it at once", async () => {
    await cloud.ports.connections.add(ada, "c2", phone, cloud.nowMs);
    const frames = await say(fromLaptop, reopen());
    expect(frames).toMatchObject([
      { type: "scout_proposal", proposal: { id: proposalId, round: 2 } },
      { type: "accepted" },
    ]);
  });

  test("frames of the round before change nothing: no decision, no ack, no reopening", async () => {
    await say(fromLaptop, reopen());
    const before = await row();
    const [late] = await say(fromPhone, resolve("rejected"));
    expect(late).toMatchObject({ decision: "decided_elsewhere", round: 2 });
    expect(late).not.toHaveProperty("outcome");
    await say(fromPhone, { type: "scout_proposal_ack" });
    await say(fromPhone, { type: "scout_proposals_ack", proposalIds: [proposalId] });
    await say(fromPhone, reopen());
    expect(await row()).toEqual(before);
    await say(fromPhone, { type: "scout_proposal_ack", round: 2 });
    expect(await row()).toMatchObject({ status: "delivered", on: { [phone]: cloud.nowMs } });
  });

  test("a list that still shows the round before does not close the new one", async () => {
    const shown = { ...one, openAt: "000000000000001#old" };
    await say(fromLaptop, reopen());
    expect(await cloud.items.close(shown, "expired", cloud.nowMs)).toBe(false);
    expect(await row()).toMatchObject({ status: "queued" });
  });

  test("whoever decided an earlier round is told of the decision of a later one, when asked, and of none that is its own", async () => {
    const ask = (round: number) =>
      say(fromPhone, { type: "proposals_check", proposalIds: [], decided: [{ proposalId, round }] });
    expect(await ask(1)).toMatchObject([{ type: "accepted" }]);
    await say(fromLaptop, reopen());
    expect(await ask(1)).toMatchObject([{ type: "accepted" }]);
    await decide(cloud.ledger, one, { round: 2, outcome: "rejected" });
    expect(await ask(1)).toMatchObject([
      { type: "scout_proposal_closed", round: 2, reason: "resolved_elsewhere", outcome: "rejected" },
      { type: "accepted" },
    ]);
    expect(await ask(2)).toMatchObject([{ type: "accepted" }]);
  });
});

test("what nobody has decided is not reopened", async () => {
  expect(await say(fromLaptop, reopen())).toMatchObject([{ type: "accepted", round: 1 }]);
  expect(await row()).toMatchObject({ status: "queued", round: 1 });
});

test("a row and a device from before there were rounds are in the first", async () => {
  const { outcome, round, ...old } = resolve("approved");
  expect(await say(fromLaptop, { ...old, outcome })).toMatchObject([{ decision: "counted", round: 1 }]);
  const { round: _, ...opening } = reopen();
  expect(await say(fromLaptop, opening)).toMatchObject([{ round: 2 }]);
  expect(await new RoundStore(cloud.ledger).reopened(one, 1, 0)).toMatchObject({ how: "stood" });
});
