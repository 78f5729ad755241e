import { once } from "node:events";
import { createServer } from "node:http";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { routeTable } from "../../infra/local/gateway/routes.ts";
import { startFixture } from "./start-fixture.ts";

describe("routes of the HTTP API", () => {
  const find = routeTable(
    ["$default", "ANY /a/{proxy+}", "GET /a/b", "ANY /a/b", "GET /a/{id}", "GET /a/{id}/c"].map((route) => ({
      route,
      function: "f",
    })),
  );
  it.each([
    ["GET", "/a/b", "GET /a/b", {}],
    ["POST", "/a/b", "ANY /a/b", {}],
    ["GET", "/a/x%20y", "GET /a/{id}", { id: "x y" }],
    ["POST", "/a/x", "ANY /a/{proxy+}", { proxy: "x" }],
    ["GET", "/a/x/y", "ANY /a/{proxy+}", { proxy: "x/y" }],
    ["GET", "/a/x/c", "GET /a/{id}/c", { id: "x" }],
    ["GET", "/a/", "$default", {}],
    ["GET", "/b", "$default", {}],
  ])("%s %s goes to %s", (method, path, route, pathParameters) => {
    expect(find(method, path)).toEqual({ route: { route, function: "f" }, pathParameters });
  });
});

/** An OIDC issuer with one key, which first answers `failures` questions for its configuration with an error. */
async function startIssuer(failures = 0) {
  const { privateKey, publicKey } = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "k1", alg: "RS256", use: "sig" };
  let unwell = failures;
  const server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.url !== "/jwks" && unwell-- > 0) return response.writeHead(503).end('{"error":"unavailable"}');
    return response.end(
      JSON.stringify(request.url === "/jwks" ? { keys: [jwk] } : { issuer: url, jwks_uri: `${url}/jwks` }),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const token = (claims: JWTPayload = {}, key = privateKey, alg = "RS256") =>
    new SignJWT({ iss: url, aud: "fixture", sub: "person", exp: Math.floor(Date.now() / 1000) + 3_600, ...claims })
      .setProtectedHeader({ alg, kid: "k1" })
      .sign(key);
  return {
    url,
    token,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

describe("the HTTP gateway", () => {
  it("turns a request into API Gateway's event, payload format 2.0, and the handler's answer into a response", async () => {
    await using fixture = await startFixture();
    fixture.observer.script("web", () => ({
      do: "return",
      value: { statusCode: 201, headers: { "x-made": "1" }, cookies: ["a=1", "b=2"], body: '{"ok":true}' },
    }));
    const response = await fetch(`${fixture.home.apiUrl}/things?x=1&x=2&y=z`, {
      method: "POST",
      headers: { "content-type": "application/json", "X-Custom": "yes", cookie: "c=3; d=4" },
      body: '{"a":1}',
    });
    expect(response.status).toBe(201);
    expect(response.headers.get("x-made")).toBe("1");
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await response.json()).toEqual({ ok: true });
    const [sighting] = await fixture.observer.sightings("web", 1);
    expect(sighting?.event).toMatchObject({
      version: "2.0",
      routeKey: "POST /things",
      rawPath: "/things",
      rawQueryString: "x=1&x=2&y=z",
      cookies: ["c=3", "d=4"],
      headers: { "x-custom": "yes" },
      queryStringParameters: { x: "1,2", y: "z" },
      requestContext: {
        http: { method: "POST", path: "/things", protocol: "HTTP/1.1", sourceIp: "127.0.0.1" },
        stage: "$default",
        routeKey: "POST /things",
        time: expect.stringMatching(/^\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
      },
      body: '{"a":1}',
      isBase64Encoded: false,
    });
  });

  it("passes bytes as base64 and a path parameter decoded", async () => {
    await using fixture = await startFixture();
    await fetch(`${fixture.home.apiUrl}/things`, {
      method: "POST",
      headers: { "content-type": "application/octet-stream" },
      body: new Uint8Array([0, 255]),
    });
    await fetch(`${fixture.home.apiUrl}/things/a%20b`);
    const [bytes, path] = await fixture.observer.sightings("web", 2);
    expect(bytes?.event).toMatchObject({ body: "AP8=", isBase64Encoded: true });
    expect(path?.event).toMatchObject({ pathParameters: { id: "a b" }, rawPath: "/things/a%20b" });
  });

  it("takes an answer without a status code as the body", async () => {
    await using fixture = await startFixture();
    fixture.observer.script("web", () => ({ do: "return", value: { plain: true } }));
    const response = await fetch(`${fixture.home.apiUrl}/things/1`);
    expect([response.status, await response.json()]).toEqual([200, { plain: true }]);
  });

  it("answers as API Gateway does when no route matches, the payload is too large, or the function fails", async () => {
    await using fixture = await startFixture();
    const { apiUrl } = fixture.home;
    const answer = async (path: string, init?: RequestInit) => {
      const response = await fetch(`${apiUrl}${path}`, init);
      return [response.status, await response.json()];
    };
    expect(await answer("/nowhere")).toEqual([404, { message: "Not Found" }]);
    expect(await answer("/things", { method: "POST", body: "x".repeat(10_000_001) })).toEqual([
      413,
      { message: "Request Entity Too Large" },
    ]);
    fixture.observer.script("web", () => ({ do: "throw", message: "secret" }));
    expect(await answer("/things/1")).toEqual([500, { message: "Internal Server Error" }]);
    fixture.observer.script("web", () => ({ do: "exit" }));
    expect(await answer("/things/1")).toEqual([500, { message: "Internal Server Error" }]);
  });

  it("asks the issuer again for its keys after an answer that names none", async () => {
    await using issuer = await startIssuer(1);
    await using fixture = await startFixture({ deploy: { OIDC_ISSUER: issuer.url } });
    const headers = { authorization: `Bearer ${await issuer.token()}` };
    const status = async () => (await fetch(`${fixture.home.apiUrl}/private/x`, { method: "POST", headers })).status;
    expect([await status(), await status()]).toEqual([401, 200]);
  });

  it("lets only tokens of the issuer for this audience through, and hands their claims over as text", async () => {
    await using issuer = await startIssuer();
    await using fixture = await startFixture({ deploy: { OIDC_ISSUER: issuer.url } });
    const stranger = await generateKeyPair("RS256");
    const elliptic = await generateKeyPair("ES256");
    const status = async (authorization?: string) => {
      const headers = authorization === undefined ? {} : { authorization };
      return (await fetch(`${fixture.home.apiUrl}/private/x`, { method: "POST", headers })).status;
    };
    const past = Math.floor(Date.now() / 1000) - 60;
    expect(await status()).toBe(401);
    expect(await status("Bearer nonsense")).toBe(401);
    expect(await status(`Bearer ${await issuer.token({ aud: "another" })}`)).toBe(401);
    expect(await status(`Bearer ${await issuer.token({ iss: "http://other" })}`)).toBe(401);
    expect(await status(`Bearer ${await issuer.token({ exp: past })}`)).toBe(401);
    expect(await status(`Bearer ${await issuer.token({ nbf: Math.floor(Date.now() / 1000) + 600 })}`)).toBe(401);
    expect(await status(`Bearer ${await issuer.token({}, stranger.privateKey)}`)).toBe(401);
    expect(await status(`Bearer ${await issuer.token({}, elliptic.privateKey, "ES256")}`)).toBe(401);
    expect(fixture.observer.seen).toEqual([]);
    expect(await status(`Bearer ${await issuer.token({ n: 1, groups: ["a", "b"] })}`)).toBe(200);
    const [sighting] = await fixture.observer.sightings("web", 1);
    expect(sighting?.event).toMatchObject({
      requestContext: { authorizer: { jwt: { claims: { sub: "person", n: "1", groups: "[a b]" }, scopes: null } } },
    });
    expect((await fetch(`${fixture.home.apiUrl}/private/open`)).status).toBe(200);
  });
});
