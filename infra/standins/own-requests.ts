import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** The names a program of this machine has for its loopback address; anything else came from a page or from elsewhere. */
const names = ["127.0.0.1", "localhost", "[::1]"];

const refusal = JSON.stringify({
  error: "foreign_request",
  message: "This server answers programs and pages of its own address only; see docs/operate.md.",
});
const headers = { "content-type": "application/json", "cache-control": "no-store", connection: "close" };

/**
 * Whether a request is meant for the server it reached, by somebody whose page or program this server serves. Listening
 * on 127.0.0.1 keeps other machines out, but not the pages that a browser on this one shows: they reach every port, and
 * by a name of their own that is bound anew to 127.0.0.1 (DNS rebinding) they would even read the answers.
 *
 * `Host` must be this address (RFC 9110 §7.2), `Origin`, when there is one, as well (Fetch, "Origin header"). A page's
 * pictures, scripts and frames send no `Origin` but `Sec-Fetch-Site`; only a link that is followed may come from elsewhere.
 */
export function isOwnRequest({ method, url, headers: sent, rawHeaders, socket }: IncomingMessage): boolean {
  const here = names.map((name) => `${name}:${socket.localPort}`);
  const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === "host");
  if (hosts.length !== 1 || !here.includes(hosts[0]?.toLowerCase() ?? "")) return false;
  const { origin } = sent;
  if (origin !== undefined && !here.some((host) => origin === `http://${host}`)) return false;
  // The absolute form (RFC 9112 §3.2.2) names another host than the header may.
  if (!url?.startsWith("/")) return false;
  const site = sent["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return true;
  return method === "GET" && sent["sec-fetch-mode"] === "navigate" && sent["sec-fetch-dest"] === "document";
}

/**
 * Has a server refuse everything that is not its own ({@link isOwnRequest}), before whoever listens for its requests and
 * upgrades so far. To be called once, when its listeners are there.
 */
export function refuseForeignRequests(server: Server): void {
  const requests = server.listeners("request");
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (!isOwnRequest(request)) {
      response.writeHead(403, headers).end(refusal);
      return;
    }
    for (const listener of requests) listener.call(server, request, response);
  });
  const upgrades = server.listeners("upgrade");
  if (upgrades.length === 0) return;
  server.removeAllListeners("upgrade");
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!isOwnRequest(request)) {
      refuseUpgrade(socket);
      return;
    }
    for (const listener of upgrades) listener.call(server, request, socket, head);
  });
}

function refuseUpgrade(socket: Duplex): void {
  // Whoever is refused may be gone already.
  socket.on("error", () => socket.destroy());
  const lines = Object.entries({ ...headers, "content-length": String(refusal.length) }).map(([name, value]) =>
    [name, value].join(": "),
  );
  socket.end(["HTTP/1.1 403 Forbidden", ...lines, "", refusal].join("\r\n"));
}
