import { once } from "node:events";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { account, region } from "../components/names.ts";
import type { FrontDoor } from "./door.ts";

export interface KmsFront {
  endpoint: string;
  close(): Promise<void>;
}

/** A key id, alias or ARN as an ARN; a ciphertext that names no key is checked against the pattern of all keys. */
function keyArn(body: Buffer): string {
  const prefix = `arn:aws:kms:${region}:${account}:key/`;
  try {
    const { KeyId } = JSON.parse(body.toString());
    return typeof KeyId === "string" ? (KeyId.startsWith("arn:") ? KeyId : `${prefix}${KeyId}`) : `${prefix}*`;
  } catch {
    return `${prefix}*`; // the service answers what is wrong with the body
  }
}

/**
 * The way to KMS. Keys are opened once per execution, so one more hop costs nothing, and rights and counts work as for
 * the other services.
 *
 * `Decrypt` may leave `KeyId` out, and only KMS knows which key a ciphertext is of; then the right to some key is
 * asked for. Functions here always name the key.
 */
export async function startKmsFront(target: string, door: FrontDoor): Promise<KmsFront> {
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const operation = String(request.headers["x-amz-target"] ?? "").replace(/^.*\./, "");
    const refusal = door.admit(door.identify(request.headers, request.url), {
      service: "kms",
      operation,
      needs: [{ action: `kms:${operation}`, resource: keyArn(body) }],
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
