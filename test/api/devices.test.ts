import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { devicesResponse } from "../../events/http/device.ts";
import { type DeviceId, deviceId, type UserId } from "../../events/ids.ts";
import { ConnectionStore, connectionLifeMs } from "../../shared/devices/connection-store.ts";
import { sessionDisconnected } from "../../shared/devices/session-disconnected.ts";
import { sessionLifeMs } from "../../shared/devices/session-row.ts";
import { SessionStore } from "../../shared/devices/session-store.ts";
import { sessionsKey } from "../../shared/keys.ts";
import { newId } from "../memory/chance.ts";
import { type ApiSetting, ada, apiSetting, bob } from "./setting.ts";

const idOf = (letter: string): DeviceId => deviceId.parse(`dev_01KE5Q8600ESE4NYY1EVXDNQE${letter}`);
const [laptop, desk, another] = [idOf("A"), idOf("B"), idOf("C")];
const minuteMs = 60_000;

let api: ApiSetting;
let store: SessionStore;
beforeEach(async () => {
  api = await apiSetting();
  store = new SessionStore(api.sessions, api.ports.vault, { newId, newKey: () => new Uint8Array(32).fill(4) });
});
afterEach(() => api.mailbox.close());

/** A device that says hello, as functions/socket has it. */
async function hello(user: UserId, device: DeviceId): Promise<void> {
  await store.resume(user, device, `of-${device}`, api.nowMs);
  await new ConnectionStore(api.sessions).add(user, `of-${device}`, device, api.nowMs);
}

/** Its connection ends, and the gateway says so. */
async function goes(user: UserId, device: DeviceId): Promise<void> {
  await new ConnectionStore(api.sessions).remove(user, `of-${device}`);
  await sessionDisconnected(api.sessions, { userId: user, deviceId: device, connectionId: `of-${device}` }, api.nowMs);
}

const listed = async (as = "ada") =>
  devicesResponse.parse((await api.ask("GET", "/api/v1/devices", { as })).body).devices;

describe("GET /api/v1/devices", () => {
  test("a person sees the devices that use their account, and nobody else's", async () => {
    expect(await listed()).toEqual([]);
    await hello(ada, desk);
    await hello(ada, laptop);
    await hello(bob, another);
    const seenAt = api.nowMs;
    expect(await listed()).toEqual([
      { deviceId: laptop, isConnected: true, seenAt },
      { deviceId: desk, isConnected: true, seenAt },
    ]);
    expect((await listed("bob")).map(({ deviceId: id }) => id)).toEqual([another]);
    expect((await api.ask("GET", "/api/v1/devices", { as: null })).status).toBe(401);
  });

  test("one that has gone is told with when it went, for two hours; one that came back is connected", async () => {
    await hello(ada, desk);
    await hello(ada, laptop);
    const wentAt = api.nowMs;
    await goes(ada, desk);
    api.nowMs += 30 * minuteMs;
    expect(await listed()).toEqual([
      { deviceId: laptop, isConnected: true, seenAt: api.nowMs },
      { deviceId: desk, isConnected: false, seenAt: wentAt },
    ]);
    await hello(ada, desk);
    expect((await listed()).map(({ isConnected }) => isConnected)).toEqual([true, true]);
    await goes(ada, desk);
    api.nowMs += sessionLifeMs;
    expect((await listed()).map(({ deviceId: id }) => id)).toEqual([laptop]);
  });

  test("one whose end the gateway never told is connected until its connection's longest life is over, and never seen in time to come", async () => {
    await hello(ada, desk);
    api.nowMs += connectionLifeMs - 1;
    expect(await listed()).toMatchObject([{ isConnected: true }]);
    api.nowMs += 1;
    expect(await listed()).toEqual([{ deviceId: desk, isConnected: false, seenAt: api.nowMs }]);
    // The post that met a closed connection took its row away.
    await hello(ada, desk);
    await new ConnectionStore(api.sessions).remove(ada, `of-${desk}`);
    expect(await listed()).toEqual([{ deviceId: desk, isConnected: false, seenAt: api.nowMs }]);
  });

  test("a damaged row keeps no other device from being told, and the operator hears of it", async () => {
    await hello(ada, laptop);
    await api.sessions.put({ ...sessionsKey.session(ada, desk), expiresAt: "soon" });
    expect((await listed()).map(({ deviceId: id }) => id)).toEqual([laptop]);
    expect(api.logged).toContain("configuration_invalid");
  });
});
