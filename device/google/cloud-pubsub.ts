import { PubSub } from "@google-cloud/pubsub";
import * as z from "zod";
import { googleFailure } from "./failures.ts";
import type { PolicyTarget, PubSubAdmin, SubscriptionState } from "./pubsub-admin.ts";

const daySeconds = 86_400;
const duration = z.object({ seconds: z.coerce.number() });
const absent = null;

/** A subscription as Pub/Sub describes it; protobuf leaves out or nulls what is not set. */
const metadata = z.object({
  topic: z.string(),
  ackDeadlineSeconds: z.number(),
  messageRetentionDuration: duration,
  expirationPolicy: z.object({ ttl: duration.nullish() }).nullish(),
  retryPolicy: z.object({ minimumBackoff: duration, maximumBackoff: duration }).nullish(),
  deadLetterPolicy: z.object({ deadLetterTopic: z.string(), maxDeliveryAttempts: z.number() }).nullish(),
  pushConfig: z
    .object({
      pushEndpoint: z.string().default(""),
      oidcToken: z.object({ serviceAccountEmail: z.string(), audience: z.string() }).nullish(),
    })
    .nullish(),
});
const projectAnswer = z.object({ projectNumber: z.string() });

/**
 * Pub/Sub's administration through Google's client, with the credentials of whoever runs the command (Application
 * Default Credentials).
 *
 * @param projectNumber given, it is not asked for (which takes the Cloud Resource Manager API)
 */
export function openCloudPubSub(project: string, projectNumber?: string): PubSubAdmin {
  const pubsub = new PubSub({ projectId: project });
  const ask = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call();
    } catch (error) {
      throw googleFailure(error, project);
    }
  };
  const policyOf = ({ kind, name }: PolicyTarget) =>
    kind === "topic" ? pubsub.topic(name).iam : pubsub.subscription(name).iam;
  return {
    projectNumber: async () => {
      if (projectNumber !== undefined) return projectNumber;
      const url = `https://cloudresourcemanager.googleapis.com/v1/projects/${encodeURIComponent(project)}`;
      const { data } = await ask(() => pubsub.auth.request({ url }));
      return projectAnswer.parse(data).projectNumber;
    },
    topicExists: async (name) => (await ask(() => pubsub.topic(name).exists()))[0],
    createTopic: async (name) => {
      await ask(() => pubsub.createTopic(name));
    },
    subscription: async (name) => {
      const subscription = pubsub.subscription(name);
      const [exists] = await ask(() => subscription.exists());
      return exists ? stateOf((await ask(() => subscription.getMetadata()))[0]) : undefined;
    },
    createSubscription: async (name, state) => {
      await ask(() => pubsub.topic(state.topic).createSubscription(name, optionsOf(state)));
    },
    changeSubscription: async (name, state) => {
      await ask(() => pubsub.subscription(name).setMetadata(optionsOf(state)));
    },
    members: async (target, role) => {
      const [policy] = await ask(() => policyOf(target).getPolicy());
      return policy.bindings?.find((binding) => binding.role === role && !binding.condition)?.members ?? [];
    },
    grant: async (target, role, member) => {
      await ask(async () => {
        const iam = policyOf(target);
        // The policy's etag comes back with it: if somebody changed it in between, Google refuses and we say so.
        const [policy] = await iam.getPolicy();
        await iam.setPolicy({ ...policy, bindings: [...(policy.bindings ?? []), { role, members: [member] }] });
      });
    },
    close: () => pubsub.close(),
  };
}

/** Reads what Pub/Sub says of a subscription. */
export function stateOf(described: unknown): SubscriptionState {
  const found = metadata.parse(described);
  const { retryPolicy, deadLetterPolicy, pushConfig, expirationPolicy } = found;
  const push = pushConfig?.pushEndpoint ? pushConfig : undefined;
  return {
    topic: found.topic,
    ...(push
      ? {
          push: {
            endpoint: push.pushEndpoint,
            serviceAccount: push.oidcToken?.serviceAccountEmail ?? "",
            audience: push.oidcToken?.audience ?? "",
          },
        }
      : {}),
    ackDeadlineSeconds: found.ackDeadlineSeconds,
    retentionSeconds: found.messageRetentionDuration.seconds,
    expiresAfterDays: expirationPolicy?.ttl ? expirationPolicy.ttl.seconds / daySeconds : null,
    ...(retryPolicy
      ? {
          retry: { minSeconds: retryPolicy.minimumBackoff.seconds, maxSeconds: retryPolicy.maximumBackoff.seconds },
        }
      : {}),
    ...(deadLetterPolicy
      ? {
          deadLetters: {
            topic: deadLetterPolicy.deadLetterTopic,
            afterAttempts: deadLetterPolicy.maxDeliveryAttempts,
          },
        }
      : {}),
  };
}

/** The same the other way round. Everything is named, so that a change also takes away what is not wanted. */
export function optionsOf({ push, retry, deadLetters, ...state }: SubscriptionState) {
  return {
    ackDeadlineSeconds: state.ackDeadlineSeconds,
    messageRetentionDuration: { seconds: state.retentionSeconds },
    // Without a `ttl` inside it means "never"; without the policy Pub/Sub would put 31 days.
    expirationPolicy: state.expiresAfterDays === null ? {} : { ttl: { seconds: state.expiresAfterDays * daySeconds } },
    retryPolicy: retry
      ? { minimumBackoff: { seconds: retry.minSeconds }, maximumBackoff: { seconds: retry.maxSeconds } }
      : absent,
    deadLetterPolicy: deadLetters
      ? { deadLetterTopic: deadLetters.topic, maxDeliveryAttempts: deadLetters.afterAttempts }
      : absent,
    pushConfig: push
      ? {
          pushEndpoint: push.endpoint,
          oidcToken: { serviceAccountEmail: push.serviceAccount, audience: push.audience },
        }
      : {},
  };
}
