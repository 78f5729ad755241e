import { createHash } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import type { Mailbox } from "../../infra/standins/mailbox/mailbox.ts";
import { cleanUp, clientOf, oauthClient, openMailbox, scope, temporaryFolder } from "./mailbox-fixture.ts";
import { asOwner } from "./owner.ts";

afterEach(cleanUp);

const verifier = "a-verifier-of-at-least-forty-three-characters-0123456789";
const challenge = createHash("sha256").update(verifier).digest("base64url");
const redirectUri = "http://127.0.0.1:4711/callback";

async function consent(mailbox: Mailbox, change: Record<string, string | undefined> = {}) {
  const url = new URL(mailbox.authUrl);
  const params = {
    client_id: oauthClient.clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: scope("gmail.readonly"),
    state: "opaque",
    code_challenge: challenge,
    code_challenge_method: "S256",
    access_type: "offline",
    prompt: "consent",
    ...change,
  };
  for (const [name, value] of Object.entries(params)) if (value !== undefined) url.searchParams.set(name, value);
  const response = await fetch(url, { headers: asOwner, redirect: "manual" });
  const location = response.headers.get("location");
  return { status: response.status, back: location === null ? undefined : new URL(location).searchParams };
}

async function token(mailbox: Mailbox, form: Record<string, string>) {
  const response = await fetch(mailbox.tokenUrl, {
    method: "POST",
    body: new URLSearchParams({
      client_id: oauthClient.clientId,
      client_secret: oauthClient.clientSecret,
      redirect_uri: redirectUri,
      ...form,
    }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const exchange = (mailbox: Mailbox, code: string, change: Record<string, string> = {}) =>
  token(mailbox, { grant_type: "authorization_code", code, code_verifier: verifier, ...change });

describe("consent at the mailbox stand-in", () => {
  it("sends a code and the state back, and exchanges the code once for tokens that open the mailbox", async () => {
    const mailbox = await openMailbox();
    const { status, back } = await consent(mailbox);
    expect(status).toBe(303);
    expect(back?.get("state")).toBe("opaque");
    const first = await exchange(mailbox, back?.get("code") ?? "");
    expect(first).toMatchObject({
      status: 200,
      body: { expires_in: 3599, token_type: "Bearer", scope: scope("gmail.readonly") },
    });
    const profile = () =>
      fetch(`${mailbox.url}/gmail/v1/users/me/profile`, {
        headers: { authorization: `Bearer ${first.body.access_token}` },
      });
    expect((await profile()).status).toBe(200);
    const again = await exchange(mailbox, back?.get("code") ?? "");
    expect(again).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect((await profile()).status).toBe(401);
  });

  it("refuses a code without the verifier its challenge was made from, or for another address", async () => {
    const mailbox = await openMailbox();
    const code = (await consent(mailbox)).back?.get("code") ?? "";
    const wrong = { code_verifier: `${verifier}x` };
    expect(await exchange(mailbox, code, wrong)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    const elsewhere = { redirect_uri: "http://127.0.0.1:4711/other" };
    expect(await exchange(mailbox, code, elsewhere)).toMatchObject({ status: 400 });
    expect(await exchange(mailbox, "4/0made-up")).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect((await exchange(mailbox, code)).status).toBe(200);
  });

  it("refuses a client it does not know and a request without PKCE", async () => {
    const mailbox = await openMailbox();
    expect((await consent(mailbox, { client_id: "somebody" })).status).toBe(401);
    expect((await consent(mailbox, { redirect_uri: undefined })).status).toBe(400);
    expect((await consent(mailbox, { code_challenge: undefined })).back?.get("error")).toBe("invalid_request");
    expect((await consent(mailbox, { code_challenge_method: "plain" })).back?.get("error")).toBe("invalid_request");
    const code = (await consent(mailbox)).back?.get("code") ?? "";
    expect(await exchange(mailbox, code, { client_secret: "guess" })).toMatchObject({
      status: 401,
      body: { error: "invalid_client" },
    });
  });

  it("lets the person deny, or grant less than asked for", async () => {
    const mailbox = await openMailbox();
    mailbox.setConsent(() => "denied");
    const denied = (await consent(mailbox)).back;
    expect([denied?.get("error"), denied?.get("code"), denied?.get("state")]).toEqual([
      "access_denied",
      null,
      "opaque",
    ]);
    mailbox.setConsent((asked) => asked.slice(0, 1));
    const asked = `${scope("gmail.readonly")} ${scope("gmail.modify")}`;
    const code = (await consent(mailbox, { scope: asked })).back?.get("code") ?? "";
    expect((await exchange(mailbox, code)).body.scope).toBe(scope("gmail.readonly"));
  });

  it("gives a refresh token only for offline access, adds earlier scopes when asked, and refreshes", async () => {
    const mailbox = await openMailbox();
    const online = (await consent(mailbox, { access_type: "online" })).back?.get("code") ?? "";
    expect((await exchange(mailbox, online)).body.refresh_token).toBeUndefined();
    const more = { scope: scope("gmail.modify"), include_granted_scopes: "true" };
    const offline = (await consent(mailbox, more)).back?.get("code") ?? "";
    const { body } = await exchange(mailbox, offline);
    expect(body.scope.split(" ").sort()).toEqual([scope("gmail.modify"), scope("gmail.readonly")]);
    const refreshed = await token(mailbox, { grant_type: "refresh_token", refresh_token: body.refresh_token });
    expect(refreshed).toMatchObject({ status: 200, body: { expires_in: 3599 } });
    expect(refreshed.body.refresh_token).toBeUndefined();
    expect(refreshed.body.access_token).not.toBe(body.access_token);
  });

  it("revokes a grant with its access tokens, also after a restart", async () => {
    const stateDir = await temporaryFolder();
    const first = await openMailbox({ stateDir });
    const { refreshToken, accessToken } = first.grant([scope("gmail.readonly")]);
    const revoke = () => fetch(first.revokeUrl, { method: "POST", body: new URLSearchParams({ token: refreshToken }) });
    expect((await revoke()).status).toBe(200);
    expect((await revoke()).status).toBe(400);
    await first.close();
    const second = await openMailbox({ stateDir });
    const refused = await token(second, { grant_type: "refresh_token", refresh_token: refreshToken });
    expect(refused).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    const headers = { authorization: `Bearer ${accessToken}` };
    expect((await fetch(`${second.url}/gmail/v1/users/me/profile`, { headers })).status).toBe(401);
    const client = clientOf(second);
    second.revokeGrants();
    await expect(client.users.getProfile({ userId: "me" })).rejects.toMatchObject({ status: 401 });
  });
});

describe("a client whose refresh tokens are good once (RFC 9700 §4.14.2)", () => {
  const rotating = { oauth: { ...oauthClient, rotates: true } };
  const refresh = (mailbox: Mailbox, refreshToken: string) =>
    token(mailbox, { grant_type: "refresh_token", refresh_token: refreshToken });

  it("is answered with the next one, which lives on when the stand-in is started again", async () => {
    const stateDir = await temporaryFolder();
    const before = await openMailbox({ ...rotating, stateDir });
    const { refreshToken } = before.grant([scope("gmail.readonly")]);
    const second = await refresh(before, refreshToken);
    expect(second).toMatchObject({ status: 200, body: { refresh_token: expect.any(String) } });
    await before.close();
    const after = await openMailbox({ ...rotating, stateDir });
    const third = await refresh(after, second.body.refresh_token);
    expect(third.status).toBe(200);
    expect(new Set([refreshToken, second.body.refresh_token, third.body.refresh_token]).size).toBe(3);
  });

  it("loses the whole grant when it shows one that was spent", async () => {
    const mailbox = await openMailbox(rotating);
    const { refreshToken } = mailbox.grant([scope("gmail.readonly")]);
    const second = await refresh(mailbox, refreshToken);
    const profile = () =>
      fetch(`${mailbox.url}/gmail/v1/users/me/profile`, {
        headers: { authorization: `Bearer ${second.body.access_token}` },
      });
    expect((await profile()).status).toBe(200);
    expect(await refresh(mailbox, refreshToken)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(await refresh(mailbox, second.body.refresh_token)).toMatchObject({ status: 400 });
    expect((await profile()).status).toBe(401);
  });
});
