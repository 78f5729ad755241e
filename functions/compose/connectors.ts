import { LambdaSource } from "../../shared/aws/lambda-source.ts";
import { systemAfter, systemClock } from "../../shared/ports/clock.ts";
import type { ConnectorRegistry, SourceConnector } from "../../shared/scouts/connectors/connector.ts";
import { FeedConnector } from "../../shared/scouts/connectors/feed/connector.ts";
import { GmailArchive } from "../../shared/scouts/connectors/gmail/archive.ts";
import { GmailClient } from "../../shared/scouts/connectors/gmail/client.ts";
import { GmailConnector, gmailLimits } from "../../shared/scouts/connectors/gmail/connector.ts";
import { GmailCredentials } from "../../shared/scouts/connectors/gmail/credentials.ts";
import { imapLimitsOf } from "../../shared/scouts/connectors/imap/limits.ts";
import { imapSecrets, imapSettings as schema } from "../../shared/scouts/connectors/imap/settings.ts";
import { MailboxConnector } from "../../shared/scouts/connectors/mailbox/connector.ts";
import { MailboxServer } from "../../shared/scouts/connectors/mailbox/server.ts";
import { RemoteConnector } from "../../shared/scouts/connectors/remote/remote-connector.ts";
import { SettingsVault } from "../../shared/scouts/connectors/settings-vault.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { linked, setting } from "../environment.ts";
import { once } from "../once.ts";
import { vaultSealer } from "./keys.ts";
import { ledger } from "./tables.ts";

/** The function that waits has less time itself; a person waits behind it. */
const callTimeoutMs = 18_000;

export const gmailCredentials = once(() => {
  const oauth = {
    clientId: setting("GOOGLE_CLIENT_ID"),
    clientSecret: linked("GoogleClientSecret").value,
    tokenUrl: setting("GOOGLE_TOKEN_URL"),
  };
  return new GmailCredentials(ledger(), vaultSealer, oauth, systemClock, systemAfter);
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

/** Mailboxes at other servers: read by a function of their own, which alone carries the library for it. */
const imap = once(
  () =>
    new RemoteConnector(
      {
        sourceType: "imap",
        limits: imapLimitsOf(setting("IMAP_UNITS_PER_MINUTE")),
        settings: { schema, secrets: imapSecrets },
      },
      new LambdaSource(linked("ImapWorker").name, callTimeoutMs),
    ),
);

/** Mail in files, where the home's machine serves it. */
export const mailbox = once(() => {
  const server = new MailboxServer(setting("MAILBOX_SERVER_URL"));
  return new MailboxConnector(server, new SettingsVault(new ScoutStore(ledger()), vaultSealer), systemClock);
});

/** A new source is one line here. A deployment without a Google client knows no Gmail (docs/deploy.md). */
export const connectors = once((): ConnectorRegistry => {
  const all: readonly SourceConnector[] = [
    ...(setting("GOOGLE_CLIENT_ID") === "off" ? [] : [gmail()]),
    ...(setting("MAILBOX_SERVER_URL") === "off" ? [] : [mailbox()]),
    feed(),
    imap(),
  ];
  return new Map(all.map((connector) => [connector.sourceType, connector]));
});
