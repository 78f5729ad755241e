import { callId } from "../../events/ids.ts";
import { agentMessage } from "../../events/queues.ts";
import { parsePrices, runCaps } from "../../shared/agents/run/caps.ts";
import { RunStore } from "../../shared/agents/run/run-store.ts";
import type { AgentPorts } from "../../shared/agents/step/agent-ports.ts";
import { takeStep } from "../../shared/agents/step/take-step.ts";
import { AccountStore } from "../../shared/billing/account-store.ts";
import { TokenBudget } from "../../shared/billing/token-budget.ts";
import { ConnectionStore } from "../../shared/devices/connection-store.ts";
import { systemAfter, systemClock } from "../../shared/ports/clock.ts";
import { breaker } from "../compose/model/breaker.ts";
import { prompts } from "../compose/model/prompts.ts";
import { toolModel } from "../compose/model/tool-model.ts";
import { transit } from "../compose/objects.ts";
import { agentQueue } from "../compose/queues.ts";
import { sessionStore } from "../compose/sessions.ts";
import { sockets } from "../compose/sockets.ts";
import { ledger, sessions } from "../compose/tables.ts";
import { setting } from "../environment.ts";
import { newId } from "../ids.ts";
import { log } from "../log.ts";
import { once } from "../once.ts";
import { queueHandler } from "./sqs-batch.ts";

/** Time kept back to write down what became of the step. */
const reserveMs = 10_000;

const ports = once((): AgentPorts => {
  const connections = new ConnectionStore(sessions());
  return {
    ledger: ledger(),
    runs: new RunStore(sessions()),
    sessions: sessionStore(),
    accounts: new AccountStore(ledger()),
    budgets: {
      agents: new TokenBudget(ledger(), "agents", systemClock, newId),
      categorize: new TokenBudget(ledger(), "categorize", systemClock, newId),
    },
    model: toolModel(),
    breaker: breaker(),
    prompts: prompts(),
    objects: transit(),
    agent: agentQueue(),
    post: { table: sessions(), connections, sockets: sockets(), clock: systemClock },
    caps: runCaps,
    prices: parsePrices(setting("OPENAI_PRICES")),
    clock: systemClock,
    after: systemAfter,
    log,
    newId,
    newCallId: () => callId.parse(`cal_${newId()}`),
  };
});

export const handler = queueHandler(agentMessage, (batch, remainingMs) =>
  Promise.all(batch.map((received) => takeStep(ports(), received, () => remainingMs() - reserveMs))),
);
