import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { DynamoDBClient, QueryCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { describe, expect, it } from "vitest";
import type { OperatorAccess } from "../../infra/local/home.ts";
import { fixtureConfig, startFixture } from "./start-fixture.ts";

/** So long that no function is ended for being slow on a busy machine: three times, and its messages are dead letters. */
const jobsTimeout = "2 minutes";
const script = fileURLToPath(new URL("./fixtures/run-home.ts", import.meta.url));

describe("P2: kill -9 of the whole process", () => {
  it("loses no message and leaves index entries that agree with the items", async () => {
    await using fixture = await startFixture({ deploy: { JOBS_TIMEOUT: jobsTimeout } });
    const { observer, dataDir } = fixture;
    await fixture.home.stop();

    const child = spawn(process.execPath, [script, dataDir, fixtureConfig, observer.url, jobsTimeout], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(child.stdout, "data");
    const { operator, url }: { operator: OperatorAccess; url: string } = JSON.parse(String(line));
    const bodies = Array.from({ length: 100 }, (_, n) => `m${n}`);
    observer.script("jobs", ({ event }) => ({
      do: "aws",
      calls: (event["Records"] as { body: string }[]).map(({ body }) => `put ${body}`),
    }));
    const queues = new SQSClient({ ...operator, endpoint: operator.endpoints.sqs });
    for (let start = 0; start < bodies.length; start += 10) {
      const Entries = bodies.slice(start, start + 10).map((body) => ({ Id: body, MessageBody: body }));
      await queues.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }));
    }
    queues.destroy();
    await observer.sightings("jobs", 4);
    child.kill("SIGKILL");
    await once(child, "exit");

    const home = await fixture.restart();
    await home.whenIdle();
    const tables = new DynamoDBClient({ ...home.operator, endpoint: home.operator.endpoints.dynamodb });
    const { Items: items = [] } = await tables.send(new ScanCommand({ TableName: "Things" }));
    const { Items: entries = [] } = await tables.send(
      new QueryCommand({
        TableName: "Things",
        IndexName: "kinds",
        KeyConditionExpression: "kind = :k",
        ExpressionAttributeValues: { ":k": { S: "made" } },
      }),
    );
    tables.destroy();
    const keys = (rows: typeof items) => rows.map(({ pk }) => pk?.S).toSorted();
    expect(keys(items)).toEqual(bodies.toSorted());
    expect(keys(entries)).toEqual(bodies.toSorted());
  });
});
