import { summarizeMessage } from "../../events/queues.ts";
import { AccountStore } from "../../shared/billing/account-store.ts";
import { TokenBudget } from "../../shared/billing/token-budget.ts";
import { ConnectionStore } from "../../shared/devices/connection-store.ts";
import { IndexStore } from "../../shared/folders/index/index-store.ts";
import { summarizeBatch } from "../../shared/folders/summarize/summarize-batch.ts";
import { systemClock } from "../../shared/ports/clock.ts";
import { breaker } from "../compose/model/breaker.ts";
import { model } from "../compose/model/model.ts";
import { transit } from "../compose/objects.ts";
import { summarizeQueue } from "../compose/queues.ts";
import { sessionStore } from "../compose/sessions.ts";
import { sockets } from "../compose/sockets.ts";
import { ledger, sessions } from "../compose/tables.ts";
import { newId } from "../ids.ts";
import { log } from "../log.ts";
import { queueHandler } from "./sqs-batch.ts";

/** Time kept back to write down what became of the batch. */
const reserveMs = 10_000;

export const handler = queueHandler(summarizeMessage, (batch, remainingMs) => {
  const connections = new ConnectionStore(sessions());
  const ports = {
    index: new IndexStore(sessions()),
    ledger: ledger(),
    sessions: sessionStore(),
    accounts: new AccountStore(ledger()),
    budget: new TokenBudget(ledger(), "folder_index", systemClock, newId),
    model: model(),
    breaker: breaker(),
    objects: transit(),
    summarize: summarizeQueue(),
    post: { table: sessions(), connections, sockets: sockets(), clock: systemClock },
    log,
  };
  return summarizeBatch(ports, batch, () => remainingMs() - reserveMs);
});
