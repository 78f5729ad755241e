import type { HomeAbout } from "../../../events/health.ts";
import { json, type LoopbackServer, serveLoopback } from "../../standins/loopback-server.ts";
import { bringsSecret } from "../../standins/owner-secret.ts";

/**
 * `GET /about` on a port of its own: what the home runs with and how that fares, for its owner's other programs on this
 * machine. Whoever does not bring the secret of `home.json` learns nothing.
 *
 * @param describe asked for every request; `?model=anew` has the language model asked also when it answered just now
 */
export function openAboutServer(
  ownerSecret: string,
  describe: (isModelAskedAnew: boolean) => Promise<HomeAbout>,
): Promise<LoopbackServer> {
  return serveLoopback(async (request) => {
    if (!bringsSecret(request, ownerSecret)) return json(401, { error: "unauthenticated" });
    if (request.method !== "GET" || request.url.pathname !== "/about") return json(404, { error: "not_found" });
    return json(200, await describe(request.url.searchParams.get("model") === "anew"), { "cache-control": "no-store" });
  });
}
