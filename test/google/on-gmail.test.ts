import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gmailAccess } from "../../cli/up/gmail-access.ts";
import { startOnGmail } from "../../cli/up/on-gmail.ts";
import type { SystemOn } from "../../cli/up/system.ts";
import type { StoredProposal } from "../../device/store/schema.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import type { ExternalServices } from "../../infra/local/world/external-services.ts";
import type { Mailbox } from "../../infra/standins/mailbox/mailbox.ts";
import { startMailbox } from "../../infra/standins/mailbox/start.ts";
import { ownFolder } from "../e2e/folders.ts";
import { relevant, type ScriptedModel, startScriptedModel } from "../e2e/scripted-model.ts";
import { ownerSecret, visitAsOwner } from "../standins/owner.ts";
import { FakeSubscription } from "./fake-subscription.ts";

const credentials = {
  GOOGLE_APPLICATION_CREDENTIALS: "key.json",
  SCOUTS_PUBSUB_SUBSCRIPTION: "projects/p/subscriptions/scouts-home",
  GOOGLE_CLIENT_ID: "real.apps.googleusercontent.com",
  GOOGLE_CLIENT_SECRET: "not-a-secret",
  GMAIL_TOPIC: "projects/p/topics/scouts-gmail",
};

/** Google is a mailbox elsewhere and a subscription to its notifications, as far as the home can tell. */
describe("a home on an account elsewhere, pulling its notifications", () => {
  const folder = ownFolder();
  const subscription = new FakeSubscription();
  const consents: string[] = [];
  const opened: string[] = [];
  let google: Mailbox;
  let model: ScriptedModel;
  let system: SystemOn<ExternalServices>;
  let proposal: StoredProposal;

  beforeAll(async () => {
    model = await startScriptedModel(() => relevant());
    google = await startMailbox({
      stateDir: `${folder.path}/google`,
      address: "ada@example.com",
      oauth: { clientId: credentials.GOOGLE_CLIENT_ID, clientSecret: credentials.GOOGLE_CLIENT_SECRET, ownerSecret },
      push: (notification) => void subscription.publish(notification),
    });
    const addresses = {
      GOOGLE_AUTH_URL: google.authUrl,
      GOOGLE_TOKEN_URL: google.tokenUrl,
      GOOGLE_REVOKE_URL: google.revokeUrl,
      GMAIL_API_URL: `${google.url}/`,
    };
    const access = gmailAccess({ ...credentials, ...addresses });
    if (!access) throw new Error("access is configured");
    system = await startOnGmail(access, {
      ...systemTimeAndIds,
      dataFolder: `${folder.path}/data`,
      environment: model.environment,
      signal: new AbortController().signal,
      // The person, in their browser.
      openConsent: async (url) => {
        consents.push(url);
        await visitAsOwner(url);
      },
      openSource: async (name) => {
        opened.push(name);
        return subscription;
      },
      onProblem: (error) => {
        throw error;
      },
    });
    const arrived = Promise.withResolvers<StoredProposal>();
    system.device.events.on("proposal", arrived.resolve);
    google.deliver(Buffer.from("From: Bea <bea@example.org>\r\nSubject: Are you coming?\r\n\r\nOn Sunday.\r\n"));
    proposal = await arrived.promise;
  }, 240_000);
  afterAll(async () => {
    await system?.stop();
    await google?.close();
    await model?.close();
    folder.remove();
  });

  test("the person is asked for consent once, by the real client, for reading only", () => {
    expect(consents).toHaveLength(1);
    const { searchParams } = new URL(consents[0] ?? "");
    expect(searchParams.get("client_id")).toBe(credentials.GOOGLE_CLIENT_ID);
    expect(searchParams.get("scope")).toBe("https://www.googleapis.com/auth/gmail.readonly");
  });

  test("new mail is proposed on the device, and its notification acknowledged", async () => {
    expect(proposal).toMatchObject({ sourceType: "gmail", rawSubject: "Are you coming?" });
    expect(opened).toEqual([credentials.SCOUTS_PUBSUB_SUBSCRIPTION]);
    expect(subscription.refused).toEqual([]);
    expect(subscription.acknowledged.length).toBeGreaterThan(0);
  });
});

describe("what a home on a real account is told", () => {
  test("nothing of it set: a mailbox on this machine", () => {
    expect(gmailAccess({ GOOGLE_CLIENT_ID: "x" })).toBeUndefined();
    const { GOOGLE_APPLICATION_CREDENTIALS: _, ...without } = credentials;
    expect(gmailAccess(without)).toBeUndefined();
  });

  test.each(["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET", "GMAIL_TOPIC"])(
    "without %s it is asked for by name",
    (name) => {
      expect(() => gmailAccess({ ...credentials, [name]: " " })).toThrow(name);
    },
  );

  test("a subscription by its short name is refused with the form", () => {
    expect(() => gmailAccess({ ...credentials, SCOUTS_PUBSUB_SUBSCRIPTION: "scouts-home" })).toThrow("projects/");
  });
});
