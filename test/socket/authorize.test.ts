import type { APIGatewayRequestAuthorizerEvent } from "aws-lambda";
import { expect, test } from "vitest";
import { handler } from "../../functions/socket/authorize.ts";

test("who cannot tell whether a ticket is good says that it failed, and not that the ticket is none", async () => {
  const event = { queryStringParameters: { ticket: "a.b.c" }, methodArn: "arn" };
  // Nothing is linked here: neither the key of tickets nor the table is there.
  const failure = handler(event as unknown as APIGatewayRequestAuthorizerEvent);
  await expect(failure).rejects.toThrow("The ticket could not be checked");
});
