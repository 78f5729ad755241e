import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from "aws-lambda";
import { isScoutsError } from "../../events/errors.ts";
import { spendTicket, type TicketHolder } from "../../shared/devices/ticket.ts";
import { systemClock } from "../../shared/ports/clock.ts";
import { secretKey } from "../compose/secret-key.ts";
import { sessions } from "../compose/tables.ts";
import { log } from "../log.ts";

/**
 * Lets a socket in by its ticket. Every later event of the connection carries the context given here, which is the only
 * place the cloud learns whose connection it is. A ticket that is none is denied, which API Gateway answers with 403: whoever
 * throws has failed, is answered 500, and counts for the alarm on functions that fail, which is no stranger's to raise.
 */
export async function handler(event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> {
  const holder = await holderOf(event.queryStringParameters?.["ticket"] ?? "");
  return {
    principalId: holder?.userId ?? "nobody",
    policyDocument: {
      Version: "2012-10-17",
      Statement: [{ Action: "execute-api:Invoke", Effect: holder ? "Allow" : "Deny", Resource: event.methodArn }],
    },
    ...(holder && { context: { ...holder } }),
  };
}

/** @throws Error, of nothing but that it could not be told: the runtime writes what is thrown to the log */
async function holderOf(ticket: string): Promise<TicketHolder | undefined> {
  try {
    return await spendTicket(secretKey("TicketKey"), ticket, sessions(), systemClock);
  } catch (error) {
    const isRefused = isScoutsError(error, "ticket_invalid") || isScoutsError(error, "ticket_spent");
    log.error(isRefused ? "ticket_refused" : "ticket_not_checked", error);
    if (isRefused) return undefined;
    throw new Error("The ticket could not be checked");
  }
}
