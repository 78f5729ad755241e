export interface RequestCounts {
  /** Requests by service: `sqs`, `dynamodb`, `s3`, `kms`, `websocket`, … */
  services: Record<string, number>;
  /** The same by operation, as `dynamodb:PutItem`. */
  operations: Record<string, number>;
}

/** Counts what AWS would bill for: requests of functions and of the queue pollers, not those of the operator. */
export class Meter {
  readonly #operations = new Map<string, number>();

  count(service: string, operation: string): void {
    const key = `${service}:${operation}`;
    this.#operations.set(key, (this.#operations.get(key) ?? 0) + 1);
  }

  counts(): RequestCounts {
    const services: Record<string, number> = {};
    for (const [key, requests] of this.#operations) {
      const service = key.slice(0, key.indexOf(":"));
      services[service] = (services[service] ?? 0) + requests;
    }
    return { services, operations: Object.fromEntries(this.#operations) };
  }
}
