import { PubSub, type Subscription } from "@google-cloud/pubsub";
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
  let pulled: { readonly pubsub: PubSub; readonly subscription: Subscription } | undefined;
  return {
    start: (onMessage, onError, onEnd) => {
      // A new one each time: it keeps the credentials that it has found, and those may be what was mended.
      const pubsub = new PubSub({ projectId: project });
      const subscription = pubsub.subscription(name, { flowControl: { maxMessages } });
      pulled = { pubsub, subscription };
      subscription.on("error", (error) => onError(googleFailure(error, project)));
      // The client gives up by itself, for good: on refused credentials, say, or after five minutes without a network.
      subscription.once("close", () => void pubsub.close().then(onEnd, onEnd));
      subscription.on("message", onMessage);
    },
    close: async () => {
      await pulled?.subscription.close();
      await pulled?.pubsub.close();
    },
  };
}
