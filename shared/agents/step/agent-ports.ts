import type { CallId } from "../../../events/ids.ts";
import type { AgentMessage } from "../../../events/queues.ts";
import type { AccountStore } from "../../billing/account-store.ts";
import type { TokenBudget } from "../../billing/token-budget.ts";
import type { AskingBreaker } from "../../breaker/model-breaker.ts";
import type { PostPorts } from "../../devices/session-post.ts";
import type { Session, SessionStore } from "../../devices/session-store.ts";
import type { ToolModel } from "../../llm/tool-model.ts";
import type { After, Clock, NewId } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Objects } from "../../ports/objects.ts";
import type { Prompts } from "../../ports/prompts.ts";
import type { Queue } from "../../ports/queue.ts";
import type { Table } from "../../ports/table.ts";
import type { AgentFeature } from "../conversation/agents.ts";
import type { RunCaps, TokenPrices } from "../run/caps.ts";
import type { RunRow } from "../run/run-row.ts";
import type { RunStore } from "../run/run-store.ts";

/** What taking a step needs. */
export interface AgentPorts {
  readonly ledger: Table;
  readonly runs: RunStore;
  readonly sessions: SessionStore;
  readonly accounts: AccountStore;
  readonly budgets: Readonly<Record<AgentFeature, TokenBudget>>;
  readonly model: ToolModel;
  readonly breaker: AskingBreaker;
  readonly prompts: Prompts;
  readonly objects: Objects;
  readonly agent: Queue<AgentMessage>;
  readonly post: PostPorts;
  readonly caps: RunCaps;
  readonly prices: TokenPrices;
  readonly clock: Clock;
  readonly after: After;
  readonly log: Log;
  readonly newId: NewId;
  readonly newCallId: () => CallId;
}

/** A message of the Agent queue as its worker gets it. */
export interface StepReceived {
  readonly body: AgentMessage;
  /** The queue's own id: the same in every delivery of the message, another one in every message. */
  readonly messageId: string;
  readonly receiveCount: number;
}

/** A step that is being taken. */
export interface Step extends StepReceived {
  readonly ports: AgentPorts;
  readonly session: Session;
  /** The run as it was when the step was claimed. */
  readonly row: RunRow;
  readonly startedAtMs: number;
  readonly remainingMs: () => number;
}
