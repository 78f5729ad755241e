import { once } from "node:events";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import dynalite from "dynalite";
import { expect, onTestFinished, test, vi } from "vitest";
import { changeTierDeployed } from "../../cli/ops/tier.ts";
import { DynamoTable } from "../../shared/aws/dynamo-table.ts";
import { AccountStore } from "../../shared/billing/account-store.ts";
import { userIdOf } from "../../shared/privacy/opaque.ts";
import { ItemStore } from "../../shared/scouts/items/item-store.ts";
import { inbox, nowMs, ref } from "../unit/scouts/setting.ts";

const ada = userIdOf("https://issuer.example.com", "ada");

/** An empty Ledger where the SDK looks for DynamoDB by default. */
async function deployedLedger(): Promise<DynamoTable> {
  const server = dynalite({ createTableMs: 0 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("dynalite listens on no port");
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", `http://127.0.0.1:${address.port}`);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  const client = new DynamoDBClient();
  await client.send(
    new CreateTableCommand({
      TableName: "ledger",
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: ["pk", "sk"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
    }),
  );
  onTestFinished(() => {
    vi.unstubAllEnvs();
    client.destroy();
    server.close();
  });
  return new DynamoTable("ledger", client);
}

test("scouts ops tier puts a person on a tier and releases what waited for tokens, past the first page too", async () => {
  const ledger = await deployedLedger();
  const items = new ItemStore(ledger);
  const waits = { status: "deferred", sourceType: "inbox", dueAtMs: nowMs * 2, attempts: 0 } as const;
  const ids = Array.from({ length: 620 }, (_, n) => ({ userId: ada, scoutId: inbox, ref: ref(`m${n}`) }));
  await Promise.all(
    ids.map((id, n) => items.postpone(id, { ...waits, code: n % 2 === 0 ? "quota_exceeded" : "reauth" })),
  );
  expect(await changeTierDeployed("ledger", ada, "pro")).toBe(310);
  expect(await new AccountStore(ledger).get(ada)).toMatchObject({ tier: "pro" });
  const [released, other] = await Promise.all(ids.slice(0, 2).map(async (id) => (await items.getMany([id]))[0]?.dueAt));
  expect([Number(released) <= Date.now(), other]).toEqual([true, nowMs * 2]);
});
