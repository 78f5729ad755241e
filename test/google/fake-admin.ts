import type { PolicyTarget, PubSubAdmin, SubscriptionState } from "../../device/google/pubsub-admin.ts";

/** Pub/Sub's administration of one project, in memory; refuses what Pub/Sub would refuse. */
export class FakeAdmin implements PubSubAdmin {
  readonly topics = new Set<string>();
  readonly subscriptions = new Map<string, SubscriptionState>();
  readonly grants = new Set<string>();
  /** What was changed, in order. */
  readonly done: string[] = [];
  /** The next change of this kind fails. */
  failAt: string | undefined;
  closed = false;

  async projectNumber() {
    return "123456";
  }

  async topicExists(name: string) {
    return this.topics.has(name);
  }

  async createTopic(name: string) {
    this.#change("createTopic", name);
    this.topics.add(name);
  }

  async subscription(name: string) {
    return this.subscriptions.get(name);
  }

  async createSubscription(name: string, state: SubscriptionState) {
    if (!this.topics.has(state.topic)) throw new Error("NOT_FOUND: topic");
    if (state.deadLetters && !this.topics.has(state.deadLetters.topic)) throw new Error("NOT_FOUND: dead letters");
    if (this.subscriptions.has(name)) throw new Error("ALREADY_EXISTS");
    this.#change("createSubscription", name);
    this.subscriptions.set(name, state);
  }

  async changeSubscription(name: string, state: SubscriptionState) {
    if (this.subscriptions.get(name)?.topic !== state.topic) throw new Error("INVALID_ARGUMENT: topic");
    this.#change("changeSubscription", name);
    this.subscriptions.set(name, state);
  }

  async members(target: PolicyTarget, role: string) {
    if (!this.#exists(target)) throw new Error("NOT_FOUND: policy");
    const prefix = `${target.name} ${role} `;
    return [...this.grants].filter((grant) => grant.startsWith(prefix)).map((grant) => grant.slice(prefix.length));
  }

  async grant(target: PolicyTarget, role: string, member: string) {
    if (!this.#exists(target)) throw new Error("NOT_FOUND: policy");
    this.#change("grant", `${target.name} ${role} ${member}`);
    this.grants.add(`${target.name} ${role} ${member}`);
  }

  async close() {
    this.closed = true;
  }

  #exists({ kind, name }: PolicyTarget): boolean {
    return kind === "topic" ? this.topics.has(name) : this.subscriptions.has(name);
  }

  #change(kind: string, what: string): void {
    if (this.failAt === kind) {
      this.failAt = undefined;
      throw new Error(`${kind} failed`);
    }
    this.done.push(`${kind} ${what}`);
  }
}
