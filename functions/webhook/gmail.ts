import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { isScoutsError } from "../../events/errors.ts";
import { systemClock } from "../../shared/ports/clock.ts";
import { blindAddress, pushDedupeId } from "../../shared/privacy/opaque.ts";
import { authenticatePush, pushKeys, readPush } from "../../shared/scouts/connectors/gmail/push.ts";
import { syncHint } from "../../shared/scouts/sync/sync-hint.ts";
import { type MailboxScout, MailboxStore } from "../../shared/scouts/watch/mailbox-store.ts";
import { tellDamage } from "../../shared/stored-row.ts";
import { syncQueue } from "../compose/queues.ts";
import { secretKey } from "../compose/secret-key.ts";
import { ledger } from "../compose/tables.ts";
import { setting } from "../environment.ts";
import { log } from "../log.ts";
import { once } from "../once.ts";

const keys = once(() => pushKeys(setting("PUSH_JWKS_URL")));
const expected = once(() => ({
  audience: setting("PUSH_AUDIENCE"),
  serviceAccount: setting("PUSH_SERVICE_ACCOUNT"),
  subscription: setting("PUSH_SUBSCRIPTION"),
}));

/**
 * Gmail's Pub/Sub pushes. 204 acknowledges, whether the address is ours or not; 401 refuses without saying why; 5xx only
 * when the message could not be queued, or Google's keys could not be had, because a nack slows the shared subscription for everyone.
 */
export async function handler(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
  try {
    await authenticatePush(event.headers["authorization"], keys(), expected(), systemClock);
    const body = event.isBase64Encoded ? Buffer.from(event.body ?? "", "base64").toString("utf8") : event.body;
    const push = readPush(body ?? "", expected());
    if (push) await queueSync(push.notification.emailAddress, push.messageId);
    else log.event("push_dropped", { reason: "not a notification" });
    return { statusCode: 204 };
  } catch (error) {
    const refused = isScoutsError(error, "unauthenticated");
    log.error(refused ? "push_refused" : "push_failed", error);
    return { statusCode: refused ? 401 : 503 };
  }
}

async function queueSync(address: string, messageId: string): Promise<void> {
  const scouts = await watching(blindAddress(secretKey("AddressKey"), address));
  if (scouts.length === 0) return;
  await syncQueue().send(scouts.map((scout) => syncHint(scout, "push", pushDedupeId(messageId))));
}

/** A damaged row is its operator's to mend; their mail is found by polling meanwhile. */
async function watching(mailbox: string): Promise<readonly MailboxScout[]> {
  try {
    return await new MailboxStore(ledger()).scoutsOf(mailbox);
  } catch (error) {
    tellDamage(error, log, "push");
    return [];
  }
}
