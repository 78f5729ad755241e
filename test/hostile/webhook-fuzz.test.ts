import fc from "fast-check";
import { generateKeyPair } from "jose";
import { expect, test } from "vitest";
import { blindAddress } from "../../shared/privacy/opaque.ts";
import { MailboxStore } from "../../shared/scouts/watch/mailbox-store.ts";
import { rounds } from "../rounds.ts";
import { startGoogleKeys } from "./google-keys.ts";
import {
  asHttpEvent,
  composeInMemory,
  lambdaContext,
  pushSettings,
  secretBytes,
  someone,
  someScout,
} from "./memory-home.ts";
import { naughtyStrings, Tally } from "./vectors.ts";

const tally = new Tally("webhook fuzz (seed 11)");
const address = "someone@example.com";
const google = await startGoogleKeys();
const home = composeInMemory({ PUSH_JWKS_URL: google.url });
const { handler } = await import("../../functions/webhook/gmail.ts");
const { handler: http } = await import("../../functions/api/http.ts");
await new MailboxStore(home.ledger).add(blindAddress(secretBytes, address), { scoutId: someScout, userId: someone });

const token = await google.sign();
const stranger = await generateKeyPair("RS256");
const forged = [
  await google.sign({}, {}, stranger.privateKey),
  await google.sign({ email: "other@p.iam.gserviceaccount.com" }),
  await google.sign({ email_verified: false }),
  token.slice(0, -3),
  token.split(".").slice(0, 2).join("."),
  `${Buffer.from('{"alg":"none"}').toString("base64url")}.${token.split(".")[1]}.`,
];

const strange = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...naughtyStrings) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value) ?? "").toString("base64");
const notification = fc.record(
  {
    emailAddress: fc.oneof(fc.constant(address), strange),
    historyId: fc.oneof(fc.constantFrom<unknown>("9", 9, 1e300, -1, "9".repeat(41)), strange),
  },
  { requiredKeys: [] },
);
const data = fc.oneof(
  { weight: 4, arbitrary: notification.map(base64) },
  fc.string({ maxLength: 40 }),
  strange,
  strange.map(base64),
);
const message = fc.record(
  {
    data,
    messageId: fc.oneof(fc.constant("1"), strange),
    message_id: strange,
    attributes: strange,
    publishTime: strange,
  },
  { requiredKeys: ["data"] },
);
const push = fc.record(
  {
    message: fc.oneof({ weight: 5, arbitrary: message }, { weight: 1, arbitrary: strange }),
    subscription: fc.oneof({ weight: 4, arbitrary: fc.constant(pushSettings.subscription) }, strange),
  },
  { requiredKeys: [] },
);
const body = fc.oneof(
  { weight: 6, arbitrary: push.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: push.map((value) => JSON.stringify(value).slice(0, -3)) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  { weight: 1, arbitrary: fc.constantFrom(...naughtyStrings) },
  { weight: 1, arbitrary: fc.constant(undefined) },
);
const authorization = fc.oneof(
  { weight: 4, arbitrary: fc.constant(`Bearer ${token}`) },
  { weight: 1, arbitrary: fc.constantFrom(...forged.map((each) => `Bearer ${each}`)) },
  { weight: 2, arbitrary: fc.constantFrom(...naughtyStrings) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 60 }).map((text) => `Bearer ${text}`) },
  { weight: 1, arbitrary: fc.constant(undefined) },
);
const event = fc.record({
  headers: fc.record({ authorization, "content-type": fc.constantFrom(...naughtyStrings) }),
  body,
  isBase64Encoded: fc.boolean(),
});

/** Whether a delivery is a notification about the mailbox we know. */
function isOurs(text: string): boolean {
  try {
    const parsed = JSON.parse(text);
    const said = JSON.parse(Buffer.from(parsed.message.data, "base64").toString());
    return parsed.subscription === pushSettings.subscription && said.emailAddress === address;
  } catch {
    return false;
  }
}

const deliveries = rounds(20_000);

test(`P2: ${deliveries} deliveries: each is answered 204 or 401, and only an authentic one about our mailbox queues anything`, async () => {
  const ledger = home.ledger.dump();
  await fc.assert(
    fc.asyncProperty(event, async ({ headers, body: text, isBase64Encoded }) => {
      const before = home.sync.sent.length;
      const sent = text !== undefined && isBase64Encoded ? Buffer.from(text).toString("base64") : text;
      const { statusCode = 0 } = await handler(asHttpEvent({ headers, body: sent, isBase64Encoded }));
      const queued = home.sync.sent.length - before;
      const read = isBase64Encoded ? Buffer.from(text ?? "").toString("utf8") : (text ?? "");
      if (headers.authorization !== `Bearer ${token}`) expect([statusCode, queued]).toEqual([401, 0]);
      else if (queued > 0) expect([statusCode, queued, isOurs(read)]).toEqual([204, 1, true]);
      else expect([204, 401]).toContain(statusCode);
      tally.add(queued > 0 ? "queued" : String(statusCode));
    }),
    { numRuns: deliveries, seed: 11 },
  );
  expect(tally.get("queued")).toBeGreaterThan(deliveries / 2_000);
  expect(home.ledger.dump()).toEqual(ledger);
  expect(home.sessions.dump()).toEqual([]);
}, 240_000);

test.each([{ messageId: "1" }, { message_id: "2" }, { messageId: "3", message_id: "3" }])(
  "a delivery is taken under either spelling of its id: %j",
  async (ids) => {
    const before = home.sync.sent.length;
    const told = { data: base64({ emailAddress: address, historyId: 9 }), ...ids };
    const sent = JSON.stringify({ message: told, subscription: pushSettings.subscription });
    const headers = { authorization: `Bearer ${token}` };
    const answer = await handler(asHttpEvent({ headers, body: sent, isBase64Encoded: false }));
    expect([answer.statusCode, home.sync.sent.length - before]).toEqual([204, 1]);
  },
);

test.each([
  ["GET", "{}"],
  ["HEAD", "{}"],
  ["TRACE", undefined],
  ["CONNECT", undefined],
  ["GET /", undefined],
])(
  "%s that no request can be made of is refused in our own shape, and nothing of it is written",
  async (method, sent) => {
    const written: unknown[] = [];
    const { error } = console;
    console.error = (...words: unknown[]) => void written.push(words);
    const requestContext = { domainName: "api.example.com", http: { method } };
    const asked = {
      version: "2.0",
      rawPath: "/health",
      rawQueryString: "code=canary",
      headers: {},
      body: sent,
      requestContext,
    };
    try {
      const answer = await http(asHttpEvent(asked) as never, lambdaContext as never);
      expect(answer.statusCode).toBe(400);
      expect(JSON.parse(answer.body)).toMatchObject({ error: { code: "invalid_request", requestId: "request-1" } });
    } finally {
      console.error = error;
    }
    expect(written).toEqual([]);
  },
);
