import { systemClock } from "../../shared/ports/clock.ts";
import { Idempotency } from "../../shared/requests/idempotency.ts";
import { RateLimit } from "../../shared/requests/rate-limit.ts";
import type { ScoutAtSource } from "../../shared/scouts/connectors/connector.ts";
import type { ConnectPorts } from "../../shared/scouts/connectors/gmail/connect.ts";
import { revokeToken } from "../../shared/scouts/connectors/gmail/oauth.ts";
import { SpamStore } from "../../shared/scouts/items/spam-store.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { MailboxStore } from "../../shared/scouts/watch/mailbox-store.ts";
import { connectors, gmail, gmailCredentials, mailbox } from "../compose/connectors.ts";
import { delivery } from "../compose/delivery.ts";
import { vaultSealer } from "../compose/keys.ts";
import { sourceQuota } from "../compose/quota.ts";
import { secretKey } from "../compose/secret-key.ts";
import { ledger, sessions } from "../compose/tables.ts";
import { syncQueues, trialQueues } from "../compose/work/source-queues.ts";
import { trialStore } from "../compose/work/trial-store.ts";
import { linked, setting } from "../environment.ts";
import { newId } from "../ids.ts";
import { log } from "../log.ts";
import { once } from "../once.ts";
import type { ApiPorts } from "./ports.ts";
import { gmailCallbackPath } from "./routes/gmail.ts";

const oauth = once(() => ({
  clientId: setting("GOOGLE_CLIENT_ID"),
  clientSecret: linked("GoogleClientSecret").value,
  authUrl: setting("GOOGLE_AUTH_URL"),
  tokenUrl: setting("GOOGLE_TOKEN_URL"),
  revokeUrl: setting("GOOGLE_REVOKE_URL"),
}));

const gmailPorts = once(
  (): ConnectPorts => ({
    ledger: ledger(),
    scouts: new ScoutStore(ledger()),
    mailboxes: new MailboxStore(ledger()),
    credentials: gmailCredentials(),
    vault: vaultSealer,
    connector: gmail(),
    sync: syncQueues(),
    addressKey: secretKey("AddressKey"),
    stateKey: secretKey("TicketKey"),
    sessions: sessions(),
    oauth: oauth(),
    redirectUri: new URL(gmailCallbackPath, setting("PUBLIC_URL")).href,
    clock: systemClock,
    newId,
  }),
);

const revokeGmail = async (scout: ScoutAtSource) => revokeToken(oauth(), await gmailCredentials().refreshToken(scout));

export const apiPorts = once(
  (): ApiPorts => ({
    ledger: ledger(),
    sessions: sessions(),
    scouts: new ScoutStore(ledger()),
    mailboxes: new MailboxStore(ledger()),
    spam: new SpamStore(ledger()),
    vault: vaultSealer,
    connectors: connectors(),
    quota: sourceQuota(),
    notices: delivery(),
    releases: new Map([
      ["gmail", revokeGmail],
      ["mailbox", (scout: ScoutAtSource) => mailbox().forget(scout)],
    ]),
    sender: delivery(),
    sync: syncQueues(),
    trials: trialStore(),
    trialQueue: trialQueues(),
    addressKey: secretKey("AddressKey"),
    rate: new RateLimit(sessions(), systemClock),
    idempotency: new Idempotency(sessions(), secretKey("TicketKey"), systemClock),
    gmail: gmailPorts(),
    ticketKey: secretKey("TicketKey"),
    socketUrl: linked("DeviceSocket").url,
    clock: systemClock,
    newId,
    log,
  }),
);
