import { systemClock } from "../../shared/ports/clock.ts";
import type { ConnectorRegistry, SourceConnector } from "../../shared/scouts/connectors/connector.ts";
import { FeedConnector } from "../../shared/scouts/connectors/feed/connector.ts";
import { GmailArchive } from "../../shared/scouts/connectors/gmail/archive.ts";
import { GmailClient } from "../../shared/scouts/connectors/gmail/client.ts";
import { GmailConnector, gmailLimits } from "../../shared/scouts/connectors/gmail/connector.ts";
import { GmailCredentials } from "../../shared/scouts/connectors/gmail/credentials.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { linked, setting } from "../environment.ts";
import { once } from "../once.ts";
import { vaultSealer } from "./keys.ts";
import { ledger } from "./tables.ts";

export const gmailCredentials = once(() => {
  const oauth = {
    clientId: setting("GOOGLE_CLIENT_ID"),
    clientSecret: linked("GoogleClientSecret").value,
    tokenUrl: setting("GOOGLE_TOKEN_URL"),
  };
  return new GmailCredentials(ledger(), vaultSealer, oauth, systemClock);
});

export const gmail = once(() => {
  const client = new GmailClient(gmailCredentials(), setting("GMAIL_API_URL"), systemClock);
  const archive = new GmailArchive(client, gmailCredentials());
  const limits = { ...gmailLimits, unitsPerMinute: Number(setting("GMAIL_UNITS_PER_MINUTE")) };
  return new GmailConnector(client, setting("GMAIL_TOPIC"), systemClock, archive, limits);
});

const feed = once(
  () =>
    new FeedConnector({
      scouts: new ScoutStore(ledger()),
      vault: vaultSealer,
      clock: systemClock,
      reach: setting("FEED_ADDRESSES") === "any" ? "any" : "public",
    }),
);

/** A new source is one line here. A deployment without a Google client knows no Gmail (docs/deploy.md). */
export const connectors = once((): ConnectorRegistry => {
  const all: readonly SourceConnector[] = [...(setting("GOOGLE_CLIENT_ID") === "off" ? [] : [gmail()]), feed()];
  return new Map(all.map((connector) => [connector.sourceType, connector]));
});
