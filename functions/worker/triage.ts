import { triageMessage } from "../../events/queues.ts";
import { TokenBudget } from "../../shared/billing/token-budget.ts";
import { systemClock } from "../../shared/ports/clock.ts";
import { ItemStore } from "../../shared/scouts/items/item-store.ts";
import { SpamStore } from "../../shared/scouts/items/spam-store.ts";
import { UnjudgedStore } from "../../shared/scouts/items/unjudged-store.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { triageBatch } from "../../shared/scouts/triage/triage-batch.ts";
import { breaker } from "../compose/breaker.ts";
import { connectors } from "../compose/connectors.ts";
import { delivery } from "../compose/delivery.ts";
import { vaultSealer } from "../compose/keys.ts";
import { model } from "../compose/model.ts";
import { triageQueue } from "../compose/queues.ts";
import { sourceQuota } from "../compose/quota.ts";
import { ledger } from "../compose/tables.ts";
import { newId } from "../ids.ts";
import { log } from "../log.ts";
import { queueHandler } from "./sqs-batch.ts";

/** Time kept back to write down what became of the batch. */
const reserveMs = 10_000;

export const handler = queueHandler(triageMessage, (batch, remainingMs) => {
  const ports = {
    items: new ItemStore(ledger()),
    spam: new SpamStore(ledger()),
    scouts: new ScoutStore(ledger()),
    connectors: connectors(),
    unjudged: new UnjudgedStore(ledger()),
    model: model(),
    breaker: breaker(),
    vault: vaultSealer,
    quota: sourceQuota(),
    budget: new TokenBudget(ledger(), "triage", systemClock, newId),
    notices: delivery(),
    triage: triageQueue(),
    clock: systemClock,
    log,
  };
  return triageBatch(ports, delivery(), batch, () => remainingMs() - reserveMs);
});
