import { once } from "node:events";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { account, region } from "../components/names.ts";
import type { Graph } from "../graph.ts";
import { keyFingerprint } from "../../standins/kms/ciphertext.ts";
import { fingerprintOf } from "../../standins/kms/keys.ts";
import type { FrontDoor } from "./door.ts";

export interface KmsFront {
  endpoint: string;
  close(): Promise<void>;
}

const prefix = `arn:aws:kms:${region}:${account}:key/`;

/**
 * The key a request is about. `Decrypt` may leave `KeyId` out, as KMS finds the key in the ciphertext; the stand-in puts
 * a fingerprint of the key's ARN there.
 */
function keyArn(body: Buffer, keyArns: string[]): string {
  try {
    const { KeyId, CiphertextBlob } = JSON.parse(body.toString());
    if (typeof KeyId === "string") return KeyId.startsWith("arn:") ? KeyId : `${prefix}${KeyId}`;
    const fingerprint = keyFingerprint(Buffer.from(String(CiphertextBlob), "base64"));
    const known = fingerprint && keyArns.find((arn) => fingerprintOf(arn).equals(fingerprint));
    return known ?? `${prefix}unknown`;
  } catch {
    return `${prefix}unknown`;
  }
}

/**
 * The way to KMS. Keys are opened once per execution, so one more hop costs nothing, and rights and counts work as for
 * the other services.
 */
export async function startKmsFront(target: string, graph: Graph, door: FrontDoor): Promise<KmsFront> {
  const keyArns = graph.recorded.flatMap(({ type, name }) => (type === "aws.kms.Key" ? `${prefix}${name}` : []));
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const operation = String(request.headers["x-amz-target"] ?? "").replace(/^.*\./, "");
    const refusal = door.admit(door.identify(request.headers, request.url), {
      service: "kms",
      operation,
      needs: [{ action: `kms:${operation}`, resource: keyArn(body, keyArns) }],
    });
    const reply = (status: number, text: string) =>
      response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(text);
    if (refusal) {
      reply(400, JSON.stringify({ __type: refusal.code, message: refusal.message }));
      return;
    }
    try {
      const answer = await fetch(target, {
        method: "POST",
        headers: {
          "content-type": "application/x-amz-json-1.1",
          "x-amz-target": String(request.headers["x-amz-target"]),
          authorization: String(request.headers.authorization),
        },
        body,
      });
      reply(answer.status, await answer.text());
    } catch {
      reply(500, JSON.stringify({ __type: "KMSInternalException", message: "KMS cannot be reached." }));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    endpoint: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
