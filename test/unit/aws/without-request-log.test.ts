import { ApiGatewayManagementApiClient } from "@aws-sdk/client-apigatewaymanagementapi";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import { expect, it } from "vitest";
import { withoutRequestLog } from "../../../shared/aws/without-request-log.ts";

const settings = { region: "us-east-1", endpoint: "http://127.0.0.1:1" };

it.each([
  ["DynamoDB", () => new DynamoDBClient(settings)],
  ["SQS", () => new SQSClient(settings)],
  ["API Gateway", () => new ApiGatewayManagementApiClient(settings)],
])("no request to %s is copied for a log nobody reads", (_, client) => {
  const steps = (made: ReturnType<typeof client>) => made.middlewareStack.identify().map((step) => step.split(" ")[0]);
  expect(steps(client())).toContain("loggerMiddleware");
  expect(steps(withoutRequestLog(client()))).toEqual(steps(client()).filter((step) => step !== "loggerMiddleware"));
});
