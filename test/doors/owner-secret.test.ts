import { createHash } from "node:crypto";
import { EncryptCommand, KMSClient } from "@aws-sdk/client-kms";
import { afterEach, describe, expect, it } from "vitest";
import { startIssuer } from "../../infra/standins/issuer/start.ts";
import { startKms } from "../../infra/standins/kms/start.ts";
import { cleanUp, closeLater, oauthClient, openMailbox, scope, temporaryFolder } from "../standins/mailbox-fixture.ts";
import { asOwner, ownerSecret } from "../standins/owner.ts";

afterEach(cleanUp);

const openIssuer = async () =>
  closeLater(await startIssuer({ audience: "scouts", ownerSecret, stateDir: await temporaryFolder() }));

const challenge = createHash("sha256").update("v".repeat(43)).digest("base64url");
const consent = {
  client_id: oauthClient.clientId,
  redirect_uri: "http://127.0.0.1:4321/",
  response_type: "code",
  scope: scope("gmail.readonly"),
  code_challenge: challenge,
  code_challenge_method: "S256",
  state: "s1",
};

async function issuerPage() {
  const { url } = await openIssuer();
  return `${url}/authorize?${new URLSearchParams(consent)}`;
}

async function mailboxPage() {
  const { authUrl } = await openMailbox();
  return `${authUrl}?${new URLSearchParams(consent)}`;
}

async function devicePage() {
  const { url } = await openIssuer();
  const begun = await fetch(`${url}/device_authorization`, {
    method: "POST",
    body: new URLSearchParams({ client_id: "cli" }),
  });
  return JSON.parse(await begun.text()).verification_uri_complete;
}

describe("a token of the owner", () => {
  it.each<[string, Record<string, string>]>([
    ["nothing", {}],
    ["an empty secret", { client_secret: "" }],
    ["another secret", { client_secret: `${ownerSecret}x` }],
  ])("is not given for %s", async (_, more) => {
    const { url } = await openIssuer();
    const form = { grant_type: "client_credentials", client_id: "owner", ...more };
    const answer = await fetch(`${url}/token`, { method: "POST", body: new URLSearchParams(form) });
    expect([answer.status, await answer.json()]).toEqual([401, { error: "invalid_client" }]);
  });
});

describe.each([
  ["the issuer's", issuerPage, 303],
  ["the issuer's for devices", devicePage, 200],
  ["the mailbox's", mailboxPage, 303],
] as const)("the page of consent: %s", (_, open, consented) => {
  const post = (page: string, secret: string) =>
    fetch(page, { method: "POST", body: new URLSearchParams({ secret }), redirect: "manual" });

  it("asks whoever opens it for the secret, and gives nothing to those who have another", async () => {
    const page = await open();
    const asked = await fetch(page, { redirect: "manual" });
    expect([asked.status, asked.headers.get("location")]).toEqual([200, null]);
    expect(await asked.text()).toContain('type="password"');
    expect(asked.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    const wrong = await post(page, "another");
    expect([wrong.status, wrong.headers.get("location")]).toEqual([403, null]);
    const stranger = await fetch(page, { headers: { authorization: "Bearer another" }, redirect: "manual" });
    expect([stranger.status, stranger.headers.get("location")]).toEqual([200, null]);
    expect(await stranger.text()).toContain('type="password"');
  });

  it("lets the owner on: in a browser by its form, in a program by a header", async () => {
    const page = await open();
    expect((await post(page, ` ${ownerSecret} `)).status).toBe(consented);
    const other = await open();
    expect((await fetch(other, { headers: asOwner, redirect: "manual" })).status).toBe(consented);
  });
});

describe("the key service", () => {
  it("opens and seals nothing for an access key it was not started with", async () => {
    const kms = closeLater(await startKms({ stateDir: await temporaryFolder(), accessKeyId: "the-home-s-key" }));
    const seal = async (accessKeyId: string) => {
      const credentials = { accessKeyId, secretAccessKey: "s" };
      const client = new KMSClient({ endpoint: kms.url, region: "us-east-1", credentials, maxAttempts: 1 });
      try {
        const KeyId = "arn:aws:kms:us-east-1:000000000000:key/vault";
        return await client.send(new EncryptCommand({ KeyId, Plaintext: Buffer.from("ring") }));
      } finally {
        client.destroy();
      }
    };
    await expect(seal("operator")).rejects.toMatchObject({ name: "UnrecognizedClientException" });
    expect((await seal("the-home-s-key")).CiphertextBlob).toBeDefined();
    const unsigned = await fetch(kms.url, { method: "POST", headers: { "x-amz-target": "TrentService.DescribeKey" } });
    expect(unsigned.status).toBe(400);
    expect(kms.requests()).toBe(1);
  });
});
