/** Where a subscription pushes to, and as whom (an OIDC token of this service account, for this audience). */
export interface PushTarget {
  readonly endpoint: string;
  readonly serviceAccount: string;
  readonly audience: string;
}

export interface SubscriptionState {
  /** `projects/{project}/topics/{topic}`; cannot be changed. */
  readonly topic: string;
  /** Absent: it is pulled from. */
  readonly push?: PushTarget;
  readonly ackDeadlineSeconds: number;
  readonly retentionSeconds: number;
  /** Days without activity after which Google deletes it; `null` = never. */
  readonly expiresAfterDays: number | null;
  readonly retry?: { readonly minSeconds: number; readonly maxSeconds: number };
  readonly deadLetters?: { readonly topic: string; readonly afterAttempts: number };
}

export interface PolicyTarget {
  readonly kind: "topic" | "subscription";
  /** The full name: `projects/{project}/topics/{topic}` or `…/subscriptions/{subscription}`. */
  readonly name: string;
}

/**
 * What setting Gmail up asks of Pub/Sub's administration. Names are full names.
 * Every method throws DeviceError with a `google_*` code that says what to do.
 */
export interface PubSubAdmin {
  /** The number Google's own service accounts of a project are named after. */
  projectNumber(): Promise<string>;
  topicExists(name: string): Promise<boolean>;
  createTopic(name: string): Promise<void>;
  subscription(name: string): Promise<SubscriptionState | undefined>;
  createSubscription(name: string, state: SubscriptionState): Promise<void>;
  /** Makes everything but the topic as `state` says. */
  changeSubscription(name: string, state: SubscriptionState): Promise<void>;
  /** Who holds a role on a resource that exists. */
  members(target: PolicyTarget, role: string): Promise<readonly string[]>;
  /** Adds a member to a role, leaving the others. */
  grant(target: PolicyTarget, role: string, member: string): Promise<void>;
  close(): Promise<void>;
}
