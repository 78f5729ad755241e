import { LambdaClient } from "@aws-sdk/client-lambda";
import { expect, test } from "vitest";
import { LambdaSource } from "../../../shared/aws/lambda-source.ts";
import { scoutAtSource } from "../../contract/connector-fixtures.ts";
import { serviceAt } from "../service-at.ts";

const call = { v: 1, sourceType: "imap", scout: scoutAtSource, ask: { what: "sees" } } as const;

/** A service that answers every invocation as Lambda refuses one: by the name of an error. */
async function refusing(status: number, name: string): Promise<LambdaSource> {
  const endpoint = await serviceAt((_, response) => {
    response.writeHead(status, { "content-type": "application/json", "x-amzn-errortype": name }).end("{}");
  });
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  return new LambdaSource(
    "imap",
    60_000,
    new LambdaClient({ endpoint, region: "us-east-1", credentials, maxAttempts: 1 }),
  );
}

test("a source that could not be asked, because no execution was free, is not told as one that does not answer", async () => {
  const source = await refusing(429, "TooManyRequestsException");
  await expect(source.call(call)).rejects.toMatchObject({ code: "source_unavailable", data: { reason: "busy" } });
});

test("a function that is not there is the operator's, and one that fails says nothing of the source", async () => {
  const missing = await refusing(404, "ResourceNotFoundException");
  await expect(missing.call(call)).rejects.toMatchObject({ code: "configuration_invalid" });
  const failing = await refusing(500, "ServiceException");
  await expect(failing.call(call)).rejects.toMatchObject({ code: "source_unavailable", data: {} });
});
