import { DeviceError } from "../errors.ts";
import type { PolicyTarget, PubSubAdmin, PushTarget, SubscriptionState } from "./pubsub-admin.ts";

/** Gmail publishes as this account (https://developers.google.com/workspace/gmail/api/guides/push). */
const gmailPublisher = "serviceAccount:gmail-api-push@system.gserviceaccount.com";
const publisherRole = "roles/pubsub.publisher";
const subscriberRole = "roles/pubsub.subscriber";

/** The longest a subscription without a topic's retention keeps messages: a week. */
const retentionSeconds = 7 * 86_400;
/** The webhook answers within a second; its own limit is ten. */
const ackDeadlineSeconds = 30;
/** Between redeliveries: an outage of ours is met with patience, the widest Pub/Sub allows. */
const retry = { minSeconds: 10, maxSeconds: 600 };
/** The most Pub/Sub allows: most of a day at ten minutes each. */
const afterAttempts = 100;

export interface GmailSetup {
  readonly project: string;
  readonly topic: string;
  readonly subscription: string;
  /** Absent: for a home that pulls. */
  readonly push?: PushTarget;
}

/** One thing that must be so, whether it is, and how to make it so. */
export interface Step {
  readonly what: string;
  readonly name: string;
  readonly action: "exists" | "create" | "change";
  /** Of a change: `field: now → wanted`. */
  readonly changes: readonly string[];
  apply(): Promise<void>;
}

/** Full names of all that a setup is about. */
export function namesOf({ project, topic, subscription }: GmailSetup) {
  const topicName = (id: string) => `projects/${project}/topics/${id}`;
  const subscriptionName = (id: string) => `projects/${project}/subscriptions/${id}`;
  return {
    topic: topicName(topic),
    subscription: subscriptionName(subscription),
    deadLetterTopic: topicName(`${subscription}-dead-letters`),
    deadLetters: subscriptionName(`${subscription}-dead-letters`),
  };
}

/**
 * Looks at what there is and says what is missing or differs, in the order in which it must be made. Nothing is changed
 * before a step is applied; everything applied, the next plan has nothing to do.
 *
 * @throws DeviceError `google_conflict` when a subscription of that name is on another topic
 */
export async function planSetup(admin: PubSubAdmin, setup: GmailSetup): Promise<Step[]> {
  const names = namesOf(setup);
  const agent = `serviceAccount:service-${await admin.projectNumber()}@gcp-sa-pubsub.iam.gserviceaccount.com`;
  const wanted: SubscriptionState = {
    topic: names.topic,
    ...(setup.push ? { push: setup.push } : {}),
    ackDeadlineSeconds,
    retentionSeconds,
    expiresAfterDays: null,
    retry,
    deadLetters: { topic: names.deadLetterTopic, afterAttempts },
  };
  const keeping: SubscriptionState = {
    topic: names.deadLetterTopic,
    ackDeadlineSeconds,
    retentionSeconds,
    expiresAfterDays: null,
  };
  const topic = await topicStep(admin, "topic", names.topic);
  const deadLetterTopic = await topicStep(admin, "dead-letter topic", names.deadLetterTopic);
  const subscription = await subscriptionStep(admin, "subscription", names.subscription, wanted);
  const onTopic = { kind: "topic", name: names.topic } as const;
  const onDeadLetters = { kind: "topic", name: names.deadLetterTopic } as const;
  const onSubscription = { kind: "subscription", name: names.subscription } as const;
  return [
    topic,
    await grantStep(admin, topic, onTopic, publisherRole, gmailPublisher),
    deadLetterTopic,
    await subscriptionStep(admin, "dead-letter subscription", names.deadLetters, keeping),
    await grantStep(admin, deadLetterTopic, onDeadLetters, publisherRole, agent),
    subscription,
    // Pub/Sub moves a dead letter as a subscriber that acknowledges it.
    await grantStep(admin, subscription, onSubscription, subscriberRole, agent),
  ];
}

async function topicStep(admin: PubSubAdmin, what: string, name: string): Promise<Step> {
  const exists = await admin.topicExists(name);
  return { what, name, action: exists ? "exists" : "create", changes: [], apply: () => admin.createTopic(name) };
}

async function subscriptionStep(
  admin: PubSubAdmin,
  what: string,
  name: string,
  wanted: SubscriptionState,
): Promise<Step> {
  const now = await admin.subscription(name);
  if (!now) {
    return { what, name, action: "create", changes: [], apply: () => admin.createSubscription(name, wanted) };
  }
  if (now.topic !== wanted.topic) {
    const sentence = `${name} exists on ${now.topic}, which cannot be changed: delete it, or choose another name.`;
    throw new DeviceError("google_conflict", { sentence });
  }
  const changes = differences(now, wanted);
  const apply = () => admin.changeSubscription(name, wanted);
  return { what, name, action: changes.length > 0 ? "change" : "exists", changes, apply };
}

async function grantStep(
  admin: PubSubAdmin,
  resource: Step,
  target: PolicyTarget,
  role: string,
  member: string,
): Promise<Step> {
  const members = resource.action === "create" ? [] : await admin.members(target, role);
  return {
    what: role,
    name: `${member} on ${target.name}`,
    action: members.includes(member) ? "exists" : "create",
    changes: [],
    apply: () => admin.grant(target, role, member),
  };
}

const fields: readonly [label: string, of: (state: SubscriptionState) => string | number | undefined][] = [
  ["push endpoint", ({ push }) => push?.endpoint],
  ["push service account", ({ push }) => push?.serviceAccount],
  ["push audience", ({ push }) => push?.audience],
  ["acknowledgement deadline (s)", (state) => state.ackDeadlineSeconds],
  ["retention (s)", (state) => state.retentionSeconds],
  ["expires after (days)", (state) => state.expiresAfterDays ?? "never"],
  ["retry (s)", ({ retry: policy }) => policy && `${policy.minSeconds} to ${policy.maxSeconds}`],
  ["dead letters", ({ deadLetters: to }) => to && `${to.topic} after ${to.afterAttempts} attempts`],
];

function differences(now: SubscriptionState, wanted: SubscriptionState): string[] {
  return fields.flatMap(([label, of]) => {
    const [is, shouldBe] = [of(now) ?? "none", of(wanted) ?? "none"];
    return is === shouldBe ? [] : [`${label}: ${is} → ${shouldBe}`];
  });
}
