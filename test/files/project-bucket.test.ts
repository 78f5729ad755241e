import { createServer, type IncomingMessage } from "node:http";
import { S3Client } from "@aws-sdk/client-s3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ProjectBucket } from "../../device/files/backends/s3/project-bucket.ts";
import { bytes, collect, expectCode } from "./expect-code.ts";

/** Answers as S3 does where the embedded engine differs: conditions, refusals, keys in URL encoding. */
let answer: (request: IncomingMessage) => { status: number; body?: string; headers?: Record<string, string> };
let requests: IncomingMessage[];
const server = createServer((request, response) => {
  requests.push(request);
  request.resume();
  request.on("end", () => {
    const { status, body = "", headers = {} } = answer(request);
    response.writeHead(status, { "content-type": "application/xml", ...headers });
    response.end(body);
  });
});
let client: S3Client;
let bucket: ProjectBucket;

beforeEach(async () => {
  requests = [];
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  client = new S3Client({
    endpoint: `http://127.0.0.1:${address.port}`,
    region: "us-east-1",
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
  bucket = new ProjectBucket("b", client);
});
afterEach(async () => {
  client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const failure = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>m</Message></Error>`;

it("P2: sends the conditions, the mode, and takes 412 and 409 for a condition that did not hold", async () => {
  answer = () => ({ status: 412, body: failure("PreconditionFailed") });
  expect(await bucket.put("k", bytes("x"), { mode: 0o755, ifMatch: '"e1"' })).toBeUndefined();
  expect(requests[0]?.headers).toMatchObject({ "if-match": '"e1"', "x-amz-meta-mode": "755" });
  answer = () => ({ status: 409, body: failure("ConditionalRequestConflict") });
  expect(await bucket.put("k", bytes("x"), { mode: 0o644, ifNoneMatch: "*" })).toBeUndefined();
  expect(requests[1]?.headers["if-none-match"]).toBe("*");
  answer = () => ({ status: 404, body: failure("NoSuchKey") });
  expect(await bucket.put("k", bytes("x"), { mode: 0o644, ifMatch: '"e1"' })).toBeUndefined();
  answer = () => ({ status: 412, body: failure("PreconditionFailed") });
  expect(await bucket.delete("k", '"e1"')).toBe(false);
  expect(requests[3]?.headers["if-match"]).toBe('"e1"');
});

it("tells refusals and faults apart", async () => {
  answer = () => ({ status: 403, body: failure("AccessDenied") });
  await expectCode(bucket.get("k"), "AccessDenied");
  await expectCode(bucket.put("k", bytes("x"), { mode: 0o644 }), "AccessDenied");
  answer = () => ({ status: 500, body: failure("InternalError") });
  await expectCode(bucket.get("k"), "StorageFailed");
  await expectCode(bucket.list(""), "StorageFailed");
  await expectCode(bucket.delete("k"), "StorageFailed");
});

it("reads keys in URL encoding and follows the pages", async () => {
  const page = (
    key: string,
    next: string,
  ) => `<?xml version="1.0"?><ListBucketResult><Name>b</Name><EncodingType>url</EncodingType>
    <Contents><Key>${key}</Key><ETag>"e"</ETag><Size>1</Size></Contents>${next}</ListBucketResult>`;
  answer = (request) =>
    request.url?.includes("continuation-token=t")
      ? { status: 200, body: page("d/b%2Bc", "") }
      : { status: 200, body: page("d/a+%01%C3%A9", "<NextContinuationToken>t</NextContinuationToken>") };
  const keys = (await collect(bucket.list("d/"))).map((listed) => listed.key);
  expect(keys).toEqual(["d/a \u0001é", "d/b+c"]);
  expect(requests[0]?.url).toContain("encoding-type=url");
});
