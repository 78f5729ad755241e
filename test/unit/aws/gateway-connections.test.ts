import { ApiGatewayManagementApiClient } from "@aws-sdk/client-apigatewaymanagementapi";
import { expect, test } from "vitest";
import { frameId } from "../../../events/ids.ts";
import { GatewayConnections } from "../../../shared/aws/gateway-connections.ts";
import { serviceAt } from "../service-at.ts";

const pong = { type: "pong", inReplyTo: frameId.parse("frm_01KE5Q8600ESE4NYY1EVXDNQEA") } as const;

/** The connections of a management API that takes requests and never answers one. */
async function silentConnections(longestMs: number) {
  const endpoint = await serviceAt(() => {});
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const client = new ApiGatewayManagementApiClient({ endpoint, region: "us-east-1", credentials });
  return new GatewayConnections(endpoint, longestMs, client);
}

test("a post that is not answered is given up: it keeps a function, and who else waits for it, no longer", async () => {
  const connections = await silentConnections(20);
  await expect(connections.post("c1", pong)).rejects.toMatchObject({ code: "internal" });
  await expect(connections.close("c1")).rejects.toMatchObject({ code: "internal" });
});
