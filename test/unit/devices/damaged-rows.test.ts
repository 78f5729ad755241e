import { beforeEach, describe, expect, test } from "vitest";
import type { ServerFrame } from "../../../events/frames/frames.ts";
import { protocolVersion } from "../../../events/frames/limits.ts";
import { proposalId, scoutId } from "../../../events/ids.ts";
import { answerFrame } from "../../../shared/devices/frames/answer.ts";
import { ledgerKey, sessionsKey } from "../../../shared/keys.ts";
import type { Key } from "../../../shared/ports/table.ts";
import { MemoryLog } from "../../memory/log.ts";
import { MemoryCloud } from "../../socket/cloud.ts";
import { ada, decide, inbox, item, laptop, newFrame, ref, relevant } from "../scouts/setting.ts";

const other = scoutId.parse("sct_01KE5Q8600ESE4NYY1EVXDNQEF");
const from = { userId: ada, deviceId: laptop, connectionId: "c1" };
const told = ["configuration_invalid", "row_damaged"];

let cloud: MemoryCloud;
let log: MemoryLog;
beforeEach(async () => {
  log = new MemoryLog();
  cloud = new MemoryCloud(undefined, { log });
  for (const scout of [inbox, other]) {
    const row = { userId: ada, scoutId: scout, createdAt: cloud.nowMs, sourceType: "gmail", sealed: "" };
    await cloud.ledger.put({ ...ledgerKey.scout(ada, scout), ...row });
  }
  for (const name of ["m1", "m2", "m3"]) await judged(name);
});

async function judged(name: string, scout = inbox): Promise<void> {
  cloud.nowMs += 1;
  await cloud.items.judge({ ...item(name), scoutId: scout }, relevant, cloud.nowMs);
}
/** As a version that is rolled back leaves it: a code that the one before does not know. */
const damage = (key: Key, attribute: string) =>
  cloud.ledger.update(key, { set: [[[attribute], "of_a_later_version"]] });
const mend = (key: Key, attribute: string) => cloud.ledger.update(key, { remove: [[attribute]] });
const rowOf = (name: string) => ledgerKey.item(ada, inbox, ref(name));

async function pulled(): Promise<string[]> {
  await cloud.delivery.pull(from, { limit: 9 });
  return refsOf(cloud.posted.splice(0).map(({ frame }) => frame));
}
const refsOf = (frames: readonly ServerFrame[]) =>
  frames.flatMap((frame) => (frame.type === "scout_proposal" ? [frame.proposal.sourceMsgRef] : []));
async function answers(frame: object): Promise<ServerFrame[]> {
  await answerFrame(cloud.ports, from, JSON.stringify({ id: newFrame(), ...frame }));
  return cloud.posted.splice(0).map(({ frame: answer }) => answer);
}

describe("nothing silent: a row that cannot be read keeps nothing else of its person", () => {
  test("an item keeps no other from being delivered, and comes when it is mended", async () => {
    await damage(rowOf("m1"), "code");
    expect(await pulled()).toEqual(["m2", "m3"]);
    expect(log.errors).toEqual([told]);
    await mend(rowOf("m1"), "code");
    expect(await pulled()).toEqual(["m1", "m2", "m3"]);
  });

  test("a scout keeps its own items waiting, not those of others", async () => {
    await judged("o1", other);
    await damage(ledgerKey.scout(ada, inbox), "failureCode");
    expect(await pulled()).toEqual(["o1"]);
    expect(log.errors).toEqual([told]);
    await mend(ledgerKey.scout(ada, inbox), "failureCode");
    expect(await pulled()).toEqual(["m1", "m2", "m3", "o1"]);
  });

  test("what of others was decided is told all the same, and of the damaged one nothing", async () => {
    await decide(cloud.ledger, item("m2"));
    await damage(rowOf("m1"), "code");
    await damage(ledgerKey.scout(ada, other), "failureCode");
    const proposalIds = ["m1", "m2", "m3"].map((name) => `${inbox}.${name}`).concat(`${other}.forgotten`);
    expect(await answers({ type: "proposals_check", proposalIds })).toMatchObject([
      { type: "scout_proposal_closed", proposalId: `${inbox}.m2`, reason: "resolved_elsewhere" },
      { type: "scout_proposal_closed", proposalId: `${other}.forgotten`, reason: "gone" },
      { type: "accepted" },
    ]);
  });

  test("acks of others are accepted with one of it, which changes nothing", async () => {
    await damage(rowOf("m1"), "status");
    const proposalIds = ["m1", "m2"].map((name) => `${inbox}.${name}`);
    expect(await answers({ type: "scout_proposals_ack", proposalIds })).toMatchObject([{ type: "accepted" }]);
    expect(cloud.ledger.peek(rowOf("m2"))).toMatchObject({ status: "delivered" });
    expect(cloud.ledger.peek(rowOf("m1"))).toMatchObject({ status: "of_a_later_version" });
  });

  test("of a socket keeps the person's other devices from nothing: they say hello, and hear of what is new", async () => {
    for (const id of ["c2", "c3"]) await cloud.connections.add(ada, id, laptop, cloud.nowMs);
    const key = sessionsKey.connection(ada, "c2");
    await cloud.sessions.update(key, { set: [[["expiresAt"], "of_a_later_version"]] });
    expect(await answers({ type: "hello", protocol: protocolVersion, deviceId: laptop })).toMatchObject([
      { type: "session_ready" },
    ]);
    const closed = { type: "scout_proposal_closed", proposalId: proposalId.parse(`${inbox}.m1`), round: 1 } as const;
    await cloud.delivery.toEveryDevice(ada, [{ ...closed, reason: "gone" }]);
    expect(cloud.posted.map(({ to }) => to).sort()).toEqual(["c1", "c3"]);
  });
});
