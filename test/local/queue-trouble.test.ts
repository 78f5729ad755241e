import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { expect, onTestFinished, test } from "vitest";
import { checkQueues } from "../../device/doctor/running-checks.ts";
import { queueTrouble } from "../../infra/local/pollers/queue-trouble.ts";
import { told } from "../standins/stderr-told.ts";
import { startFixture } from "./start-fixture.ts";

test("P4: queues that cannot be written are told of by their home for as long as that is so, and no longer", async () => {
  const stderr = told();
  const first = stderr.next();
  const fixture = await startFixture();
  const database = new DatabaseSync(join(fixture.dataDir, "cloud", "fauxqs.db"));
  const { region, credentials, endpoints } = fixture.home.operator;
  const client = new SQSClient({ region, credentials, endpoint: endpoints.sqs, maxAttempts: 1 });
  onTestFinished(async () => {
    client.destroy();
    database.close();
    await fixture[Symbol.asyncDispose]();
  });
  expect(fixture.home.queueTrouble()).toBeUndefined();
  database.exec("CREATE TRIGGER full BEFORE UPDATE ON sqs_messages BEGIN SELECT RAISE(ROLLBACK, 'disk is full'); END");
  const QueueUrl = fixture.home.graph.queues["Jobs"]?.url;
  await client.send(new SendMessageCommand({ QueueUrl, MessageBody: "{}" }));
  await first;
  expect(fixture.home.queueTrouble()).toBe("refused");
  database.exec("DROP TRIGGER full");
  await fixture.home.whenIdle();
  expect(fixture.home.queueTrouble()).toBeUndefined();
}, 30_000);

test.each([
  [11, "damaged"],
  [267, "damaged"],
  [26, "damaged"],
  [13, "refused"],
  [8, "refused"],
])("SQLite's code %i is told as %s", (errcode, trouble) => {
  expect(queueTrouble(Object.assign(new Error("sqlite"), { errcode }))).toBe(trouble);
});

test("P4: the doctor names it, with what to do, whatever waits", () => {
  const queues = [{ name: "SyncQueue", waiting: 3, inFlight: 0 }];
  expect(checkQueues({ queues, queueTrouble: "damaged" })).toMatchObject({
    state: "fail",
    code: "queues_damaged",
    advice: expect.stringContaining("backup"),
  });
  expect(checkQueues({ queues, queueTrouble: "refused" })).toMatchObject({
    state: "fail",
    code: "queues_refused",
    advice: expect.stringContaining("disk"),
  });
  expect(checkQueues({ queues })).toMatchObject({ state: "ok", code: "queues_busy" });
});
