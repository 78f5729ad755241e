import { once } from "node:events";
import { createServer, request } from "node:http";
import { describe, expect, it } from "vitest";
import { allows } from "../../infra/local/engines/access.ts";
import { startFixture } from "./start-fixture.ts";

describe("access rights", () => {
  it("match actions without case and resources with IAM's wildcards", () => {
    const rights = [{ actions: ["sqs:Send*"], resources: ["arn:aws:sqs:*:*:Jobs", "arn:?"] }];
    expect(allows(rights, "SQS:SendMessage", "arn:aws:sqs:us-east-1:0:Jobs")).toBe(true);
    expect(allows(rights, "sqs:ReceiveMessage", "arn:aws:sqs:us-east-1:0:Jobs")).toBe(false);
    expect(allows(rights, "sqs:SendMessage", "arn:aws:sqs:us-east-1:0:JobsDead")).toBe(false);
    expect(allows(rights, "sqs:SendMessage", "arn:xy")).toBe(false);
    expect(allows([{ actions: ["a:b"], resources: ["x.y"] }], "a:b", "xzy")).toBe(false);
  });

  it("P4: a function may do exactly what its permissions say, on every service, as on AWS", async () => {
    await using fixture = await startFixture();
    const attempt = async (call: string) => {
      fixture.observer.script("plain", () => ({ do: "aws", calls: [call], catchErrors: true }));
      const outcome = await fixture.home.invoke("Plain", {});
      return outcome.status === "success" ? outcome.result : outcome.error.errorType;
    };
    expect(await attempt("put 1")).toBe("done");
    expect(await attempt("get 1")).toBe("done");
    expect(await attempt("query kinds")).toBe("done");
    expect(await attempt("query labels")).toBe("AccessDeniedException");
    expect(await attempt("send x")).toBe("done");
    expect(await attempt("sendElsewhere x")).toBe("AccessDeniedException");
    expect(await attempt("store a/b")).toBe("done");
    expect(await attempt("decrypt OtherKey")).toBe("AccessDeniedException");
  });

  it("refuses requests that no function of this run signed", async () => {
    await using fixture = await startFixture();
    const { endpoints } = fixture.home.operator;
    const answers = await Promise.all([
      fetch(endpoints.dynamodb, {
        method: "POST",
        headers: { "x-amz-target": "DynamoDB_20120810.Scan" },
        body: '{"TableName":"Things"}',
      }),
      fetch(`${endpoints.s3}/box?list-type=2`),
      fetch(endpoints.sqs, {
        method: "POST",
        headers: { "x-amz-target": "AmazonSQS.ListQueues", "content-type": "application/x-amz-json-1.0" },
        body: "{}",
      }),
      // A name that is no text is refused like any other.
      fetch(endpoints.dynamodb, {
        method: "POST",
        headers: { "x-amz-target": "DynamoDB_20120810.Query", "content-type": "application/x-amz-json-1.0" },
        body: '{"TableName":"Things","IndexName":{"toString":0}}',
      }),
      ...["Plain", "%E0"].map((name) =>
        fetch(`${endpoints.lambda}/2015-03-31/functions/${name}/invocations`, { method: "POST", body: "{}" }),
      ),
    ]);
    expect(answers.map(({ ok }) => ok)).not.toContain(true);
  });

  describe("of a body without an end", () => {
    /** The status that is answered while the body still goes on. */
    async function answerTo(url: string, headers: Record<string, string>, sent: number): Promise<number | undefined> {
      const asking = request(url, { method: "POST", headers: { ...headers, "transfer-encoding": "chunked" } });
      asking.on("error", () => {});
      asking.write(Buffer.alloc(sent, "x"));
      const [answer] = await once(asking, "response");
      asking.destroy();
      return answer.statusCode;
    }
    const doors = ({ home: { apiUrl, operator } }: Awaited<ReturnType<typeof startFixture>>) => [
      {
        url: operator.endpoints.dynamodb,
        headers: { "x-amz-target": "DynamoDB_20120810.GetItem", "content-type": "application/x-amz-json-1.0" },
      },
      { url: operator.endpoints.kms, headers: { "x-amz-target": "TrentService.Decrypt" } },
      { url: `${operator.endpoints.lambda}/2015-03-31/functions/Plain/invocations`, headers: {} },
      { url: `${apiUrl}/socket/@connections/nobody`, headers: {} },
    ];

    it("a request without a key is refused before the body is read", async () => {
      await using fixture = await startFixture();
      const answers = await Promise.all(doors(fixture).map(({ url, headers }) => answerTo(url, { ...headers }, 1)));
      expect(answers).toEqual([400, 400, 403, 403]);
    });

    it("no more is taken in than the service takes", async () => {
      await using fixture = await startFixture();
      const { accessKeyId } = fixture.home.operator.credentials;
      const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/today`;
      const longest = 16 * 1024 * 1024;
      const answers = await Promise.all(
        doors(fixture).map(({ url, headers }) => answerTo(url, { ...headers, authorization }, longest + 1)),
      );
      expect(answers).toEqual([413, 400, 413, 410]);
    });
  });

  it("counts requests of functions and pollers by service and operation, not the operator's", async () => {
    await using fixture = await startFixture();
    fixture.observer.script("plain", () => ({ do: "aws", calls: ["put 1", "put 2", "get 1", "send x"] }));
    await fixture.home.invoke("Plain", {});
    await fixture.home.whenIdle();
    expect(fixture.home.requests()).toEqual({
      services: { dynamodb: 3, sqs: 3 },
      operations: {
        "dynamodb:PutItem": 2,
        "dynamodb:GetItem": 1,
        "sqs:SendMessage": 1,
        "sqs:ReceiveMessage": 1,
        "sqs:DeleteMessageBatch": 1,
      },
    });
  });

  it("lets KMS calls through to the service with the right to the key", async () => {
    const kms = createServer((request, response) => {
      expect(request.headers["x-amz-target"]).toBe("TrentService.Decrypt");
      response.setHeader("content-type", "application/x-amz-json-1.1");
      response.end(JSON.stringify({ Plaintext: "aGk=", KeyId: "RingKey" }));
    }).listen(0, "127.0.0.1");
    await once(kms, "listening");
    const address = kms.address();
    const port = typeof address === "object" ? address?.port : 0;
    await using fixture = await startFixture({
      endpoints: { kms: { url: `http://127.0.0.1:${port}`, accessKeyId: "k" } },
    });
    fixture.observer.script("plain", () => ({ do: "aws", calls: ["decrypt RingKey"] }));
    expect(await fixture.home.invoke("Plain", {})).toEqual({ status: "success", result: "done" });
    expect(fixture.home.requests().services["kms"]).toBe(1);
    kms.close();
    kms.closeAllConnections();
  });
});
