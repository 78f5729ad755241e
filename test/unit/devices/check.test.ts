import { ulid } from "ulidx";
import { expect, test } from "vitest";
import type { ServerFrame } from "../../../events/frames/frames.ts";
import { answerFrame } from "../../../shared/devices/frames/answer.ts";
import { expiryMs, openAtOf } from "../../../shared/scouts/items/item-row.ts";
import { type From, MemoryCloud } from "../../socket/cloud.ts";
import { ada, bob, decide, inbox, item, laptop, phone, relevant } from "../scouts/setting.ts";

const from = { userId: ada, deviceId: laptop, connectionId: "c1" };

async function closingsOf(cloud: MemoryCloud, refs: readonly string[], by = from) {
  const proposalIds = refs.map((ref) => `${inbox}.${ref}`);
  await answerFrame(cloud.ports, by, JSON.stringify({ type: "proposals_check", id: `frm_${ulid()}`, proposalIds }));
  expect(cloud.posted.pop()?.frame).toMatchObject({ type: "accepted" });
  return cloud.posted
    .splice(0)
    .filter(({ frame }) => frame.type !== "scout_removed")
    .map(({ to, frame }) =>
      frame.type === "scout_proposal_closed" ? `${to} ${frame.proposalId} ${frame.reason}` : frame,
    );
}

test("says what was decided, is gone, has expired or was forgotten, once each, and nothing of what is open", async () => {
  const cloud = new MemoryCloud();
  const shownAs = (name: string) => ({ ...item(name), openAt: openAtOf(cloud.nowMs, inbox, name) });
  for (const name of ["open", "delivered", "acked", "gone", "expired"]) {
    await cloud.items.judge(item(name), relevant, cloud.nowMs);
  }
  await cloud.items.judge(item("old"), relevant, cloud.nowMs - expiryMs - 1);
  await cloud.items.delivered(item("delivered"), laptop, 1, cloud.nowMs);
  await decide(cloud.ledger, item("acked"));
  await cloud.items.close(shownAs("gone"), "gone", cloud.nowMs);
  await cloud.items.close(shownAs("expired"), "expired", cloud.nowMs);
  const refs = ["open", "delivered", "acked", "acked", "gone", "expired", "old", "forgotten"];
  expect(await closingsOf(cloud, refs)).toEqual([
    `c1 ${inbox}.acked resolved_elsewhere`,
    `c1 ${inbox}.gone gone`,
    `c1 ${inbox}.expired expired`,
    `c1 ${inbox}.old expired`,
    `c1 ${inbox}.forgotten gone`,
  ]);
});

test("another person's proposals are as good as unknown, and stay as they are", async () => {
  const cloud = new MemoryCloud();
  await cloud.items.judge(item("theirs", bob), relevant, cloud.nowMs);
  expect(await closingsOf(cloud, ["theirs"])).toEqual([`c1 ${inbox}.theirs gone`]);
  expect((await cloud.items.getMany([item("theirs", bob)]))[0]?.status).toBe("queued");
});

test("costs one read, however many are asked about, and another for the scouts of those that are not there", async () => {
  const cloud = new MemoryCloud(() => 1);
  const before = cloud.requests();
  await closingsOf(
    cloud,
    Array.from({ length: 100 }, (_, n) => `m${n}`),
  );
  expect(cloud.requests() - before).toBe(2);
});

test.each([
  ["fails", () => Promise.reject(new Error("the gateway does not answer"))],
  ["finds nobody", async () => "gone" as const],
])(
  "P2: a decision counts though telling another device %s, and that device is told by its next check",
  async (_, post) => {
    let isLost = true;
    const told: ServerFrame[] = [];
    const cloud: MemoryCloud = new MemoryCloud(undefined, {
      sockets: {
        post: async (to, frame) => {
          if (to === "c2" && isLost) return post();
          told.push(frame);
          return "sent";
        },
        close: async () => {},
      },
    });
    const say = (by: From, frame: object) =>
      answerFrame(cloud.ports, by, JSON.stringify({ id: `frm_${ulid()}`, ...frame }));
    const other: From = { ...from, deviceId: phone, connectionId: "c2" };
    await cloud.items.judge(item("m1"), relevant, cloud.nowMs);
    await cloud.connections.add(ada, "c2", phone, cloud.nowMs);
    const proposalId = `${inbox}.m1`;
    await say(from, { type: "scout_proposal_resolved", proposalId, round: 1, outcome: "approved" });
    expect(told.splice(0)).toEqual([expect.objectContaining({ type: "accepted", decision: "counted" })]);
    isLost = false;
    await say(other, { type: "proposals_check", proposalIds: [proposalId] });
    expect(told[0]).toMatchObject({ type: "scout_proposal_closed", proposalId, reason: "resolved_elsewhere" });
  },
);
