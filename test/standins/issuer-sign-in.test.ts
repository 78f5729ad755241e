import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Issuer, startIssuer } from "../../infra/standins/issuer/start.ts";
import { cleanUp, closeLater, temporaryFolder } from "./mailbox-fixture.ts";
import { asOwner, ownerSecret } from "./owner.ts";

const verifier = "v".repeat(43);
const challenge = createHash("sha256").update(verifier).digest("base64url");
const redirectUri = "http://127.0.0.1:4321/back";
let nowMs: number;
let issuer: Issuer;

beforeEach(async () => {
  nowMs = Date.now();
  issuer = closeLater(
    await startIssuer({ audience: "scouts", ownerSecret, stateDir: await temporaryFolder(), clock: () => nowMs }),
  );
});
afterEach(cleanUp);

const good = {
  client_id: "cli",
  redirect_uri: redirectUri,
  response_type: "code",
  code_challenge: challenge,
  code_challenge_method: "S256",
  state: "s1",
};

async function authorize(change: Record<string, string | undefined> = {}) {
  const query = Object.entries({ ...good, ...change }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const answer = await fetch(`${issuer.url}/authorize?${new URLSearchParams(query)}`, {
    headers: asOwner,
    redirect: "manual",
  });
  const location = answer.headers.get("location");
  return { status: answer.status, back: location === null ? undefined : new URL(location) };
}

async function ask(endpoint: string, form: Record<string, string>) {
  const answer = await fetch(`${issuer.url}/${endpoint}`, { method: "POST", body: new URLSearchParams(form) });
  return { status: answer.status, body: JSON.parse((await answer.text()) || "{}") };
}

const redeem = (code: string, change: Record<string, string> = {}) =>
  ask("token", {
    grant_type: "authorization_code",
    code,
    client_id: "cli",
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...change,
  });
const codeOf = async () => (await authorize()).back?.searchParams.get("code") ?? "";
const refused = { status: 400, body: { error: "invalid_grant" } };

describe("the issuer's code grant", () => {
  it("sends the browser back with code, state and its own name, and the code brings tokens once", async () => {
    const { status, back } = await authorize();
    expect(status).toBe(303);
    expect(back?.searchParams.get("state")).toBe("s1");
    expect(back?.searchParams.get("iss")).toBe(issuer.url);
    const code = back?.searchParams.get("code") ?? "";
    expect(await redeem(code)).toMatchObject({ status: 200, body: { token_type: "Bearer", expires_in: 3600 } });
    expect(await redeem(code)).toEqual(refused);
  });

  it.each([
    ["another verifier", { code_verifier: "w".repeat(43) }],
    ["another client", { client_id: "other" }],
    ["another address", { redirect_uri: "http://127.0.0.1:4321/" }],
  ])("gives nothing for %s", async (_, change) => {
    expect(await redeem(await codeOf(), change)).toEqual(refused);
  });

  it("gives nothing a minute later", async () => {
    const code = await codeOf();
    nowMs += 60_000;
    expect(await redeem(code)).toEqual(refused);
  });

  it.each([
    ["no challenge", { code_challenge: undefined }, "invalid_request"],
    ["a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
    ["a token at once", { response_type: "token" }, "unsupported_response_type"],
  ])("sends %s back with %s", async (_, change, error) => {
    expect((await authorize(change)).back?.searchParams.get("error")).toBe(error);
  });

  it.each([
    ["another machine", { redirect_uri: "https://evil.example/" }],
    ["a name that resolves elsewhere", { redirect_uri: "http://127.0.0.1.evil.example:1/" }],
    ["nowhere", { redirect_uri: undefined }],
  ])("sends nobody to %s", async (_, change) => {
    expect(await authorize(change)).toEqual({ status: 400, back: undefined });
  });
});

describe("the issuer's refresh tokens", () => {
  const refresh = (token: string, client = "cli") =>
    ask("token", { grant_type: "refresh_token", refresh_token: token, client_id: client });

  it("are good once; used again, all of the sign-in ends", async () => {
    const { body: first } = await redeem(await codeOf());
    const { body: second } = await refresh(first.refresh_token);
    expect(second.access_token).toBeTypeOf("string");
    expect(await refresh(first.refresh_token)).toEqual(refused);
    expect(await refresh(second.refresh_token)).toEqual(refused);
  });

  it("are their client's, and gone when revoked", async () => {
    const { body } = await redeem(await codeOf());
    expect(await refresh(body.refresh_token, "other")).toEqual(refused);
    expect((await ask("revoke", { token: body.refresh_token })).status).toBe(200);
    expect(await refresh(body.refresh_token)).toEqual(refused);
  });
});

describe("the issuer's device grant", () => {
  const grant = "urn:ietf:params:oauth:grant-type:device_code";
  const poll = (device_code: string) => ask("token", { grant_type: grant, device_code, client_id: "cli" });

  it("waits for the person, minds the pace, and is good once", async () => {
    const { body } = await ask("device_authorization", { client_id: "cli" });
    expect(body.user_code).toMatch(/^[B-Z]{4}-[B-Z]{4}$/);
    expect(await poll(body.device_code)).toMatchObject({ body: { error: "authorization_pending" } });
    expect(await poll(body.device_code)).toMatchObject({ body: { error: "slow_down" } });
    expect((await fetch(`${body.verification_uri}?user_code=WRONG`, { headers: asOwner })).status).toBe(404);
    expect((await fetch(body.verification_uri_complete, { headers: asOwner })).status).toBe(200);
    nowMs += 11_000;
    expect(await poll(body.device_code)).toMatchObject({ status: 200, body: { token_type: "Bearer" } });
    expect(await poll(body.device_code)).toEqual(refused);
  });

  it("ends after ten minutes", async () => {
    const { body } = await ask("device_authorization", { client_id: "cli" });
    nowMs += 600_000;
    expect(await poll(body.device_code)).toMatchObject({ body: { error: "expired_token" } });
  });
});
