import { expect, test } from "vitest";
import { protocolVersion } from "../../events/frames/limits.ts";
import type { DeviceId } from "../../events/ids.ts";
import { mostConnections } from "../../shared/devices/connection-store.ts";
import { answerFrame } from "../../shared/devices/frames/answer.ts";
import { newId } from "../memory/chance.ts";
import { ada, bob, laptop, phone } from "../unit/scouts/setting.ts";
import { MemoryCloud } from "./cloud.ts";

/** Connections that say hello a second apart. */
async function greet(cloud: MemoryCloud, userId: typeof ada, deviceId: DeviceId, names: readonly string[]) {
  for (const connectionId of names) {
    cloud.nowMs += 1_000;
    const hello = { type: "hello", id: `frm_${newId()}`, protocol: protocolVersion, deviceId };
    await answerFrame(cloud.ports, { userId, deviceId, connectionId }, JSON.stringify(hello));
  }
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `c${n}`);
const open = async (cloud: MemoryCloud, user: typeof ada) =>
  (await cloud.connections.list(user, cloud.nowMs)).map(({ connectionId }) => connectionId);

test("a person has a most of connections: the oldest of the device with most are told so and closed, nobody else's", async () => {
  const cloud = new MemoryCloud();
  await greet(cloud, ada, laptop, ["steady"]);
  await greet(cloud, bob, laptop, ["theirs"]);
  await greet(cloud, ada, phone, numbered(mostConnections + 2));
  expect(cloud.closed).toEqual(["c0", "c1", "c2"]);
  const told = cloud.posted.filter(({ frame }) => frame.type === "error");
  expect(told.map(({ to }) => to)).toEqual(cloud.closed);
  expect(told[0]?.frame).toMatchObject({ code: "rate_limited", data: { mostConnections } });
  expect(await open(cloud, ada)).toEqual(expect.arrayContaining(["steady", `c${mostConnections + 1}`]));
  expect(await open(cloud, ada)).toHaveLength(mostConnections);
  expect(await open(cloud, bob)).toEqual(["theirs"]);
});

test("who says hello gets a session though another connection cannot be closed, and the next closes it", async () => {
  let isDeaf = true;
  const posted: string[] = [];
  const closed: string[] = [];
  const cloud = new MemoryCloud(undefined, {
    sockets: {
      post: async (to, frame) => {
        if (isDeaf && frame.type === "error") throw new Error("the gateway fails");
        posted.push(`${to} ${frame.type}`);
        return "sent";
      },
      close: async (connectionId) => void closed.push(connectionId),
    },
  });
  await greet(cloud, ada, phone, numbered(mostConnections + 1));
  expect(posted.at(-1)).toBe(`c${mostConnections} session_ready`);
  expect(closed).toEqual([]);
  isDeaf = false;
  await greet(cloud, ada, phone, ["last"]);
  expect(closed).toEqual(["c0", "c1"]);
});
