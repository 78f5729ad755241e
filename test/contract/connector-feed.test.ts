import { type FeedPath, formats } from "../../infra/standins/feeds/formats.ts";
import { type FeedFault, startFeeds } from "../../infra/standins/feeds/start.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { FeedConnector } from "../../shared/scouts/connectors/feed/connector.ts";
import { freshForMs } from "../../shared/scouts/connectors/feed/current-feeds.ts";
import { SettingsVault } from "../../shared/scouts/connectors/settings-vault.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import {
  type ConnectorUnderTest,
  connectorContract,
  type SourceFailure,
  type SourceLimit,
} from "./connector-contract.ts";
import { OpenTable, scoutAtSource as scout, vault } from "./connector-fixtures.ts";

async function feedUnderTest(path: FeedPath): Promise<ConnectorUnderTest> {
  const feeds = await startFeeds();
  feeds.publish({ guid: "an older item" });
  const ledger = new OpenTable();
  const scouts = new ScoutStore(ledger);
  const sealer = vault();
  let aheadMs = 0;
  const clock = () => Date.now() + aheadMs;
  // Only a server that never answers may meet the time limit: under load any other takes what it takes.
  const limit = { ms: 600_000 };
  const begin = () =>
    new FeedConnector({
      scouts,
      vault: sealer,
      clock,
      reach: "any",
      get timeoutMs() {
        return limit.ms;
      },
    });
  const connector = begin();
  const given = { url: feeds.feedUrl(path) };
  const { own, cursor } = await connector.settings.verify(scout, new Transient({ given }));
  const kept = new Transient({ given, ...(own && { own: own.reveal() }) });
  const sealedSettings = await new SettingsVault(scouts, sealer).seal(scout, kept);
  await scouts.create({
    ...scout,
    sourceType: "feed",
    sealed: "",
    sealedSettings,
    address: "blinded",
    cursor,
    createdAt: 0,
    revision: 0,
  });
  /** What was read a moment ago may still be given out. */
  const age = () => {
    aheadMs += freshForMs + 1;
  };
  const failure = (name: string, code: SourceFailure["code"], fault: FeedFault): SourceFailure => {
    const arm = () => {
      age();
      return feeds.arm(fault);
    };
    return { name, code, arm };
  };
  const limit429 = (
    name: string,
    retryAfter: () => string | undefined,
    waitMs: SourceLimit["waitMs"],
    status = 429,
  ): SourceLimit => {
    const arm = () => {
      age();
      const time = retryAfter();
      return feeds.arm({ kind: "status", status, ...(time === undefined ? {} : { retryAfter: time }) });
    };
    return { name, waitMs, arm };
  };
  return {
    connector,
    scout,
    publish: async (texts) => {
      for (const text of texts) {
        feeds.publish({ guid: text, title: text, html: `<p>It says <b>${text}</b>.</p>` });
      }
    },
    remove: async (text) => {
      feeds.remove(text);
      age();
    },
    failures: [
      failure("500", "source_unavailable", { kind: "status", status: 500 }),
      failure("404", "source_unavailable", { kind: "status", status: 404 }),
      failure("410", "source_gone", { kind: "status", status: 410 }),
      failure("401", "source_wants_password", { kind: "status", status: 401 }),
      failure("429", "source_rate_limited", { kind: "status", status: 429, retryAfter: "120" }),
      failure("503 with a time", "source_rate_limited", { kind: "status", status: 503, retryAfter: "5" }),
      {
        name: "slow",
        code: "source_unavailable",
        arm: () => {
          limit.ms = 50;
          const disarm = feeds.arm({ kind: "slow", delayMs: 60_000 });
          return () => {
            limit.ms = 600_000;
            disarm();
          };
        },
      },
      failure("cut off", "source_unavailable", { kind: "truncated" }),
      failure("a web page in its place", "source_no_feed", { kind: "page" }),
      failure("malformed", "source_unreadable", { kind: "malformed" }),
      failure("huge", "source_too_large", { kind: "huge", bytes: 8 * 1024 * 1024 }),
      failure("bomb", "source_too_large", { kind: "bomb", bytes: 64 * 1024 * 1024 }),
      failure("redirected for ever", "source_leads_round", { kind: "redirect", to: feeds.feedUrl(path) }),
      failure("redirected to a file", "source_address_refused", { kind: "redirect", to: "file:///etc/hosts" }),
    ],
    tells: { sentAt: true, threadRef: false, sourceLink: true },
    restarted: begin,
    update: async (text, now) => {
      feeds.remove(text);
      feeds.publish({ guid: text, title: now });
      age();
    },
    limits: [
      limit429("429 with seconds", () => "120", { atLeast: 120_000, atMost: 120_000 }),
      limit429("429 with a date", () => new Date(clock() + 300_000).toUTCString(), {
        // Dates have no milliseconds, and the request takes its time.
        atLeast: 200_000,
        atMost: 301_000,
      }),
      limit429("429 with a time that has been", () => "Fri, 20 Nov 2020 09:10:00 GMT", {
        atLeast: 1_000,
        atMost: 1_000,
      }),
      limit429("429 with a time nobody waits", () => "99999999", { atLeast: 86_400_000, atMost: 86_400_000 }),
      limit429("429 without a time", () => undefined, { atLeast: 1_000, atMost: 3_600_000 }),
      limit429("503 with a time", () => "90", { atLeast: 90_000, atMost: 90_000 }, 503),
    ],
    // Some characters into its items.
    breaksOff: [failure("the document ends in the middle", "source_unavailable", { kind: "cutDocument", after: 250 })],
    settings: {
      given,
      elsewhere: { url: `${feeds.feedUrl(path)}?other=1` },
      malformed: [{}, { url: "ftp://example.org/feed" }, { ...given, more: 1 }],
    },
    atRest: async () => ledger.everWritten(),
    close: feeds.close,
  };
}

for (const path of Object.keys(formats) as FeedPath[]) {
  connectorContract(`feed (${path} of the feeds stand-in)`, () => feedUnderTest(path));
}
