import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { keyFingerprint } from "../../standins/kms/ciphertext.ts";
import { fingerprintOf } from "../../standins/kms/keys.ts";
import { refuseForeignRequests } from "../../standins/own-requests.ts";
import { account, region } from "../components/names.ts";
import type { Graph } from "../graph.ts";
import { requestBody } from "../request-body.ts";
import type { Refusal, RequestAuthorizer } from "./request-authorizer.ts";

/** Where the key service is, and the access key it takes. */
export interface KeyServiceAddress {
  readonly url: string;
  readonly accessKeyId: string;
}

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
    // No JSON: a request that names no key.
    return `${prefix}unknown`;
  }
}

/** A ciphertext of the longest plaintext there is (4,096 bytes, KMS quotas), its context and more than all else. */
const mostBytes = 64 * 1024;

const operations = new Set(["Encrypt", "Decrypt", "GenerateDataKey", "GenerateDataKeyWithoutPlaintext", "DescribeKey"]);
const unknown: Refusal = { code: "AccessDeniedException", message: "There is no such operation here." };

function operationOf({ method, url, headers }: IncomingMessage): string | undefined {
  const operation = /^TrentService\.(\w+)$/.exec(String(headers["x-amz-target"]))?.[1] ?? "";
  return method === "POST" && url === "/" && operations.has(operation) ? operation : undefined;
}

/**
 * The way to KMS. Keys are opened once per execution, so one more hop costs nothing, and rights and counts work as for
 * the other services.
 */
export async function startKmsFront(
  target: KeyServiceAddress,
  graph: Graph,
  door: RequestAuthorizer,
): Promise<KmsFront> {
  const keyArns = graph.recorded.flatMap(({ type, name }) => (type === "aws.kms.Key" ? `${prefix}${name}` : []));
  const server = createServer(async (request, response) => {
    const reply = (status: number, text: string) =>
      response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(text);
    const principal = door.identify(request.headers, request.url);
    // Whoever has no key is told so before anything of theirs is taken in.
    const body = principal === undefined ? Buffer.alloc(0) : await requestBody(request, mostBytes);
    if (body === undefined) {
      reply(400, JSON.stringify({ __type: "ValidationException", message: "The request is too large." }));
      return;
    }
    const operation = operationOf(request);
    const refusal =
      operation === undefined
        ? unknown
        : door.admit(principal, {
            service: "kms",
            operation,
            needs: [{ action: `kms:${operation}`, resource: keyArn(body, keyArns) }],
          });
    if (refusal) {
      reply(400, JSON.stringify({ __type: refusal.code, message: refusal.message }));
      return;
    }
    try {
      const answer = await fetch(target.url, {
        method: "POST",
        headers: {
          "content-type": "application/x-amz-json-1.1",
          "x-amz-target": `TrentService.${operation}`,
          authorization: `AWS4-HMAC-SHA256 Credential=${target.accessKeyId}/local/${region}/kms/aws4_request`,
        },
        body,
      });
      reply(answer.status, await answer.text());
    } catch {
      // It does not answer: the caller is told as KMS tells it.
      reply(500, JSON.stringify({ __type: "KMSInternalException", message: "KMS cannot be reached." }));
    }
  });
  refuseForeignRequests(server);
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
