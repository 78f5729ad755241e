import { expect, test } from "vitest";
import { CurrentFeeds } from "../../../shared/scouts/connectors/feed/current-feeds.ts";
import type { FeedItem } from "../../../shared/scouts/connectors/feed/document/feed.ts";
import { ada, inbox, nowMs as startMs } from "./setting.ts";

const item = (title: string) => ({ title }) as unknown as FeedItem;

test("an item that comes after the clock was set back is found, and not taken for gone", async () => {
  let nowMs = startMs;
  const byRef = new Map([["first", item("first")]]);
  const feeds = new CurrentFeeds(
    async () => ({ byRef: new Map(byRef), complete: true }),
    () => nowMs,
  );
  const scout = { userId: ada, scoutId: inbox };
  await feeds.find(scout, "first");
  nowMs -= 3_600_000;
  byRef.set("second", item("second"));
  expect(await feeds.find(scout, "second")).toMatchObject({ title: "second" });
});
