import type { ErrorCode } from "../../../events/error-kinds.ts";
import type { TrialMessage } from "../../../events/queues.ts";
import type { Again, BatchWork } from "../../outcome/grouped-batch.ts";
import type { Queue } from "../../ports/queue.ts";
import type { TriagePorts } from "../triage/triage.ts";
import type { TriedRow } from "./trial-row.ts";
import type { TrialStore } from "./trial-store.ts";

/** What judging by another purpose stands on: what triage does, without anything that writes to items or sources. */
export interface TrialPorts
  extends Pick<
    TriagePorts,
    "scouts" | "connectors" | "model" | "first" | "breaker" | "vault" | "quota" | "budget" | "clock" | "log"
  > {
  readonly trials: TrialStore;
  readonly queue: Queue<TrialMessage>;
}

export type TrialWork = BatchWork<TrialMessage>;

/** What became of an item in this delivery. */
export type TrialStep =
  /** It has its result, written by whoever was first. */
  | { readonly kind: "ended"; readonly row: TriedRow }
  /** `billed` are tokens of an answer that was paid for in vain. */
  | ({ readonly kind: "again"; readonly released: boolean; readonly billed?: number } & Again<TrialMessage>)
  /** Trial or scout is not there any more: nobody waits for it. */
  | { readonly kind: "dropped"; readonly code: ErrorCode }
  /** Not even that could be written down: the queue delivers it again. */
  | { readonly kind: "lost"; readonly code: ErrorCode };
