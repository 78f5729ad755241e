import { completeRequest, connectRequest } from "../../events/http.ts";
import { systemClock } from "../../shared/ports/clock.ts";
import { type ConnectPorts, completeConnection } from "../../shared/scouts/connectors/gmail/connect.ts";
import { beginConsent, consentLifeSeconds, readState } from "../../shared/scouts/connectors/gmail/consent.ts";
import { MailboxStore } from "../../shared/scouts/mailbox-store.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { gmail, gmailCredentials } from "../compose/connectors.ts";
import { syncQueue } from "../compose/queues.ts";
import { secretKey } from "../compose/secret-key.ts";
import { ledger, sessions } from "../compose/tables.ts";
import { linked, setting } from "../environment.ts";
import { once } from "../once.ts";
import { bodyOf, newApp, personOf } from "./app.ts";
import { scoutOf } from "./scouts.ts";

const callbackPath = "/api/v1/scouts/gmail/callback";

const ports = once(
  (): ConnectPorts => ({
    scouts: new ScoutStore(ledger()),
    mailboxes: new MailboxStore(ledger()),
    credentials: gmailCredentials(),
    connector: gmail(),
    sync: syncQueue(),
    addressKey: secretKey("AddressKey"),
    stateKey: secretKey("TicketKey"),
    sessions: sessions(),
    oauth: {
      clientId: setting("GOOGLE_CLIENT_ID"),
      clientSecret: linked("GoogleClientSecret").value,
      authUrl: setting("GOOGLE_AUTH_URL"),
      tokenUrl: setting("GOOGLE_TOKEN_URL"),
      revokeUrl: setting("GOOGLE_REVOKE_URL"),
    },
    redirectUri: new URL(callbackPath, setting("PUBLIC_URL")).href,
    clock: systemClock,
  }),
);

export const gmailConnection = newApp()
  .post("/:id/gmail/connect", async (c) => {
    const user = personOf(c.env.event);
    const request = bodyOf(connectRequest, await c.req.json().catch(() => undefined));
    const row = await ports().scouts.get(user, scoutOf(c.req.param("id")));
    const url = await beginConsent(ports(), user, row.scoutId, request);
    return c.json({ consentUrl: url, expiresInSeconds: consentLifeSeconds });
  })
  .post("/:id/gmail/complete", async (c) => {
    const user = personOf(c.env.event);
    const request = bodyOf(completeRequest, await c.req.json().catch(() => undefined));
    await completeConnection(ports(), user, scoutOf(c.req.param("id")), request);
    return c.body(null, 204);
  });

/**
 * Google's redirect. It only passes code and state on to the loopback port named in the signed state (RFC 8252 §7.3);
 * what they are worth is decided when the device posts them with its own token.
 */
export const gmailCallback = newApp().get("/gmail/callback", async (c) => {
  const { state = "", code, error } = c.req.query();
  const { port } = await readState(ports(), state);
  const target = new URL(`http://127.0.0.1:${port}/`);
  target.searchParams.set("state", state);
  if (code !== undefined) target.searchParams.set("code", code);
  if (error !== undefined) target.searchParams.set("error", error);
  return c.redirect(target.href);
});
