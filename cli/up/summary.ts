import type { FolderTotals } from "../projects/shown-rescans.ts";
import { type Census, judged } from "../../infra/local/up/census.ts";
import type { LocalSystem } from "./system.ts";

/** What `scouts up --once --json` ends with. `messages = relevant + spam + deadLettered + failed`. */
export interface Summary {
  readonly messages: number;
  readonly relevant: number;
  readonly spam: number;
  /** Proposals in the device's own database. */
  readonly delivered: number;
  /** Proposals the cloud knows the device has stored, or the person has decided. */
  readonly acked: number;
  readonly deadLettered: number;
  readonly failed: number;
  readonly tokens: { readonly in: number; readonly out: number };
  readonly requests: Readonly<Record<"sqs" | "dynamodb" | "s3" | "websocket" | "gmail" | "model", number>>;
  readonly ms: number;
  /** Present when a folder was due for a rescan. */
  readonly folders?: FolderTotals;
}

export function summaryOf(system: LocalSystem, census: Census, startedAtMs: number, nowMs: number): Summary {
  const { world, home, store } = system;
  const { services } = home.requests();
  const { relevant, spam, deadLettered, failed } = judged(census);
  const messages = world.mailbox.stats().messages;
  return {
    messages,
    relevant,
    spam,
    delivered: Object.values(store.proposals.counts()).reduce((sum, count) => sum + count, 0),
    acked: census.byStatus.delivered + census.byStatus.acked,
    deadLettered,
    // A message without any row yet is unfinished business as well.
    failed: failed + Math.max(0, messages - relevant - spam - deadLettered - failed),
    tokens: census.tokens,
    requests: {
      sqs: services["sqs"] ?? 0,
      dynamodb: services["dynamodb"] ?? 0,
      s3: services["s3"] ?? 0,
      websocket: services["websocket"] ?? 0,
      gmail: world.mailbox.requests(),
      model: world.modelRequests(),
    },
    ms: Math.round(nowMs - startedAtMs),
  };
}

/** The sentence that says what is not as it should be, if anything. */
export function shortfall(summary: Summary): string | undefined {
  if (summary.failed > 0) return `${summary.failed} messages have no verdict yet.`;
  if (summary.delivered < summary.relevant) {
    return `${summary.relevant - summary.delivered} proposals have not reached the device yet.`;
  }
  return undefined;
}
