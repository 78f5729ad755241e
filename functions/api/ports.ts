import type { SyncMessage } from "../../events/queues.ts";
import type { Log } from "../../shared/ports/log.ts";
import type { Queue } from "../../shared/ports/queue.ts";
import type { Table } from "../../shared/ports/table.ts";
import type { Idempotency } from "../../shared/requests/idempotency.ts";
import type { RateLimit } from "../../shared/requests/rate-limit.ts";
import type { ConnectPorts } from "../../shared/scouts/connectors/gmail/connect.ts";
import type { SpamPorts } from "../../shared/scouts/items/spam.ts";
import type { ChangeScoutPorts } from "../../shared/scouts/lifecycle/change-scout.ts";
import type { CreateScoutPorts } from "../../shared/scouts/lifecycle/create-scout.ts";
import type { DeleteScoutPorts } from "../../shared/scouts/lifecycle/delete-scout.ts";
import type { ReconnectPorts } from "../../shared/scouts/lifecycle/reconnect-scout.ts";
import type { StartTrialPorts } from "../../shared/scouts/trial/start-trial.ts";
import type { TrialStore } from "../../shared/scouts/trial/trial-store.ts";

/** Everything the routes stand on. */
export interface ApiPorts
  extends CreateScoutPorts,
    ChangeScoutPorts,
    DeleteScoutPorts,
    SpamPorts,
    ReconnectPorts,
    StartTrialPorts {
  readonly ledger: Table;
  readonly trials: TrialStore;
  readonly sessions: Table;
  readonly sync: Queue<SyncMessage>;
  readonly rate: RateLimit;
  readonly idempotency: Idempotency;
  readonly gmail: ConnectPorts;
  readonly ticketKey: Uint8Array;
  readonly socketUrl: string;
  readonly log: Log;
}
