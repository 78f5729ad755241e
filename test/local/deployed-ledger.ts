import { once } from "node:events";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import dynalite from "dynalite";
import { onTestFinished, vi } from "vitest";
import { DynamoTable } from "../../shared/aws/dynamo-table.ts";
import { systemRetries } from "../../shared/ports/clock.ts";

/** An empty Ledger where the SDK looks for DynamoDB by default. */
export async function deployedLedger(): Promise<DynamoTable> {
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
  return new DynamoTable("ledger", systemRetries, client);
}
