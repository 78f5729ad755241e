import { expect, test } from "vitest";
import { ScoutsError } from "../../../events/errors.ts";
import { JudgingCloud } from "./judging-cloud.ts";

const isGone = () => Promise.reject(new ScoutsError("item_gone"));

/** An item that was away when it was to be judged. */
async function missed() {
  const cloud = await new JudgingCloud().begin();
  const { read } = cloud;
  cloud.read = isGone;
  await cloud.arrive("m1");
  expect(await cloud.row("m1")).toMatchObject({ status: "gone", code: "item_gone" });
  return { cloud, read };
}

test("P2: an item that comes back before it was judged is judged, once", async () => {
  const { cloud, read } = await missed();
  cloud.read = read;
  await cloud.arrive("m1");
  expect(await cloud.row("m1")).toMatchObject({ status: "queued", reasonCode: "other" });
  await cloud.arrive("m1");
  expect(cloud.asked).toEqual(["m1"]);
  expect(await cloud.tokens()).toEqual({ used: 110, committed: 110, open: 0 });
});

test("P2: one that is back while its source does not answer waits for that", async () => {
  const { cloud, read } = await missed();
  cloud.read = () => Promise.reject(new ScoutsError("source_unavailable"));
  await cloud.arrive("m1");
  expect(await cloud.row("m1")).toMatchObject({ status: "failed", code: "source_unavailable" });
  cloud.read = read;
  await cloud.pass(20);
  expect(await cloud.row("m1")).toMatchObject({ status: "queued" });
});

test("one that is still gone stays so, and holds no tokens", async () => {
  const { cloud } = await missed();
  await cloud.arrive("m1");
  expect(await cloud.row("m1")).toMatchObject({ status: "gone" });
  expect(await cloud.tokens()).toEqual({ used: 0, committed: 0, open: 0 });
});

test("one that was judged and is gone since is judged no more", async () => {
  const cloud = await new JudgingCloud().begin();
  await cloud.arrive("m1");
  const row = await cloud.row("m1");
  if (row) await cloud.items.close(row, "gone", cloud.nowMs);
  await cloud.arrive("m1");
  expect(await cloud.row("m1")).toMatchObject({ status: "gone", reasonCode: "other" });
  expect(cloud.asked).toEqual(["m1"]);
});
