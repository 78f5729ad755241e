import { once } from "node:events";
import { createServer } from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll } from "vitest";
import { pushSettings } from "./memory-home.ts";

/** Google's signing keys on a loopback port until the file's tests are over, and tokens signed with them. */
export async function startGoogleKeys() {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "k1", alg: "RS256", use: "sig" };
  const server = createServer((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ keys: [jwk] }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  const sign = (claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}, key = privateKey) =>
    new SignJWT({ email: pushSettings.serviceAccount, email_verified: true, ...claims })
      .setProtectedHeader({ alg: "RS256", kid: "k1", ...header })
      .setIssuer("https://accounts.google.com")
      .setAudience(pushSettings.audience)
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(key);
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/certs`, sign };
}
