import type { SharedCounts } from "./shared-counts.ts";

export interface RequestCounts {
  /** Requests by service: `sqs`, `dynamodb`, `s3`, `kms`, `websocket`, … */
  services: Record<string, number>;
  /** The same by operation, as `dynamodb:PutItem`. */
  operations: Record<string, number>;
}

/** Counts what AWS would bill for: requests of functions and of the queue pollers, not those of the operator. */
export class Meter {
  readonly #operations = new Map<string, number>();
  readonly #elsewhere: { readonly service: string; readonly counted: SharedCounts }[] = [];

  count(service: string, operation: string): void {
    const key = `${service}:${operation}`;
    this.#operations.set(key, (this.#operations.get(key) ?? 0) + 1);
  }

  /** What another thread counts of a service belongs to all of it. */
  include(service: string, counted: SharedCounts): void {
    this.#elsewhere.push({ service, counted });
  }

  counts(): RequestCounts {
    const operations = new Map(this.#operations);
    for (const { service, counted } of this.#elsewhere) {
      for (const [operation, requests] of counted.counts()) {
        const key = `${service}:${operation}`;
        operations.set(key, (operations.get(key) ?? 0) + requests);
      }
    }
    const services: Record<string, number> = {};
    for (const [key, requests] of operations) {
      const service = key.slice(0, key.indexOf(":"));
      services[service] = (services[service] ?? 0) + requests;
    }
    return { services, operations: Object.fromEntries(operations) };
  }
}
