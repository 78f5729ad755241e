import { afterEach, expect, test } from "vitest";
import { isScoutsError } from "../../events/errors.ts";
import { type Feeds, startFeeds } from "../../infra/standins/feeds/start.ts";
import { outcomeOf } from "../../shared/outcome/outcome.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { FeedConnector } from "../../shared/scouts/connectors/feed/connector.ts";
import { guardedGet } from "../../shared/scouts/connectors/guarded-get.ts";
import { SettingsVault } from "../../shared/scouts/connectors/settings-vault.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { OpenTable, scoutAtSource as scout, vault } from "../contract/connector-fixtures.ts";

const open: Feeds[] = [];
afterEach(async () => {
  for (const feeds of open.splice(0)) await feeds.close();
});

/** A scout on a feed of the internet, whose name leads into the network its home is in by now. */
async function ledInside() {
  const feeds = await startFeeds();
  open.push(feeds);
  feeds.publish({ guid: "first" });
  const scouts = new ScoutStore(new OpenTable());
  const sealer = vault();
  const connector = new FeedConnector({
    ...{ scouts, vault: sealer, clock: Date.now, reach: "any", timeoutMs: 600_000 },
    get: (url, options) => guardedGet(url, { ...options, isPublic: () => true }),
  });
  const url = feeds.feedUrl();
  const verify = () => connector.settings.verify(scout, new Transient({ given: { url } }));
  const { own, cursor } = await verify();
  const kept = new Transient({ given: { url }, ...(own && { own: own.reveal() }) });
  const sealedSettings = await new SettingsVault(scouts, sealer).seal(scout, kept);
  await scouts.create({ ...scout, sourceType: "feed", sealed: "", sealedSettings, cursor, createdAt: 0, revision: 0 });
  return { feeds, connector, cursor };
}

test("a feed whose name leads into a network, as at a hotel's, is asked again and its scout not switched off", async () => {
  const { feeds, connector, cursor } = await ledInside();
  const before = feeds.requests().all;
  const error: unknown = await connector.listNew(scout, { cursor }).catch((thrown: unknown) => thrown);
  expect(isScoutsError(error, "source_unavailable") && error.data["reason"]).toBe("route");
  expect(outcomeOf(error, 0)).toEqual({ kind: "retry", code: "source_unavailable" });
  expect(feeds.requests().all, "nobody is led there").toBe(before);
});
