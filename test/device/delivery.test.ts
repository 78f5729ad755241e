import { expect, test } from "vitest";
import { seededRandom } from "../../infra/standins/seeded-random.ts";
import { seeds } from "../rounds.ts";
import { makeProposal } from "./fake-cloud.ts";
import { deviceOn, startCloud, temporaryStore } from "./setting.ts";

test("P2: every open proposal is stored once and acked, over as many pages as it takes", async () => {
  const cloud = await startCloud();
  cloud.proposals.push(...Array.from({ length: 120 }, (_, n) => makeProposal(n)));
  const store = temporaryStore();
  const device = deviceOn(cloud, store);

  device.connect();
  await device.settled();

  expect(store.proposals.list()).toHaveLength(120);
  expect(cloud.ackedBy.size).toBe(120);
  expect(cloud.framesOf("proposals_pull")).toHaveLength(3);
  expect(store.proposals.list({ limit: 1 })[0]).toMatchObject({
    id: "sct_01JD0000000000000000000000.msg-119",
    rawSubject: "Subject 119",
    rawSnippet: "Snippet 119",
    category: "unprocessed",
    status: "pending",
    payload: null,
  });
});

test.each(seeds([1, 2, 3]))(
  "P2: 2,000 proposals are exactly once on two devices although connections are cut at random (seed %i)",
  async (seed) => {
    const cloud = await startCloud();
    cloud.overlap = 7;
    const random = seededRandom(seed);
    const expected = Array.from({ length: 2_000 }, (_, n) => makeProposal(n));
    cloud.proposals.push(...expected);
    let cuts = 0;
    cloud.onSend = (_, connection) => {
      if (cuts >= 100 || random() > 0.01) return true;
      cuts++;
      connection.cut();
      return random() < 0.5;
    };
    const stores = [temporaryStore(), temporaryStore()];
    const devices = stores.map((store) => deviceOn(cloud, store, { random }));
    const heard = stores.map(() => [] as string[]);
    devices.forEach((device, i) => {
      device.events.on("proposal", ({ id }) => heard[i]?.push(id));
    });

    for (const device of devices) device.connect();
    await Promise.all(devices.map((device) => device.settled()));

    expect(cuts).toBeGreaterThan(20);
    const ids = expected.map(({ id }) => id).sort();
    stores.forEach((store, i) => {
      expect(
        store.proposals
          .list()
          .map(({ id }) => id)
          .sort(),
      ).toEqual(ids);
      expect(heard[i]?.sort()).toEqual(ids);
      const { deviceId } = store.identity.get();
      expect(ids.every((id) => cloud.ackedBy.get(id)?.has(deviceId))).toBe(true);
    });
  },
);
