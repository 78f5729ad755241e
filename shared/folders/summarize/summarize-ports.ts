import type { UserId } from "../../../events/ids.ts";
import type { SummarizeMessage } from "../../../events/queues.ts";
import type { Account } from "../../billing/account-row.ts";
import type { TokenBudget } from "../../billing/token-budget.ts";
import type { AskingBreaker } from "../../breaker/model-breaker.ts";
import type { PostPorts } from "../../devices/session-post.ts";
import type { SessionStore } from "../../devices/session-store.ts";
import type { ChatModel } from "../../llm/chat-model.ts";
import type { BatchWork } from "../../outcome/grouped-batch.ts";
import type { Log } from "../../ports/log.ts";
import type { Objects } from "../../ports/objects.ts";
import type { Queue } from "../../ports/queue.ts";
import type { EndPorts } from "../index/end-index.ts";

/** What summarising stands on. Everybody's clock is that of `post`. */
export interface SummarizePorts extends EndPorts {
  readonly sessions: Pick<SessionStore, "open">;
  readonly accounts: { get(user: UserId): Promise<Account> };
  readonly budget: TokenBudget;
  readonly model: ChatModel;
  readonly breaker: AskingBreaker;
  readonly objects: Objects;
  readonly summarize: Queue<SummarizeMessage>;
  readonly post: PostPorts;
  readonly log: Log;
}

export type FileWork = BatchWork<SummarizeMessage>;
