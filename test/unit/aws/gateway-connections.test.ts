import { once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { frameId } from "../../../events/ids.ts";
import { GatewayConnections } from "../../../shared/aws/gateway-connections.ts";

const pong = { type: "pong", inReplyTo: frameId.parse("frm_01KE5Q8600ESE4NYY1EVXDNQEA") } as const;

/** A management API that takes requests and never answers one. */
async function silentGateway() {
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  const server = createServer(() => {});
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    vi.unstubAllEnvs();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

test("a post that is not answered is given up: it keeps a function, and who else waits for it, no longer", async () => {
  const connections = new GatewayConnections(await silentGateway(), 20);
  await expect(connections.post("c1", pong)).rejects.toMatchObject({ code: "internal" });
  await expect(connections.close("c1")).rejects.toMatchObject({ code: "internal" });
});
