import { describe, expect, test } from "vitest";
import * as z from "zod";
import { errorBody } from "../../events/http/error-body.ts";
import { agentMessage, summarizeMessage, syncMessage, triageMessage } from "../../events/queues.ts";
import { outcomeOf } from "../../shared/outcome/outcome.ts";
import { blindAddress } from "../../shared/privacy/opaque.ts";
import { GmailClient } from "../../shared/scouts/connectors/gmail/client.ts";
import { gmailFailure } from "../../shared/scouts/connectors/gmail/failures.ts";
import { listNew } from "../../shared/scouts/connectors/gmail/listing.ts";
import { contentOf } from "../../shared/scouts/connectors/gmail/message.ts";
import { writeCursor } from "../../shared/scouts/connectors/gmail/position.ts";
import { MailboxStore } from "../../shared/scouts/watch/mailbox-store.ts";
import { scoutAtSource } from "../contract/connector-fixtures.ts";
import { hasData } from "../data/published.ts";
import { startGoogleKeys } from "./google-keys.ts";
import {
  asHttpEvent,
  asSqsEvent,
  composeInMemory,
  lambdaContext,
  pushSettings,
  secretBytes,
  someone,
  someScout,
} from "./memory-home.ts";
import { Tally, vectorFiles } from "./vectors.ts";

const aws = new Tally("events/aws");
const gcp = new Tally("events/gcp");
const gmail = new Tally("events/gmail");

const google = await startGoogleKeys();
const home = composeInMemory({ PUSH_JWKS_URL: google.url });
const { handler: webhook } = await import("../../functions/webhook/gmail.ts");
const { handler: http } = await import("../../functions/api/http.ts");
const { handler: authorize } = await import("../../functions/socket/authorize.ts");
const { handler: connect } = await import("../../functions/socket/connect.ts");
const { handler: disconnect } = await import("../../functions/socket/disconnect.ts");
const { handler: message } = await import("../../functions/socket/message.ts");
const { scheduled } = await import("../../functions/cron/scheduled.ts");
const workers = {
  sync: (await import("../../functions/worker/sync.ts")).handler,
  triage: (await import("../../functions/worker/triage.ts")).handler,
  summarize: (await import("../../functions/worker/summarize.ts")).handler,
  agent: (await import("../../functions/worker/agent.ts")).handler,
};

type Sample = Record<string, unknown>;
const samples = (folder: string): { name: string; event: Sample; text: string }[] =>
  vectorFiles(folder, ".json")
    .filter(({ name }) => name !== "SOURCES.json")
    .map(({ name, text }) => ({ name, text, event: z.record(z.string(), z.unknown()).parse(JSON.parse(text)) }));

const records = z.object({
  Records: z.array(z.looseObject({ eventSource: z.string().optional(), messageId: z.string().optional() })).min(1),
});
const contexts = z.object({
  requestContext: z.looseObject({ eventType: z.string().optional(), connectionId: z.string().optional() }),
});

const gateway = z.object({
  requestContext: z.object({ domainName: z.string(), http: z.object({ method: z.string() }) }),
});

type Kind = "CONNECT" | "AUTHORIZE" | "DISCONNECT" | "MESSAGE" | "HTTP" | "SQS" | "SCHEDULED" | "S3" | "other";

function kindOf(event: Sample): Kind {
  const type = contexts.safeParse(event).data?.requestContext.eventType;
  if (type === "CONNECT") return "methodArn" in event ? "AUTHORIZE" : "CONNECT";
  if (type === "DISCONNECT" || type === "MESSAGE") return type;
  if (event["version"] === "2.0" && "rawPath" in event && "requestContext" in event && !("routeArn" in event))
    return "HTTP";
  const source = records.safeParse(event).data?.Records[0]?.eventSource;
  if (source === "aws:sqs") return "SQS";
  if (source === "aws:s3" || event["source"] === "aws.s3") return "S3";
  return event["source"] === "aws.events" && event["detail-type"] === "Scheduled Event" ? "SCHEDULED" : "other";
}

/** The event with what our authorizer adds. */
const ofSomeone = (event: Sample): Sample => {
  const { requestContext } = contexts.parse(event);
  const authorizer = { userId: someone, deviceId: "dev_01KE5Q8600ESE4NYY1EVXDNQEB" };
  return { ...event, requestContext: { ...requestContext, authorizer } };
};

/** What an authorizer answers a ticket that is none. */
const denied = { principalId: "nobody", policyDocument: { Statement: [{ Effect: "Deny" }] } };

describe.skipIf(!hasData)("AWS events that AWS and others recorded", () => {
  const byKind = Map.groupBy(samples("events/aws"), ({ event }) => kindOf(event));
  const of = (kind: Kind) => {
    const found = byKind.get(kind) ?? [];
    aws.add(kind, found.length);
    return found;
  };

  test("WebSocket CONNECT: admission is the authorizer's, which lets nobody in without a ticket", async () => {
    // Other tests here have sent frames, which are counted.
    const before = home.sessions.dump();
    expect(of("CONNECT").length).toBeGreaterThan(0);
    expect(await connect()).toEqual({ statusCode: 200 });
    const asked = of("AUTHORIZE");
    expect(asked.length).toBeGreaterThan(0);
    for (const { event } of asked) expect(await authorize(event as never)).toMatchObject(denied);
    const lambdaAuthorizers = samples("events/aws").filter(({ event }) => "methodArn" in event || "routeArn" in event);
    for (const { event } of lambdaAuthorizers) expect(await authorize(event as never)).toMatchObject(denied);
    expect(home.sessions.dump()).toEqual(before);
  });

  test("WebSocket MESSAGE: answered by a frame when the authorizer named its holder, else refused", async () => {
    const found = of("MESSAGE");
    expect(found.length).toBeGreaterThan(0);
    for (const { event, name } of found) {
      const before = home.posted.length;
      expect(await message(event), name).toEqual({ statusCode: 500 });
      expect(home.posted).toHaveLength(before);
      expect(await message(ofSomeone(event)), name).toEqual({ statusCode: 200 });
      expect(home.posted.at(-1), name).toMatchObject({
        to: contexts.parse(event).requestContext.connectionId,
        frame: { type: "error", code: expect.stringMatching(/^(?:invalid|unknown)_frame$/) },
      });
    }
  });

  test("WebSocket DISCONNECT: taken with and without a holder", async () => {
    const found = of("DISCONNECT");
    expect(found.length).toBeGreaterThan(0);
    for (const { event } of found) {
      for (const each of [event, ofSomeone(event)]) expect(await disconnect(each)).toEqual({ statusCode: 200 });
    }
  });

  test("HTTP v2: the webhook refuses it for want of a token, the API answers a path that it does not have", async () => {
    const found = byKind.get("HTTP") ?? [];
    expect(found.length).toBeGreaterThan(8);
    for (const { event, name } of found) {
      expect(await webhook(asHttpEvent(event)), name).toEqual({ statusCode: 401 });
      const { statusCode, body } = z
        .object({ statusCode: z.number(), body: z.string() })
        .parse(await http(event as never, lambdaContext));
      // One has a body to a GET, some have a host that is a placeholder.
      const { domainName, http: asked } = gateway.parse(event).requestContext;
      const isNone = (Boolean(event["body"]) && asked.method === "GET") || domainName.includes("<");
      expect(statusCode, name).toBe(isNone ? 400 : 404);
      aws.add(isNone ? "HTTP, no request" : "HTTP, request");
      const code = isNone ? "invalid_request" : "not_found";
      expect(errorBody.parse(JSON.parse(body)).error, name).toMatchObject({ code, requestId: "request-1" });
    }
  });

  test("SQS: a record that is none of ours is reported as failed by every worker, whatever queue it came from", async () => {
    const found = of("SQS");
    expect(found.length).toBeGreaterThan(4);
    for (const { event, name } of found) {
      const ids = [...new Set(records.parse(event).Records.map(({ messageId }) => messageId ?? ""))];
      for (const worker of Object.values(workers)) {
        const { batchItemFailures } = await worker(asSqsEvent(event), lambdaContext);
        expect(
          batchItemFailures.map(({ itemIdentifier }) => itemIdentifier),
          name,
        ).toEqual(ids);
      }
    }
  });

  test("scheduled: the timer is all that a cron takes from an event", async () => {
    const found = of("SCHEDULED");
    expect(found.length).toBeGreaterThan(1);
    let ran = 0;
    const cron: (event: unknown) => Promise<void> = scheduled("sample", async () => ({ ran: ++ran }));
    for (const { event } of found) await cron(event);
    expect(ran).toBe(found.length);
  });

  test("S3 and other services: nothing here is told by them (not applicable)", () => {
    const total = (byKind.get("S3")?.length ?? 0) + (byKind.get("other")?.length ?? 0);
    aws.add("S3, not applicable", byKind.get("S3")?.length);
    aws.add("other services, not applicable", byKind.get("other")?.length);
    expect(total).toBeGreaterThan(60);
  });

  test("whatever the service, the webhook, the socket and the workers survive its event", async () => {
    const before = home.state();
    for (const { event, name } of [...(byKind.get("S3") ?? []), ...(byKind.get("other") ?? [])]) {
      const { statusCode = 0 } = await webhook(asHttpEvent({ headers: {}, ...event }));
      expect([401, 503], name).toContain(statusCode);
      expect(await disconnect(event), name).toEqual({ statusCode: 200 });
      expect(await message(event), name).toEqual({ statusCode: 500 });
    }
    expect(home.state()).toEqual(before);
  });
});

const pushed = z.object({ message: z.object({ data: z.string() }), subscription: z.string() });

describe.skipIf(!hasData)("Pub/Sub pushes that were recorded or documented", () => {
  test("those of Gmail queue their mailbox's scouts, with historyId as number and as text, under messageId and message_id", async () => {
    await new MailboxStore(home.ledger).add(blindAddress(secretBytes, "user@example.com"), {
      scoutId: someScout,
      userId: someone,
    });
    for (const { name, text, event } of samples("events/gcp")) {
      const ours = { ...event, subscription: pushSettings.subscription };
      const isGmail = Buffer.from(pushed.parse(event).message.data, "base64").toString().includes("historyId");
      const headers = { authorization: `Bearer ${await google.sign()}` };
      const before = home.sync.sent.length;
      const send = (body: string, isBase64Encoded = false) => webhook(asHttpEvent({ headers, body, isBase64Encoded }));
      expect(await send(JSON.stringify(ours)), name).toEqual({ statusCode: 204 });
      expect(await send(Buffer.from(JSON.stringify(ours)).toString("base64"), true), name).toEqual({ statusCode: 204 });
      expect(home.sync.sent.length - before, name).toBe(isGmail ? 2 : 0);
      if (pushed.parse(event).subscription !== pushSettings.subscription) {
        expect(await send(text), name).toEqual({ statusCode: 401 });
      }
      gcp.add(isGmail ? "Gmail, queued" : "others, dropped");
    }
    expect(gcp.get("Gmail, queued")).toBe(2);
  });
});

const gmailBody = z.object({ error: z.object({ code: z.number() }) });
const failures: Readonly<Record<string, { code: string; outcome: string }>> = {
  error_400_bad_request_docs: { code: "item_unreadable", outcome: "deadLetter" },
  error_400_missing_startHistoryId: { code: "item_unreadable", outcome: "deadLetter" },
  error_401_invalid_credentials: { code: "unauthenticated", outcome: "deadLetter" },
  error_403_daily_limit: { code: "source_rate_limited", outcome: "defer" },
  error_403_quota_per_minute_per_user: { code: "source_rate_limited", outcome: "defer" },
  error_403_user_rate_limit: { code: "source_rate_limited", outcome: "defer" },
  error_404_history_too_old: { code: "item_gone", outcome: "drop" },
  error_429_resource_exhausted: { code: "source_rate_limited", outcome: "defer" },
  error_429_user_rate_retry_after: { code: "source_rate_limited", outcome: "defer" },
};

/** The Gmail client with an answer in Gmail's place. */
class Answering extends GmailClient {
  readonly #answer: unknown;

  constructor(answer: unknown) {
    super(
      { accessToken: () => Promise.reject(new Error("no token")), refused: async () => {} },
      "https://gmail.example/",
      Date.now,
    );
    this.#answer = answer;
  }

  override async call<T>(): Promise<T> {
    return this.#answer as T;
  }
}

describe.skipIf(!hasData)("Gmail's answers", () => {
  const all = samples("events/gmail");
  const named = (prefix: string) => all.filter(({ name }) => name.startsWith(prefix));

  test.each(named("error_").map(({ name, event }) => [name.replace(".json", ""), event] as const))(
    "%s becomes the code it should",
    (name, event) => {
      const { code: status } = gmailBody.parse(event).error;
      const failure = gmailFailure(
        { response: { status, data: event, headers: new Headers() } },
        Date.parse("2023-03-07T18:03:00Z"),
      );
      expect({ code: failure.code, outcome: outcomeOf(failure, 0).kind }).toEqual(failures[name]);
      if (name.endsWith("retry_after")) expect(failure.data["retryAfterMs"]).toBe(15_961);
      // A body that is text, as a proxy passes it on, leaves the status to go by.
      const asText = gmailFailure({ response: { status, data: "<html>", headers: {} } }, 0);
      expect(asText.code).toBe(status === 403 ? "source_refused" : failures[name]?.code);
      gmail.add("errors");
    },
  );

  test("messages are read: labels, subject, sender, time and text", () => {
    for (const { name, event } of named("messages.get_full")) {
      const whole = z.looseObject({ id: z.string().optional(), message: z.looseObject({}).optional() }).parse(event);
      const shown = contentOf(whole.message ?? whole);
      const labels = z
        .array(z.string())
        .catch([])
        .parse((whole.message ?? whole)["labelIds"]);
      expect(shown.present, name).toBe(
        labels.includes("INBOX") && !labels.some((label) => ["SENT", "DRAFT"].includes(label)),
      );
      expect(shown.receivedAtMs, name).toBeGreaterThan(Date.UTC(2015, 0));
      const { name: from, address } = shown.sender.reveal();
      if (!name.includes("Draft")) expect(from + address + shown.subject.reveal(), name).toMatch(/example/);
      expect(shown.text.reveal(), name).toMatch(/\w/);
      expect(shown.text.reveal(), name).not.toMatch(/<div|<br/i);
      gmail.add("messages");
    }
    expect(gmail.get("messages")).toBe(5);
  });

  test("history with and without a `history` key gives refs and moves the cursor", async () => {
    for (const { name, event } of named("history.list")) {
      const cursor = writeCursor({ historyId: "1", completeAtSeconds: 1, recovered: false });
      const listing = await listNew(new Answering(event), () => 5_000_000, scoutAtSource, { cursor });
      expect(listing.refs, name).toEqual("history" in event ? ["18cf192837465abc"] : []);
      // Of a listing with more pages the first one's id is kept until the last.
      const kept = listing.nextPage ?? listing.cursor;
      expect(kept, name).toContain(String(event["historyId"]));
      expect(listing.cursor === undefined, name).toBe("nextPageToken" in event);
      gmail.add("histories");
    }
  });

  test("a profile names the mailbox and where its history is", async () => {
    for (const { name, event } of named("getProfile")) {
      const profile = z.object({ emailAddress: z.email(), historyId: z.string() }).safeParse(event);
      expect(profile.success, name).toBe(true);
      gmail.add("profiles");
    }
  });
});

test("P1: every message of our own contract that is not one is refused by its schema", () => {
  for (const schema of [syncMessage, triageMessage, summarizeMessage, agentMessage]) {
    for (const value of [null, [], {}, { v: 2 }, "text"]) expect(schema.safeParse(value).success).toBe(false);
  }
});
