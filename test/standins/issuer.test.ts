import { stat } from "node:fs/promises";
import { join } from "node:path";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import { type IssuerOptions, startIssuer } from "../../infra/standins/issuer/start.ts";
import { cleanUp, closeLater, temporaryFolder } from "./mailbox-fixture.ts";
import { ownerSecret } from "./owner.ts";

afterEach(cleanUp);

const openIssuer = async (options: Partial<IssuerOptions> = {}) =>
  closeLater(
    await startIssuer({
      audience: "scouts",
      ownerSecret,
      ...options,
      stateDir: options.stateDir ?? (await temporaryFolder()),
    }),
  );

describe("the issuer stand-in", () => {
  it("describes itself so that its tokens can be verified from the issuer's address alone", async () => {
    const issuer = await openIssuer();
    const response = await fetch(`${issuer.url}/.well-known/openid-configuration`);
    const metadata = JSON.parse(await response.text());
    expect(metadata.issuer).toBe(issuer.url);
    const keys = createRemoteJWKSet(new URL(metadata.jwks_uri));
    const form = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: "ada",
      client_secret: ownerSecret,
    });
    const granted = await fetch(metadata.token_endpoint, { method: "POST", body: form });
    const expected = { issuer: issuer.url, audience: "scouts", algorithms: ["RS256"] };
    for (const token of [JSON.parse(await granted.text()).access_token, await issuer.token("ada")]) {
      expect((await jwtVerify(token, keys, expected)).payload.sub).toBe("ada");
    }
  });

  it("makes tokens for another audience, and expired ones", async () => {
    const issuer = await openIssuer();
    const keys = createRemoteJWKSet(new URL(issuer.jwksUrl));
    const other = await issuer.token("ada", { audience: "elsewhere" });
    await expect(jwtVerify(other, keys, { audience: "scouts" })).rejects.toMatchObject({
      code: "ERR_JWT_CLAIM_VALIDATION_FAILED",
    });
    const old = await issuer.token("ada", { ttlSeconds: -60 });
    await expect(jwtVerify(old, keys)).rejects.toMatchObject({ code: "ERR_JWT_EXPIRED" });
  });

  it("keeps its key across restarts, readable by the owner only", async () => {
    const stateDir = await temporaryFolder();
    const first = await openIssuer({ stateDir });
    const token = await first.token("ada");
    await first.close();
    const second = await openIssuer({ stateDir });
    await expect(jwtVerify(token, createRemoteJWKSet(new URL(second.jwksUrl)))).resolves.toBeDefined();
    expect((await stat(join(stateDir, "signing-key.json"))).mode & 0o777).toBe(0o600);
  });

  it("grants nothing without a client, for a grant it does not have, or somewhere else", async () => {
    const issuer = await openIssuer();
    const ask = (form: Record<string, string>) =>
      fetch(`${issuer.url}/token`, { method: "POST", body: new URLSearchParams(form) });
    expect((await ask({ grant_type: "password", client_id: "ada" })).status).toBe(400);
    expect((await ask({ grant_type: "client_credentials" })).status).toBe(401);
    expect((await fetch(`${issuer.url}/elsewhere`)).status).toBe(404);
  });

  it("says so when its port is taken", async () => {
    const issuer = await openIssuer();
    await expect(openIssuer({ port: Number(new URL(issuer.url).port) })).rejects.toMatchObject({ code: "port_taken" });
  });
});
