import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from "aws-lambda";
import { spendTicket } from "../../shared/devices/ticket.ts";
import { systemClock } from "../../shared/ports/clock.ts";
import { secretKey } from "../compose/secret-key.ts";
import { sessions } from "../compose/tables.ts";
import { log } from "../log.ts";

/**
 * Lets a socket in by its ticket. Every later event of the connection carries the context given here, which is the only
 * place the cloud learns whose connection it is. Throwing "Unauthorized" is how API Gateway is told to answer 401.
 */
export async function handler(event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> {
  try {
    const ticket = event.queryStringParameters?.["ticket"] ?? "";
    const holder = await spendTicket(secretKey("TicketKey"), ticket, sessions(), systemClock);
    return {
      principalId: holder.userId,
      policyDocument: {
        Version: "2012-10-17",
        Statement: [{ Action: "execute-api:Invoke", Effect: "Allow", Resource: event.methodArn }],
      },
      context: { ...holder },
    };
  } catch (error) {
    log.error("ticket_refused", error);
    throw new Error("Unauthorized");
  }
}
