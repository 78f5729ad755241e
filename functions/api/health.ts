import { ScoutsError } from "../../events/errors.ts";
import { probeQueue } from "../../shared/aws/queue-probe.ts";
import { ledgerKey, sessionsKey } from "../../shared/keys.ts";
import { systemClock } from "../../shared/ports/clock.ts";
import { sessionSealer, vaultSealer } from "../compose/keys.ts";
import { breakerView } from "../compose/model/breaker-view.ts";
import { ledger, sessions } from "../compose/tables.ts";
import { linked } from "../environment.ts";
import { log } from "../log.ts";
import { once } from "../once.ts";
import { lambdaHandler } from "./lambda-handler.ts";
import { type HealthPorts, healthRoutes } from "./routes/health.ts";
import { serveRoutes } from "./serve.ts";

const queues = ["SyncQueue", "TriageQueue", "SummarizeQueue", "AgentQueue", "ImapQueue"] as const;

const ports = once(
  (): HealthPorts => ({
    always: [
      {
        name: "tables",
        // Reads a row of each table that never exists.
        run: async () =>
          void (await Promise.all([ledger().get(ledgerKey.health()), sessions().get(sessionsKey.health())])),
      },
    ],
    deep: [
      { name: "queues", run: async () => void (await Promise.all(queues.map((name) => probeQueue(linked(name).url)))) },
      { name: "vault_key_ring", run: async () => void (await vaultSealer()) },
      { name: "session_key_ring", run: async () => void (await sessionSealer()) },
      { name: "model", run: modelCanBeAsked },
    ],
    clock: systemClock,
    log,
  }),
);

/** By what the last probe found: whoever asks here sets nothing going. */
async function modelCanBeAsked(): Promise<void> {
  const open = await breakerView().current();
  if (open) throw new ScoutsError(open.code, { data: { since: open.sinceMs } });
}

/** Apart from the rest of the API: it alone may look at everything, takes no input and gives codes. */
export const handler = lambdaHandler(serveRoutes(healthRoutes(), ports, log), log);
