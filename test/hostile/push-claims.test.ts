import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { CompactSign, type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWK } from "jose";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { isScoutsError } from "../../events/errors.ts";
import { authenticatePush, pushKeys } from "../../shared/scouts/connectors/gmail/push.ts";
import { Tally } from "./vectors.ts";

/** No published vectors say anything about claims, so these are made with keys of our own. */
const tally = new Tally("push claims (own)");
const nowMs = Date.UTC(2026, 10, 20, 12);
const nowSeconds = nowMs / 1000;
const expected = {
  audience: "scouts-gmail-webhook",
  serviceAccount: "push@p.iam.gserviceaccount.com",
  subscription: "projects/p/subscriptions/s",
};
const good = {
  iss: "https://accounts.google.com",
  aud: expected.audience,
  email: expected.serviceAccount,
  email_verified: true,
  iat: nowSeconds - 60,
  exp: nowSeconds + 3540,
  sub: "1",
};
type Claims = Record<string, unknown>;

const google = await generateKeyPair("RS256");
const next = await generateKeyPair("RS256");
const stranger = await generateKeyPair("RS256");
const elliptic = await generateKeyPair("ES256");
const published = async (key: CryptoKey, kid: string, alg = "RS256"): Promise<JWK> => ({
  ...(await exportJWK(key)),
  kid,
  alg,
  use: "sig",
});

let keys: JWK[] = [];
let fetches = 0;
const server = createServer((_, response) => {
  fetches += 1;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ keys }));
});
let url = "";

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/certs`;
  keys = [await published(google.publicKey, "k1"), await published(elliptic.publicKey, "e1", "ES256")];
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
afterEach(() => void vi.useRealTimers());

async function sign(
  payload: Claims | string,
  header: Record<string, unknown> = {},
  key: CryptoKey | Uint8Array = google.privateKey,
): Promise<string> {
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  const protectedHeader = { alg: "RS256", kid: "k1", typ: "JWT", ...header };
  return new CompactSign(new TextEncoder().encode(text)).setProtectedHeader(protectedHeader).sign(key);
}

/** "accepted", or "refused" when it was without a word to the caller; anything else is thrown. */
async function verdict(authorization: string | undefined, getKey = pushKeys(url), atMs = nowMs): Promise<string> {
  try {
    await authenticatePush(authorization, getKey, expected, () => atMs);
    return "accepted";
  } catch (error) {
    if (!isScoutsError(error, "unauthenticated")) throw error;
    expect(error.data).toEqual({});
    return "refused";
  }
}

const without = (name: keyof typeof good): Claims =>
  Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));
/** The claims as JSON with one of them said once more, before or after. */
const twice = (before: string, after: string) => `{${before}${JSON.stringify(good).slice(1, -1)}${after}}`;

test.each<[string, Claims | string, "accepted" | "refused"]>([
  ["as Google makes it", good, "accepted"],
  ["a claim nobody knows", { ...good, azp: "1", extra: { a: 1 } }, "accepted"],
  ["our audience among two", { ...good, aud: ["other", expected.audience] }, "accepted"],
  ["no issuer", without("iss"), "refused"],
  ["Google's issuer without its scheme", { ...good, iss: "accounts.google.com" }, "refused"],
  ["Google's issuer with a slash", { ...good, iss: "https://accounts.google.com/" }, "refused"],
  ["an issuer that begins with Google's", { ...good, iss: "https://accounts.google.com.evil.example" }, "refused"],
  ["a list with the issuer", { ...good, iss: [good.iss] }, "refused"],
  ["no audience", without("aud"), "refused"],
  ["another audience", { ...good, aud: "other" }, "refused"],
  ["two other audiences", { ...good, aud: ["a", "b"] }, "refused"],
  ["an audience that begins with ours", { ...good, aud: `${expected.audience}2` }, "refused"],
  ["our audience in capitals", { ...good, aud: expected.audience.toUpperCase() }, "refused"],
  ["our audience nested", { ...good, aud: [[expected.audience]] }, "refused"],
  ["our audience as a key", { ...good, aud: { [expected.audience]: true } }, "refused"],
  ["no email", without("email"), "refused"],
  ["another account", { ...good, email: "other@p.iam.gserviceaccount.com" }, "refused"],
  ["the account of another project", { ...good, email: "push@q.iam.gserviceaccount.com" }, "refused"],
  ["the account in capitals", { ...good, email: expected.serviceAccount.toUpperCase() }, "refused"],
  ["the account and a space", { ...good, email: `${expected.serviceAccount} ` }, "refused"],
  ["a list with the account", { ...good, email: [expected.serviceAccount] }, "refused"],
  ["email not verified", { ...good, email_verified: false }, "refused"],
  ["no word whether email is verified", without("email_verified"), "refused"],
  ["verified as text", { ...good, email_verified: "true" }, "refused"],
  ["verified as a number", { ...good, email_verified: 1 }, "refused"],
  ["expired a second ago", { ...good, exp: nowSeconds - 1 }, "refused"],
  ["expires now", { ...good, exp: nowSeconds }, "refused"],
  ["expires in a second", { ...good, exp: nowSeconds + 1 }, "accepted"],
  ["no expiry", without("exp"), "refused"],
  ["an expiry as text", { ...good, exp: String(good.exp) }, "refused"],
  ["an expiry of null", { ...good, exp: null }, "refused"],
  ["an expiry beyond numbers", JSON.stringify(good).replace(`"exp":${good.exp}`, '"exp":1e999'), "accepted"],
  ["not yet", { ...good, nbf: nowSeconds + 1 }, "refused"],
  ["from now on", { ...good, nbf: nowSeconds }, "accepted"],
  ["from a text on", { ...good, nbf: "0" }, "refused"],
  ["no issue time", without("iat"), "refused"],
  ["an issue time as text", { ...good, iat: "now" }, "refused"],
  ["the account said again after another one: the last word counts", twice('"email":"x@y.example",', ""), "accepted"],
  ["another account said last", twice("", ',"email":"x@y.example"'), "refused"],
  ["another audience said last", twice("", ',"aud":"other"'), "refused"],
  ["not verified said last", twice("", ',"email_verified":false'), "refused"],
  ["an earlier expiry said last", twice("", ',"exp":1'), "refused"],
  ["claims by way of __proto__", `{"__proto__":${JSON.stringify(good)}}`, "refused"],
  ["a list of claims", JSON.stringify([good]), "refused"],
  ["claims as text", JSON.stringify(JSON.stringify(good)), "refused"],
  ["null", "null", "refused"],
  ["no JSON", "{", "refused"],
  ["nothing", "", "refused"],
  ["a huge token of ours", { ...good, extra: "x".repeat(1_000_000) }, "accepted"],
  ["deep JSON", `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, "refused"],
])("%s: %3$s", async (_, claims, wanted) => {
  expect(await verdict(`Bearer ${await sign(claims)}`)).toBe(wanted);
  tally.add(wanted);
});

test("alg none, HMAC under the public key, other RSA and elliptic algorithms are refused", async () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const jwk = await exportJWK(google.publicKey);
  const secrets = [await exportSPKI(google.publicKey), JSON.stringify(jwk), jwk.n ?? ""].map((text) =>
    Buffer.from(text),
  );
  const raw = ["none", "None", "NONE", "", null, ["RS256"]].flatMap((alg) => [
    `${part({ alg, kid: "k1" })}.${part(good)}.`,
    `${part({ alg, kid: "k1" })}.${part(good)}.AAAA`,
  ]);
  const confused = secrets.map((secret) => sign(good, { alg: "HS256" }, new Uint8Array(secret)));
  const pss = await generateKeyPair("PS256");
  const large = await generateKeyPair("RS512");
  const others = [
    sign(good, { alg: "PS256" }, pss.privateKey),
    sign(good, { alg: "RS512" }, large.privateKey),
    sign(good, { alg: "ES256", kid: "e1" }, elliptic.privateKey),
  ];
  for (const token of [...raw, ...(await Promise.all([...confused, ...others]))]) {
    expect(await verdict(`Bearer ${token}`), token.slice(0, 60)).toBe("refused");
    tally.add("refused");
  }
});

test("a key that comes with the token, or by its address, is not used; nor is a stranger's under Google's name", async () => {
  const jwk = await exportJWK(stranger.publicKey);
  const before = fetches;
  const headers = [{}, { jwk }, { jku: `${url}/evil` }, { x5u: `${url}/evil` }, { x5c: ["AAAA"] }, { kid: "../../k1" }];
  for (const header of headers) {
    const getKey = pushKeys(url);
    expect(await verdict(`Bearer ${await sign(good, header, stranger.privateKey)}`, getKey)).toBe("refused");
    tally.add("refused");
  }
  // One fetch of Google's keys each and nothing else.
  expect(fetches - before).toBe(headers.length);
});

test("critical extensions nobody knows, unencoded payloads and altered texts are refused", async () => {
  const token = await sign(good);
  const [head = "", payload = "", mac = ""] = token.split(".");
  const critical = Buffer.from(JSON.stringify({ alg: "RS256", kid: "k1", crit: ["exp"], exp: 1 })).toString(
    "base64url",
  );
  const altered = Buffer.from(JSON.stringify({ ...good, sub: "2" })).toString("base64url");
  const texts = [
    `${critical}.${payload}.${mac}`,
    `${head}.${altered}.${mac}`,
    `${head}.${payload}.${mac.slice(0, -4)}`,
    `${head}.${payload}.`,
    `${head}..${mac}`,
    `${head}.${payload}`,
    `${token}.x`,
    `${token}=`,
    "..",
    "x",
    "x".repeat(1_000_000),
    `${"a".repeat(500_000)}.${"b".repeat(500_000)}.c`,
  ];
  for (const text of texts) {
    expect(await verdict(`Bearer ${text}`), text.slice(0, 80)).toBe("refused");
    tally.add("refused");
  }
});

test("only one scheme, one space and one token make a header", async () => {
  const token = await sign(good);
  expect(await verdict(`bearer ${token}`)).toBe("accepted");
  for (const text of [
    undefined,
    "",
    "Bearer",
    "Bearer ",
    `Bearer  ${token}`,
    `Bearer\t${token}`,
    token,
    `Basic ${token}`,
    `Bearer ${token}, Bearer ${token}`,
    `Bearer ${token}\nx`,
    `xBearer ${token}`,
  ]) {
    expect(await verdict(text), String(text).slice(0, 30)).toBe("refused");
    tally.add("refused");
  }
});

test("Google's keys rotate: a new one is fetched when it is named, at most every 30 seconds; an old one ends within the hour", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: nowMs });
  const getKey = pushKeys(url);
  const begun = fetches;
  const [first, second] = [await sign(good), await sign(good, { kid: "k2" }, next.privateKey)];
  expect(await verdict(`Bearer ${first}`, getKey)).toBe("accepted");
  keys = [...keys, await published(next.publicKey, "k2")];
  expect(await verdict(`Bearer ${second}`, getKey)).toBe("refused");
  expect(fetches - begun).toBe(1);
  vi.setSystemTime(nowMs + 31_000);
  expect(await verdict(`Bearer ${second}`, getKey)).toBe("accepted");
  for (let at = 0; at < 100; at++) {
    expect(await verdict(`Bearer ${await sign(good, { kid: `junk${at}` }, stranger.privateKey)}`, getKey)).toBe(
      "refused",
    );
  }
  expect(fetches - begun).toBe(2);
  keys = keys.filter(({ kid }) => kid !== "k1");
  vi.setSystemTime(nowMs + 31_000 + 3_601_000);
  expect(await verdict(`Bearer ${first}`, getKey)).toBe("refused");
  expect(await verdict(`Bearer ${second}`, getKey)).toBe("accepted");
  keys = [await published(google.publicKey, "k1"), ...keys.filter(({ kid }) => kid === "e1")];
  tally.add("rotation");
});

test.each<[string, (response: ServerResponse) => void]>([
  ["an error", (response) => void response.writeHead(503).end()],
  ["a page", (response) => void response.end("<html>sign in</html>")],
  ["keys that are none", (response) => void response.end('{"keys":1}')],
  ["nothing, and hangs up", (response) => void response.destroy()],
])("keys in whose place comes %s say nothing of a token: it is no refusal", async (_, answer) => {
  const elsewhere = createServer((_request, response) => answer(response));
  elsewhere.listen(0, "127.0.0.1");
  await once(elsewhere, "listening");
  const address = elsewhere.address();
  const getKey = pushKeys(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/certs`);
  try {
    await expect(verdict(`Bearer ${await sign(good)}`, getKey)).rejects.toMatchObject({ code: "source_unavailable" });
  } finally {
    elsewhere.close();
    elsewhere.closeAllConnections();
  }
});
