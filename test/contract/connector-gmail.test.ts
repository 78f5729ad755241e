import { afterEach, describe, expect, test } from "vitest";
import { itemRef } from "../../events/ids.ts";
import type { Fault, FaultRule } from "../../infra/standins/mailbox/faults.ts";
import { systemAfter, systemClock } from "../../shared/ports/clock.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { GmailClient } from "../../shared/scouts/connectors/gmail/client.ts";
import { GmailConnector } from "../../shared/scouts/connectors/gmail/connector.ts";
import { GmailCredentials } from "../../shared/scouts/connectors/gmail/credentials.ts";
import { cleanUp, message, oauthClient, openMailbox, scope, topicName } from "../standins/mailbox-fixture.ts";
import { connectorContract } from "./connector-contract.ts";
import { OpenTable, scoutAtSource as scout, vault } from "./connector-fixtures.ts";

const unlimited = { unitsPerUserMinute: 1e12, unitsPerProjectMinute: 1e12 };

async function openGmail() {
  const mailbox = await openMailbox({ limits: unlimited });
  const ledger = new OpenTable();
  const oauth = { ...oauthClient, tokenUrl: mailbox.tokenUrl };
  const credentials = new GmailCredentials(ledger, vault(), oauth, systemClock, systemAfter);
  const scopes = [scope("gmail.readonly")];
  const { refreshToken, accessToken } = mailbox.grant(scopes);
  await credentials.store(scout, {
    accessToken: new Transient(accessToken),
    refreshToken: new Transient(refreshToken),
    expiresInSeconds: 3600,
    scopes,
  });
  const begin = () =>
    new GmailConnector(new GmailClient(credentials, `${mailbox.url}/`, systemClock), topicName, systemClock);
  return { mailbox, ledger, connector: begin(), begin };
}

connectorContract("Gmail (mailbox stand-in)", async () => {
  const { mailbox, ledger, connector, begin } = await openGmail();
  const dated = () => `Date: ${new Date().toUTCString()}\r\n`;
  const idOf = new Map<string, string>();
  const publish = async (texts: readonly string[]) => {
    for (const text of texts) idOf.set(text, mailbox.deliver(message(text, `It says ${text}.`, dated())));
    await mailbox.whenAllArrived();
  };
  // Mail only arrives once somebody watches.
  await connector.setupWatch(scout);
  await publish(["an older message"]);
  const armed = (fault: Fault, arming: FaultRule = {}) => {
    return () => mailbox.faults.arm(fault, { times: Number.POSITIVE_INFINITY, ...arming });
  };
  const unsaid = { atLeast: 1_000, atMost: 3_600_000 };
  const limited = (name: string, fault: Fault, waitMs = unsaid) => ({ name, waitMs, arm: armed(fault) });
  return {
    connector,
    scout,
    publish,
    tells: { sentAt: true, threadRef: true, sourceLink: false },
    restarted: begin,
    publishThread: async (first, second) => {
      await publish([first]);
      const reply = `References: <${first}@example.org>\r\n${dated()}`;
      mailbox.deliver(message(second, "An answer.", reply));
      await mailbox.whenAllArrived();
    },
    forgetPlaces: async () => void mailbox.faults.arm({ kind: "historyNotFound" }),
    remove: async (text) => mailbox.remove(idOf.get(text) ?? ""),
    failures: [
      { name: "503", code: "source_unavailable", arm: armed({ kind: "serverError", status: 503 }) },
      {
        name: "a portal's page",
        code: "source_unavailable",
        arm: armed({ kind: "answer", status: 200, body: "<html>Sign in</html>" }),
      },
      { name: "an answer cut off half way", code: "source_unavailable", arm: armed({ kind: "truncated" }) },
      { name: "429", code: "source_rate_limited", arm: armed({ kind: "tooManyRequests", retryAfterMs: 9000 }) },
      { name: "403 rate", code: "source_rate_limited", arm: armed({ kind: "userRateLimitExceeded" }) },
      { name: "403 domain policy", code: "source_forbidden", arm: armed({ kind: "domainPolicy" }) },
      { name: "403 scopes", code: "consent_incomplete", arm: armed({ kind: "insufficientPermissions" }) },
      {
        name: "access withdrawn",
        code: "reauth",
        arm: () => {
          const disarm = [armed({ kind: "unauthorized" })(), armed({ kind: "invalidGrant" })()];
          return () => {
            for (const each of disarm) each();
          };
        },
      },
      { name: "401 for ever", code: "source_unavailable", arm: armed({ kind: "unauthorized" }) },
    ],
    limits: [
      // The time is in Google's sentence, to the second, and in a header as well.
      limited("429", { kind: "tooManyRequests", retryAfterMs: 90_000 }, { atLeast: 60_000, atMost: 91_000 }),
      limited(
        "429 with a header",
        { kind: "tooManyRequests", retryAfterMs: 90_000, header: true },
        { atLeast: 60_000, atMost: 91_000 },
      ),
      limited("429 RESOURCE_EXHAUSTED", { kind: "resourceExhausted" }),
      limited("403 rateLimitExceeded", { kind: "rateLimitExceeded" }),
      limited("403 userRateLimitExceeded", { kind: "userRateLimitExceeded" }),
    ],
    atRest: async () => ledger.everWritten(),
    close: cleanUp,
  };
});

describe("P2: an answer that is no message", () => {
  afterEach(cleanUp);

  test.each([
    ["text", "<html>Sign in</html>"],
    ["a string", '"no message"'],
    ["an object of another kind", '{"labelIds": ["INBOX"]}'],
  ])("%s fails the read: the item is not taken for one that is gone", async (_, body) => {
    const { mailbox, connector } = await openGmail();
    await connector.setupWatch(scout);
    const ref = itemRef.parse(mailbox.deliver(message("a letter", "It says something.")));
    await mailbox.whenAllArrived();
    mailbox.faults.arm({ kind: "answer", status: 200, body }, { times: 2 });
    const unavailable = expect.objectContaining({ code: "source_unavailable" });
    await expect(connector.fetchContent(scout, ref)).rejects.toEqual(unavailable);
    await expect(connector.fetchMetadata(scout, ref)).rejects.toEqual(unavailable);
    expect((await connector.fetchContent(scout, ref)).subject.reveal()).toBe("a letter");
  });
});
