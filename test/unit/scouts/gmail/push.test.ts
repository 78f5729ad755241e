import {
  type CryptoKey,
  createLocalJWKSet,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTVerifyGetKey,
  SignJWT,
} from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { authenticatePush, readPush } from "../../../../shared/scouts/connectors/gmail/push.ts";

const nowMs = Date.parse("2026-03-07T18:00:00Z");
const nowSeconds = nowMs / 1000;
const expected = {
  audience: "scouts-gmail-webhook",
  serviceAccount: "push@project.iam.gserviceaccount.com",
  subscription: "projects/p/subscriptions/s",
};
const goodClaims = {
  iss: "https://accounts.google.com",
  aud: expected.audience,
  email: expected.serviceAccount,
  email_verified: true,
  sub: "1234",
  iat: nowSeconds - 10,
  exp: nowSeconds + 3600,
};

let keys: JWTVerifyGetKey;
let privateKey: CryptoKey;
let otherKey: CryptoKey;
let publicPem: string;

beforeAll(async () => {
  const [ours, theirs] = await Promise.all([generateKeyPair("RS256"), generateKeyPair("RS256")]);
  privateKey = ours.privateKey;
  otherKey = theirs.privateKey;
  publicPem = await exportSPKI(ours.publicKey);
  keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(ours.publicKey)), kid: "k1", alg: "RS256", use: "sig" }] });
});

const signed = (claims: Record<string, unknown>, header = { alg: "RS256", kid: "k1" }, key = privateKey) =>
  new SignJWT(claims).setProtectedHeader(header).sign(key);
const authenticate = (token: string) => authenticatePush(`Bearer ${token}`, keys, expected, () => nowMs);
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const refused = { code: "unauthenticated" };

describe("a push proves that it comes from our subscription", () => {
  test("one that does is let in, and again with the same token", async () => {
    const token = await signed(goodClaims);
    await expect(authenticate(token)).resolves.toBeUndefined();
    await expect(authenticate(token)).resolves.toBeUndefined();
  });

  test.each([
    ["another issuer", { iss: "https://accounts.example.com" }],
    ["an issuer that only begins alike", { iss: "https://accounts.google.com.example.com" }],
    ["another audience", { aud: "another-webhook" }],
    ["another account's address", { email: "someone@project.iam.gserviceaccount.com" }],
    ["no address", { email: undefined }],
    ["an address that is not verified", { email_verified: false }],
    ["a verification that is text", { email_verified: "true" }],
    ["no word on verification", { email_verified: undefined }],
    ["a time gone by", { exp: nowSeconds - 1 }],
    ["no time at all", { exp: undefined }],
    ["no time of issue", { iat: undefined }],
    ["a time that has not come", { nbf: nowSeconds + 60 }],
  ])("%s is refused", async (_, change) => {
    await expect(authenticate(await signed({ ...goodClaims, ...change }))).rejects.toMatchObject(refused);
  });

  test("an unknown key, and a known key's name under another signature, are refused", async () => {
    await expect(authenticate(await signed(goodClaims, { alg: "RS256", kid: "k9" }))).rejects.toMatchObject(refused);
    const forged = await signed(goodClaims, { alg: "RS256", kid: "k1" }, otherKey);
    await expect(authenticate(forged)).rejects.toMatchObject(refused);
  });

  test("`alg: none` is refused, with and without a signature", async () => {
    const unsigned = `${encoded({ alg: "none", kid: "k1" })}.${encoded(goodClaims)}.`;
    const signature = (await signed(goodClaims)).split(".")[2];
    await expect(authenticate(unsigned)).rejects.toMatchObject(refused);
    await expect(authenticate(`${unsigned}${signature}`)).rejects.toMatchObject(refused);
  });

  test("HS256 keyed with the public key is refused", async () => {
    const key = new TextEncoder().encode(publicPem);
    const token = await new SignJWT(goodClaims).setProtectedHeader({ alg: "HS256", kid: "k1" }).sign(key);
    await expect(authenticate(token)).rejects.toMatchObject(refused);
  });

  test("a body changed under its signature is refused", async () => {
    const [header, , signature] = (await signed(goodClaims)).split(".");
    const token = `${header}.${encoded({ ...goodClaims, sub: "5678" })}.${signature}`;
    await expect(authenticate(token)).rejects.toMatchObject(refused);
  });

  test.each([undefined, "", "Bearer", "Bearer ", "Basic eDp5", "Bearer a b", "Bearer not-a-token"])(
    "an authorization of %j is refused",
    async (authorization) => {
      await expect(authenticatePush(authorization, keys, expected, () => nowMs)).rejects.toMatchObject(refused);
    },
  );
});

describe("reading a push", () => {
  const push = (notification: unknown, change: object = {}) =>
    JSON.stringify({
      message: {
        data: Buffer.from(JSON.stringify(notification)).toString("base64"),
        messageId: "17",
        message_id: "17",
      },
      subscription: expected.subscription,
      ...change,
    });
  const notification = { emailAddress: "ada@example.com", historyId: "9007199254740993" };

  test("gives address and history id, whose digits survive beyond 2^53", () => {
    expect(readPush(push(notification), expected)).toEqual({ messageId: "17", notification });
  });

  test("takes a history id that comes as a number, and base64 of either alphabet", () => {
    expect(readPush(push({ ...notification, historyId: 1710 }), expected)?.notification.historyId).toBe("1710");
    const data = Buffer.from(JSON.stringify({ ...notification, emailAddress: "ÿÿÿ?>@example.com" })).toString(
      "base64url",
    );
    const body = JSON.stringify({ message: { data, messageId: "17" }, subscription: expected.subscription });
    expect(readPush(body, expected)?.notification.emailAddress).toBe("ÿÿÿ?>@example.com");
  });

  test("another subscription's is refused", () => {
    const other = push(notification, { subscription: "projects/p/subscriptions/other" });
    expect(() => readPush(other, expected)).toThrow(expect.objectContaining(refused));
  });

  test.each([
    ["no JSON", "kanarienvogel"],
    ["no message", JSON.stringify({ subscription: expected.subscription })],
    ["data that is no notification", push({ hello: "world" })],
    ["a history id that is no number", push({ ...notification, historyId: "12; drop" })],
    ["a negative history id", push({ ...notification, historyId: "-5" })],
  ])("%s is no push of Gmail's", (_, body) => {
    expect(readPush(body, expected)).toBeUndefined();
  });
});
