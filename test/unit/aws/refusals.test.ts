import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KMSClient } from "@aws-sdk/client-kms";
import { expect, onTestFinished, test } from "vitest";
import { startKms } from "../../../infra/standins/kms/start.ts";
import { awsFailure } from "../../../shared/aws/failures.ts";
import { KmsKeyService } from "../../../shared/aws/kms-key-service.ts";
import { KmsKeyWrapper } from "../../../shared/aws/kms-key-wrapper.ts";
import { delays } from "../../../shared/outcome/delays.ts";
import { outcomeOf } from "../../../shared/outcome/outcome.ts";
import { openKeyRing } from "../../../shared/privacy/key-ring.ts";

const named = (name: string) => Object.assign(new Error("what AWS says may quote content"), { name });

test.each([
  "AccessDeniedException",
  "AccessDenied",
  "ForbiddenException",
  "ResourceNotFoundException",
  "QueueDoesNotExist",
  "NoSuchBucket",
  "KMSInvalidStateException",
])(
  "A1: a grant, resource or key that is missing (%s) is the operator's, by name, and spends nobody's attempt",
  (name) => {
    const failure = awsFailure(named(name), "storage_unavailable");
    expect(failure).toMatchObject({ code: "configuration_invalid", data: { refusal: name } });
    expect(outcomeOf(failure, 0)).toEqual({ kind: "defer", code: "configuration_invalid", untilMs: delays.operator });
  },
);

test.each(["InternalServerError", "KMSInternalException", "TimeoutError", "ExpiredTokenException"])(
  "a service that does not answer for a moment (%s) stays a fault that is tried again",
  (name) => {
    expect(awsFailure(named(name), "keys_unavailable").code).toBe("keys_unavailable");
    expect(awsFailure(named("ThrottlingException"), "storage_unavailable").code).toBe("storage_throttled");
  },
);

test("a key ring that was never made, and one the function may not open, are named as a setting", async () => {
  const stateDir = await mkdtemp(join(tmpdir(), "scouts-kms-"));
  let isGranted = true;
  const kms = await startKms({ stateDir, accessKeyId: "f", allow: () => isGranted });
  const client = new KMSClient({
    endpoint: kms.url,
    region: "us-east-1",
    credentials: { accessKeyId: "f", secretAccessKey: "s" },
    maxAttempts: 1,
  });
  onTestFinished(async () => {
    client.destroy();
    await kms.close();
    await rm(stateDir, { recursive: true, force: true });
  });
  const service = new KmsKeyService(client);
  const invalid = { code: "configuration_invalid" };
  await expect(openKeyRing(service, "unset", "vault")).rejects.toMatchObject(invalid);
  const content = { keys: [{ kid: "1", key: Buffer.alloc(32).toString("base64") }] };
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  const ring = Buffer.from(await new KmsKeyWrapper(client).encrypt("ring", bytes, { purpose: "vault" })).toString(
    "base64",
  );
  expect((await openKeyRing(service, ring, "vault")).newest.kid).toBe("1");
  isGranted = false;
  await expect(openKeyRing(service, ring, "vault")).rejects.toMatchObject(invalid);
});
