import { randomBytes } from "node:crypto";
import * as z from "zod";
import { type HttpAnswer, type HttpRequest, json, serveLoopback } from "../loopback-server.ts";
import { sameSecret } from "../owner-secret.ts";
import { decrypt, encrypt, keyFingerprint } from "./ciphertext.ts";
import { type KeyStore, openKeys } from "./keys.ts";

export interface KmsOptions {
  /** Where the key file lives, `<data>/world/kms`. */
  readonly stateDir: string;
  readonly port?: number;
  /** The access key id requests must be signed with; all others are refused. */
  readonly accessKeyId: string;
  /** Whether a call may use a key; all may by default. Refused calls get AccessDeniedException. */
  readonly allow?: (operation: string, keyArn: string) => boolean;
}

export interface Kms {
  /** Endpoint for `AWS_ENDPOINT_URL_KMS`. */
  readonly url: string;
  readonly accessKeyId: string;
  /** Calls so far; of one operation when named. */
  requests(operation?: string): number;
  close(): Promise<void>;
}

class KmsError extends Error {
  readonly type: string;
  constructor(type: string, message: string) {
    super(message);
    this.name = "KmsError";
    this.type = type;
  }
}

const arnPrefix = "arn:aws:kms:us-east-1:000000000000:key/";
const maxPlaintextBytes = 4096;
const bytes = z.base64().transform((text) => Buffer.from(text, "base64"));
const context = z.record(z.string(), z.string()).default({});
const plaintext = bytes.refine((value) => value.length > 0 && value.length <= maxPlaintextBytes);
const encryptRequest = z.object({ KeyId: z.string(), Plaintext: plaintext, EncryptionContext: context });
const decryptRequest = z.object({ KeyId: z.string().optional(), CiphertextBlob: bytes, EncryptionContext: context });
const dataKeyRequest = z.object({
  KeyId: z.string(),
  KeySpec: z.enum(["AES_256", "AES_128"]).optional(),
  NumberOfBytes: z.number().int().min(1).max(1024).optional(),
  EncryptionContext: context,
});
const describeRequest = z.object({ KeyId: z.string() });

/**
 * AWS KMS's JSON protocol (https://docs.aws.amazon.com/kms/latest/APIReference) for symmetric keys, over a key file. A key
 * is made when it is first encrypted with. Throws StandInError.
 */
export async function startKms(options: KmsOptions): Promise<Kms> {
  const keys = openKeys(options.stateDir);
  const allow = options.allow ?? (() => true);
  const calls = new Map<string, number>();
  const server = await serveLoopback(
    (request) => {
      const operation = /^TrentService\.(\w+)$/.exec(String(request.headers["x-amz-target"] ?? ""))?.[1] ?? "";
      if (!sameSecret(accessKeyIn(request.headers.authorization), options.accessKeyId)) return stranger;
      calls.set(operation, (calls.get(operation) ?? 0) + 1);
      return answer(request, operation, keys, allow);
    },
    options.port === undefined ? {} : { port: options.port },
  );
  return {
    url: server.url,
    accessKeyId: options.accessKeyId,
    requests: (operation) =>
      operation === undefined ? [...calls.values()].reduce((sum, n) => sum + n, 0) : (calls.get(operation) ?? 0),
    close: server.close,
  };
}

/** Of a header of Signature Version 4. */
const accessKeyIn = (authorization = "") => /Credential=([^/,=\s]+)\//.exec(authorization)?.[1] ?? "";

const stranger = json(
  400,
  { __type: "UnrecognizedClientException", message: "The security token included in the request is invalid." },
  { "content-type": "application/x-amz-json-1.1" },
);

function answer(
  request: HttpRequest,
  operation: string,
  keys: KeyStore,
  allow: (operation: string, keyArn: string) => boolean,
): HttpAnswer {
  const headers = { "content-type": "application/x-amz-json-1.1" };
  try {
    const body: unknown = JSON.parse(request.body.toString() || "{}");
    return json(200, run(operation, body, keys, allow), headers);
  } catch (error) {
    if (error instanceof KmsError) return json(400, { __type: error.type, message: error.message }, headers);
    if (error instanceof z.ZodError)
      return json(400, { __type: "ValidationException", message: "Invalid request" }, headers);
    if (error instanceof SyntaxError) return json(400, { __type: "SerializationException" }, headers);
    throw error;
  }
}

function run(
  operation: string,
  body: unknown,
  keys: KeyStore,
  allow: (operation: string, keyArn: string) => boolean,
): unknown {
  const allowed = (keyId: string) => {
    const arn = arnOf(keyId);
    if (allow(operation, arn)) return arn;
    throw new KmsError(
      "AccessDeniedException",
      `The caller is not authorized to perform: kms:${operation} on resource: ${arn}`,
    );
  };
  switch (operation) {
    case "Encrypt": {
      const input = encryptRequest.parse(body);
      const arn = allowed(input.KeyId);
      const blob = encrypt(arn, keys.getOrCreate(arn), input.Plaintext, input.EncryptionContext);
      return { CiphertextBlob: blob.toString("base64"), KeyId: arn, EncryptionAlgorithm: "SYMMETRIC_DEFAULT" };
    }
    case "Decrypt": {
      const input = decryptRequest.parse(body);
      const fingerprint = keyFingerprint(input.CiphertextBlob);
      const found = fingerprint === undefined ? undefined : keys.byFingerprint(fingerprint);
      if (found === undefined) throw new KmsError("InvalidCiphertextException", "");
      const arn = allowed(found.arn);
      if (input.KeyId !== undefined && arnOf(input.KeyId) !== arn) {
        throw new KmsError(
          "IncorrectKeyException",
          "The key ID in the request does not identify a CMK that can perform this operation.",
        );
      }
      const opened = decrypt(found.key, input.CiphertextBlob, input.EncryptionContext);
      if (opened === undefined) throw new KmsError("InvalidCiphertextException", "");
      return { Plaintext: opened.toString("base64"), KeyId: arn, EncryptionAlgorithm: "SYMMETRIC_DEFAULT" };
    }
    case "GenerateDataKey":
    case "GenerateDataKeyWithoutPlaintext": {
      const input = dataKeyRequest.parse(body);
      const arn = allowed(input.KeyId);
      const dataKey = randomBytes(input.NumberOfBytes ?? (input.KeySpec === "AES_128" ? 16 : 32));
      const blob = encrypt(arn, keys.getOrCreate(arn), dataKey, input.EncryptionContext);
      const plain = operation === "GenerateDataKey" ? { Plaintext: dataKey.toString("base64") } : {};
      return { CiphertextBlob: blob.toString("base64"), KeyId: arn, ...plain };
    }
    case "DescribeKey": {
      const arn = allowed(describeRequest.parse(body).KeyId);
      if (keys.get(arn) === undefined) throw new KmsError("NotFoundException", `Key '${arn}' does not exist`);
      return {
        KeyMetadata: {
          Arn: arn,
          KeyId: arn.slice(arnPrefix.length),
          AWSAccountId: "000000000000",
          Enabled: true,
          KeyState: "Enabled",
          KeyUsage: "ENCRYPT_DECRYPT",
          KeySpec: "SYMMETRIC_DEFAULT",
        },
      };
    }
    default:
      throw new KmsError("UnknownOperationException", "");
  }
}

/** Accepts a key's ARN or its bare name, as KMS accepts ARN and key id; anything else names no key. */
function arnOf(keyId: string): string {
  const name = keyId.startsWith(arnPrefix) ? keyId.slice(arnPrefix.length) : keyId;
  if (!/^[\w-]{1,128}$/.test(name)) throw new KmsError("NotFoundException", `Invalid keyId '${keyId}'`);
  return `${arnPrefix}${name}`;
}
