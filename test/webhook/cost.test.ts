import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { blindAddress } from "../../shared/privacy/opaque.ts";

/** Everything the webhook talks to, counted by what it asks for: Google's keys, DynamoDB, SQS. */
const asked: string[] = [];
let keysFetched = 0;
const addressKey = Buffer.alloc(32, 7);
const address = "someone@example.com";
const damaged = "damaged@example.com";
const subscription = "projects/p/subscriptions/s";
const serviceAccount = "push@p.iam.gserviceaccount.com";
const scout = { scoutId: "sct_01HZZZZZZZZZZZZZZZZZZZZZZZ", userId: "usr_00000000000000000000000000" };

let server: Server;
let sign: (claims?: Record<string, unknown>) => Promise<string>;
let handler: typeof import("../../functions/webhook/gmail.ts").handler;

beforeAll(async () => {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "k1", alg: "RS256", use: "sig" };
  server = createServer(async (request, response) => {
    const target = request.headers["x-amz-target"];
    const body = (await buffer(request)).toString("utf8");
    if (typeof target === "string") asked.push(target);
    else keysFetched += 1;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(target === undefined ? { keys: [jwk] } : answerTo(String(target), body)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const listening = server.address();
  const url = `http://127.0.0.1:${typeof listening === "object" ? listening?.port : ""}`;
  Object.assign(process.env, {
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_ENDPOINT_URL_DYNAMODB: url,
    AWS_ENDPOINT_URL_SQS: url,
    PUSH_AUDIENCE: "scouts-gmail-webhook",
    PUSH_JWKS_URL: `${url}/jwks`,
    PUSH_SERVICE_ACCOUNT: serviceAccount,
    PUSH_SUBSCRIPTION: subscription,
    SST_RESOURCE_App: JSON.stringify({ name: "scouts", stage: "test" }),
    SST_RESOURCE_LedgerTable: JSON.stringify({ name: "ledger" }),
    SST_RESOURCE_SyncQueue: JSON.stringify({ url: `${url}/000000000000/sync.fifo` }),
    SST_RESOURCE_AddressKey: JSON.stringify({ value: addressKey.toString("base64") }),
  });
  sign = (claims = {}) =>
    new SignJWT({ email: serviceAccount, email_verified: true, ...claims })
      .setProtectedHeader({ alg: "RS256", kid: "k1" })
      .setIssuer("https://accounts.google.com")
      .setAudience("scouts-gmail-webhook")
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(privateKey);
  ({ handler } = await import("../../functions/webhook/gmail.ts"));
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** DynamoDB knows one mailbox; SQS takes everything. */
function answerTo(target: string, body: string): unknown {
  const request = JSON.parse(body);
  if (target.endsWith("GetItem")) {
    if (request.Key.pk.S === `MAILBOX#${blindAddress(addressKey, damaged)}`) {
      return { Item: { pk: request.Key.pk, sk: request.Key.sk, scouts: { S: "none" } } };
    }
    const known = request.Key.pk.S === `MAILBOX#${blindAddress(addressKey, address)}`;
    return known ? { Item: { scouts: { M: { [scout.scoutId]: { S: scout.userId } } } } } : {};
  }
  const Successful = request.Entries.map(({ Id, MessageBody }: { Id: string; MessageBody: string }) => ({
    Id,
    MessageId: Id,
    MD5OfMessageBody: createHash("md5").update(MessageBody).digest("hex"),
  }));
  return { Successful, Failed: [] };
}

async function push(emailAddress: string, messageId: string, token: string) {
  asked.length = 0;
  const data = Buffer.from(JSON.stringify({ emailAddress, historyId: "9" })).toString("base64");
  const body = JSON.stringify({ message: { data, messageId }, subscription });
  const headers = { authorization: `Bearer ${token}` };
  const event = { headers, body, isBase64Encoded: false } as unknown as Parameters<typeof handler>[0];
  const { statusCode } = await handler(event);
  return { statusCode, asked: [...asked] };
}

it("a valid push costs one table read and one queue request, and Google's keys are fetched once for all of them", async () => {
  const token = await sign();
  for (const messageId of ["1", "2"]) {
    const answer = await push(address, messageId, token);
    expect(answer).toEqual({ statusCode: 204, asked: ["DynamoDB_20120810.GetItem", "AmazonSQS.SendMessageBatch"] });
    expect(keysFetched).toBe(1);
  }
});

it("an unknown address is answered like a known one and queues nothing", async () => {
  expect(await push("nobody@example.com", "3", await sign())).toMatchObject({ statusCode: 204 });
  expect(asked.filter((what) => what.includes("SQS"))).toEqual([]);
});

it("a mailbox whose row is damaged is acknowledged, since a nack slows everybody's pushes, and its operator is told", async () => {
  const lines = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  expect(await push(damaged, "5", await sign())).toEqual({ statusCode: 204, asked: ["DynamoDB_20120810.GetItem"] });
  const written = lines.mock.calls.map(([line]) => String(line)).join("");
  lines.mockRestore();
  expect(written).toContain('"configuration_invalid"');
  expect(written).toContain("row_damaged");
  expect(written).not.toContain("damaged@example.com");
});

it("a token that does not prove our subscription reaches neither table nor queue", async () => {
  for (const claims of [{ email: "other@p.iam.gserviceaccount.com" }, { email_verified: false }]) {
    const refused = await push(address, "4", await sign(claims));
    expect(refused).toEqual({ statusCode: 401, asked: [] });
  }
});
