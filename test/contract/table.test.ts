import { once } from "node:events";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import dynalite from "dynalite";
import { DynamoTable } from "../../shared/aws/dynamo-table.ts";
import { systemRetries } from "../../shared/ports/clock.ts";
import { MemoryTable } from "../memory/table.ts";
import { byGroup, tableContract } from "./table-contract.ts";

tableContract("in memory", async () => ({
  table: new MemoryTable({ [byGroup.name]: ["colour"] }),
  close: async () => {},
}));

tableContract("DynamoDB (dynalite)", async () => {
  const server = dynalite({ createTableMs: 0 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("dynalite listens on no port");
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${address.port}`,
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
  await client.send(
    new CreateTableCommand({
      TableName: "contract",
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [
        { AttributeName: "pk", AttributeType: "S" },
        { AttributeName: "sk", AttributeType: "S" },
        { AttributeName: byGroup.hash, AttributeType: "S" },
        { AttributeName: byGroup.range, AttributeType: "N" },
      ],
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: byGroup.name,
          KeySchema: [
            { AttributeName: byGroup.hash, KeyType: "HASH" },
            { AttributeName: byGroup.range, KeyType: "RANGE" },
          ],
          Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["colour"] },
        },
      ],
    }),
  );
  return {
    table: new DynamoTable("contract", systemRetries, client),
    close: async () => {
      client.destroy();
      server.close();
    },
  };
});
