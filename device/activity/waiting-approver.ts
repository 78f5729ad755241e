import type { ApprovalQuestion, Approver } from "../access/policy/approver.ts";
import { type Clock, pauseFor } from "../connection/clock.ts";
import { type ApprovalTable, answerWithinMs } from "./approval-table.ts";

/** How often it is looked whether somebody has answered elsewhere. */
const lookEveryMs = 250;

/** Somebody who may be asked, perhaps not at the moment. */
export interface ApproverAtClient {
  /** Whether this client can ask anybody. */
  canAsk(): boolean;
  /** As an approver's; undefined when the client has failed to ask, which is nobody's no. */
  approve(...asked: Parameters<Approver["approve"]>): Promise<boolean | undefined>;
}

export interface WaitingApproverOptions {
  readonly approvals: ApprovalTable;
  /** The folder that is asked about. */
  readonly root: string;
  readonly client: ApproverAtClient;
  /** Whether there is another place where a person may answer: the console is served. */
  readonly isServed: () => boolean;
  readonly clock: Clock;
}

/**
 * Asks the person wherever that person is: at the client, in the console, at a terminal by `scouts approvals`. The first
 * clear answer counts, and the others are told that it has ended.
 */
export function waitingApprover({ approvals, root, client, isServed, clock }: WaitingApproverOptions): Approver {
  return {
    async approve(question: ApprovalQuestion, signal?: AbortSignal) {
      if (!client.canAsk() && !isServed()) return false;
      const untilMs = clock.now() + answerWithinMs;
      const { id, release } = approvals.ask(root, question);
      const over = new AbortController();
      const until = AbortSignal.any([over.signal, ...(signal === undefined ? [] : [signal])]);
      try {
        const ended = endedElsewhere(approvals, id, { clock, untilMs, signal: until });
        // Whoever answers at the client ends it there; the answer is read where all answers are.
        const asked = client.canAsk()
          ? client.approve(question, until).then(async (yes) => {
              if (until.aborted) return;
              // A client whose time is up has answered nothing.
              if (clock.now() >= untilMs && yes !== true) approvals.end(id, "expired", "client");
              else if (yes !== undefined) approvals.end(id, yes ? "approved" : "refused", "client");
              // Where it failed to ask, the person may still answer in the console.
              else if (isServed()) await ended;
              else approvals.end(id, "withdrawn", null);
            })
          : undefined;
        await (asked === undefined ? ended : Promise.race([ended, asked]));
        approvals.end(id, signal?.aborted ? "withdrawn" : "expired", null);
        return !signal?.aborted && approvals.find(id)?.state === "approved";
      } finally {
        over.abort();
        release();
      }
    },
  };
}

/** Resolves when it waits no more, or nobody waits for it. */
async function endedElsewhere(
  approvals: ApprovalTable,
  id: string,
  { clock, untilMs, signal }: { readonly clock: Clock; readonly untilMs: number; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted && clock.now() < untilMs && approvals.find(id)?.state === "waiting")
    await pauseFor(clock, lookEveryMs, signal);
}
