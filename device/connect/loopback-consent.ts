import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import { DeviceError } from "../errors.ts";

/** What a consent gave: to be posted to the cloud with the device's own token. */
export interface Consent {
  readonly code: string;
  readonly state: string;
  readonly codeVerifier: string;
}

export interface LoopbackConsent {
  /** Tells the cloud where to send the person back to. */
  readonly port: number;
  readonly codeChallenge: string;
  /**
   * Resolves when the browser has come back with this state; any other answer belongs to somebody else's sign-in, brought
   * here by a link (RFC 6749 §10.12), and is waited past. To be called before the page is opened.
   *
   * @throws (rejects) DeviceError `consent_refused`, `consent_abandoned`
   */
  result(state: string, signal: AbortSignal): Promise<Consent>;
  /**
   * Takes the address a browser on another machine has ended on: it leads to this port, which is not there.
   *
   * @returns whether it is the end of this consent; anything else is somebody else's, or no address
   */
  pasted(address: string): boolean;
  close(): void;
}

/**
 * Listens on a loopback port for the end of an OAuth consent (RFC 8252 §7.3), holding the PKCE verifier (RFC 7636): the
 * code that arrives is worthless without it, and it never leaves this process but to the cloud, with our own token.
 */
export async function listenForConsent(): Promise<LoopbackConsent> {
  const codeVerifier = randomBytes(48).toString("base64url");
  const codeChallenge = createHash("sha256").update(codeVerifier).digest("base64url");
  const arrived = Promise.withResolvers<Consent>();
  // Whoever awaits `result` hears of it; until then a refusal is not an unhandled rejection.
  arrived.promise.catch(() => {});
  let expected: string | undefined;
  const take = (answer: URLSearchParams): "granted" | "refused" | "strange" => {
    const code = answer.get("code");
    const state = answer.get("state");
    if (state === null || state !== expected) return "strange";
    if (code !== null) arrived.resolve({ code, state, codeVerifier });
    else if (answer.has("error")) arrived.reject(new DeviceError("consent_refused"));
    else return "strange";
    return code === null ? "refused" : "granted";
  };
  const server = createServer((request, response) => {
    const { searchParams: answer } = new URL(request.url ?? "/", "http://127.0.0.1");
    const granted = request.method === "GET" && take(answer) === "granted";
    response.writeHead(granted ? 200 : 400, { "content-type": "text/plain; charset=utf-8", connection: "close" });
    response.end(granted ? "Thank you. You can close this window." : "Access was not granted.");
  });
  return {
    port: await listening(server),
    codeChallenge,
    result(state, signal) {
      expected = state;
      const abandon = () => arrived.reject(new DeviceError("consent_abandoned"));
      if (signal.aborted) abandon();
      signal.addEventListener("abort", abandon, { once: true });
      const result = arrived.promise.finally(() => signal.removeEventListener("abort", abandon));
      // The caller may still be opening the browser when the person gives up.
      result.catch(() => {});
      return result;
    },
    pasted(address) {
      const url = URL.parse(address.trim());
      return url !== null && take(url.searchParams) !== "strange";
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new DeviceError("internal");
  return address.port;
}
