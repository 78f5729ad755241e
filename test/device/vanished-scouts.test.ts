import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { askAboutOffScouts } from "../../device/connection/deliveries/scout-news.ts";
import type { DeviceEvents } from "../../device/connection/events.ts";
import { checkScouts } from "../../device/doctor/scout-checks.ts";
import { troubleLine } from "../../device/sources/trouble.ts";
import { forgetVanished } from "../../device/store/scout-is-removed.ts";
import type { ListedScout } from "../../device/store/tables/known-scouts.ts";
import { scoutId } from "../../events/ids.ts";
import { makeProposal } from "./fake-cloud.ts";
import { deviceOn, startCloud, temporaryStore } from "./setting.ts";

const { scoutId: id } = makeProposal(1);
const [news, mail] = [id, scoutId.parse("sct_01JD0000000000000000000001")].map(
  (each, n): ListedScout => ({ id: each, name: ["News", "Mail"][n] ?? "", sourceType: "feed", disabledCode: null }),
) as [ListedScout, ListedScout];
const code = "scout_not_found";

describe("nothing silent: a scout that this device knows and the home does not", () => {
  test("is kept and said, with both causes and both cures", () => {
    const store = temporaryStore();
    store.knownScouts.replace([news, mail]);
    for (const _ of [1, 2]) store.knownScouts.replace([mail]);
    const off = store.knownScouts.off();
    expect(off).toMatchObject([{ id, name: "News", offCode: code }]);
    const [line] = off.map((trouble) => troubleLine(trouble, Date.now()));
    expect(line).toMatch(/^News .*another device.*older copy.*scouts add.*scouts remove News/);
  });

  test("one whose name the home cannot read any more stays what it was called", () => {
    const store = temporaryStore();
    store.knownScouts.replace([news]);
    store.knownScouts.replace([{ ...news, name: id, disabledCode: "row_damaged" }]);
    expect(store.knownScouts.off()).toMatchObject([{ id, name: "News", offCode: "row_damaged" }]);
  });

  test("is not said of one that was removed here, is there again, or was added anew; its person can have it forgotten", () => {
    const store = temporaryStore();
    const vanish = () => {
      store.knownScouts.replace([news, mail]);
      store.knownScouts.replace([mail]);
      expect(store.knownScouts.off()).toHaveLength(1);
    };
    vanish();
    store.knownScouts.replace([news, mail]);
    expect(store.knownScouts.off()).toEqual([]);
    vanish();
    store.knownScouts.replace([mail, { ...news, id: scoutId.parse("sct_01JD0000000000000000000002") }]);
    expect(store.knownScouts.off()).toEqual([]);
    vanish();
    expect(forgetVanished(store, "news")).toMatchObject({ id });
    expect(store.knownScouts.off()).toEqual([]);
    expect(forgetVanished(store, "Mail")).toBeUndefined();
  });

  test("is not said of one that was being removed when it was last listed", () => {
    const store = temporaryStore();
    store.knownScouts.replace([{ ...news, disabledCode: "scout_deleting" }, mail]);
    store.knownScouts.replace([mail]);
    expect(store.knownScouts.list()).toMatchObject([{ id: mail.id }]);
  });

  test("is noted by a device that was away, and not by one that hears its person remove it", async () => {
    const cloud = await startCloud();
    cloud.proposals.push(makeProposal(1));
    const store = temporaryStore();
    store.knownScouts.replace([news, mail]);
    const device = deviceOn(cloud, store);
    device.connect();
    await device.settled();
    await device.close({ keepSession: true });
    cloud.onFrame = (frame, connection) => {
      if (frame.type === "proposals_check") connection.send({ type: "scout_removed", scoutId: id });
      return "default";
    };
    store.identity.update({ seenAt: Date.now() - 86_400_000 });
    device.connect();
    await device.settled();
    expect(store.knownScouts.off()).toMatchObject([{ id, offCode: code }]);
    expect(store.proposals.find(makeProposal(1).id)).toMatchObject({ closedReason: "scout_removed" });

    const pulls = cloud.framesOf("proposals_pull").length;
    cloud.push({ type: "scout_removed", scoutId: mail.id });
    device.pull();
    await cloud.until(() => cloud.framesOf("proposals_pull").length > pulls);
    await device.settled();
    expect(store.knownScouts.find(mail.id)).toBeUndefined();
  });

  test("is noted by scouts doctor, which does not fail for it", async () => {
    const cloud = await startCloud();
    cloud.onRequest = (_, __, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ scouts: [], nextCursor: null }));
      return "handled";
    };
    const { knownScouts } = temporaryStore();
    knownScouts.replace([news]);
    const home = { apiUrl: cloud.url, auth: async () => "t" };
    const checks = await checkScouts(home, Date.now(), (work) => work(knownScouts));
    expect(checks).toMatchObject([{ name: "scout", state: "note", code: "scout_vanished" }]);
    expect(checks[0]?.advice).toContain("scouts remove News");
  });
});

test("a scout that was off, and that the home does not know any more, is not said to work again", async () => {
  const cloud = await startCloud();
  cloud.onRequest = (_, __, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ scouts: [], nextCursor: null }));
    return "handled";
  };
  const store = temporaryStore();
  // Off before its name was known.
  store.knownScouts.switchedOff(id, "reauth", 1);
  const events = new EventEmitter<DeviceEvents>();
  const mended: string[] = [];
  events.on("mended", (scout) => mended.push(scout.scoutId));
  const home = { apiUrl: cloud.url, auth: async () => "t" };
  await askAboutOffScouts(home, store, events, new AbortController().signal);
  expect(store.knownScouts.list()).toEqual([]);
  expect(mended).toEqual([]);
});
