import type { LocalSystem } from "../../../cli/up/system.ts";

/** Requests by operation, as `dynamodb:PutItem`; `gmail` and `model` are the world's, the rest is what AWS bills. */
export type Requests = Readonly<Record<string, number>>;

export function requestsOf({ home, world }: LocalSystem): Requests {
  return {
    ...home.requests().operations,
    "gmail:call": world.mailbox.requests(),
    "model:completion": world.modelRequests(),
  };
}

export function since(before: Requests, after: Requests): Requests {
  return Object.fromEntries(
    Object.entries(after)
      .map(([operation, count]) => [operation, count - (before[operation] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );
}

export const serviceOf = (operation: string) => operation.slice(0, operation.indexOf(":"));

export function byService(requests: Requests): Record<string, number> {
  const services: Record<string, number> = {};
  for (const [operation, count] of Object.entries(requests)) {
    const service = serviceOf(operation);
    services[service] = (services[service] ?? 0) + count;
  }
  return services;
}

/**
 * The least the design can do with, per item: a share of one batched send, receive and delete on the Triage queue; the
 * verdict's write and, for a relevant one, that of its delivery, with a reservation, its settlement and a quota write
 * per user and batch; one read at the source, one question to the model; a share of a batch's post, and of its ack, of a
 * relevant one.
 */
export function floorPerItem(relevantShare: number): Record<string, number> {
  const batch = 10;
  return {
    sqs: 3 / batch,
    dynamodb: 1 + relevantShare + 3 / batch,
    gmail: 1,
    model: 1,
    websocket: (2 * relevantShare) / batch,
  };
}
