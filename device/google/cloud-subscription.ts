import { PubSub } from "@google-cloud/pubsub";
import { googleFailure } from "./failures.ts";
import type { PullSource } from "./pull.ts";

/** Notifications are hints about one mailbox or a few: there is nothing to gain by more at once. */
const maxMessages = 10;

/**
 * A real subscription, with Application Default Credentials. What goes wrong is told with what to do.
 *
 * @param name `projects/{project}/subscriptions/{subscription}`
 */
export function openCloudSubscription(name: string): PullSource {
  const [, project = ""] = name.split("/");
  const pubsub = new PubSub({ projectId: project });
  const subscription = pubsub.subscription(name, { flowControl: { maxMessages } });
  return {
    start: (onMessage, onError) => {
      subscription.on("error", (error) => onError(googleFailure(error, project)));
      subscription.on("message", onMessage);
    },
    close: async () => {
      await subscription.close();
      await pubsub.close();
    },
  };
}
