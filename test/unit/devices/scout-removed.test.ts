import { ulid } from "ulidx";
import { beforeEach, expect, test } from "vitest";
import { answerFrame } from "../../../shared/devices/frames/answer.ts";
import { ledgerKey } from "../../../shared/keys.ts";
import { MemoryCloud } from "../../socket/cloud.ts";
import { ada, bob, inbox, item, laptop, relevant } from "../scouts/setting.ts";

const from = { userId: ada, deviceId: laptop, connectionId: "c1" };
const removed = { type: "scout_removed", scoutId: inbox };

let cloud: MemoryCloud;
beforeEach(() => {
  cloud = new MemoryCloud();
});

async function say(frame: object) {
  await answerFrame(cloud.ports, from, JSON.stringify({ id: `frm_${ulid()}`, ...frame }));
  return cloud.posted.splice(0).map((each) => each.frame);
}
const check = (...refs: string[]) =>
  say({ type: "proposals_check", proposalIds: refs.map((ref) => `${inbox}.${ref}`) });
const scoutOf = (userId = ada) => ({
  ...ledgerKey.scout(userId, inbox),
  userId,
  scoutId: inbox,
  sourceType: "gmail",
  sealed: "",
  createdAt: 1,
});

test("nothing waits for ever: who was away is told once that the scout is removed, before what is gone with it", async () => {
  expect(await check("m1", "m2")).toMatchObject([
    removed,
    { type: "scout_proposal_closed", proposalId: `${inbox}.m1`, reason: "gone" },
    { type: "scout_proposal_closed", proposalId: `${inbox}.m2`, reason: "gone" },
    { type: "accepted" },
  ]);
});

test("of a scout that is there, a proposal that was forgotten is gone, and no more is said", async () => {
  await cloud.ledger.put(scoutOf());
  expect((await check("m1")).map(({ type }) => type)).toEqual(["scout_proposal_closed", "accepted"]);
});

test("another person's scout of that id is none of theirs", async () => {
  await cloud.ledger.put(scoutOf(bob));
  expect((await check("m1"))[0]).toEqual(removed);
});

test.each([
  { type: "scout_proposal_resolved", round: 1, outcome: "approved" },
  { type: "scout_proposal_reopen", round: 1 },
])(
  "a $type of a removed scout's proposal is refused as that, and of another forgotten one as unknown",
  async (frame) => {
    expect(await say({ ...frame, proposalId: `${inbox}.m1` })).toMatchObject([{ code: "scout_not_found" }]);
    await cloud.ledger.put(scoutOf());
    expect(await say({ ...frame, proposalId: `${inbox}.m1` })).toMatchObject([{ code: "proposal_not_found" }]);
  },
);

test("what is known costs no more requests than before", async () => {
  await cloud.items.judge(item("m1"), relevant, cloud.nowMs);
  const before = cloud.requests();
  await check("m1");
  expect(cloud.requests() - before).toBe(1);
});
