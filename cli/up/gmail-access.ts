import { LocalHomeError } from "../../infra/local/errors.ts";

/** What the local home needs to work on a real Gmail account, pulling its notifications. */
export interface GmailAccess {
  readonly clientId: string;
  readonly clientSecret: string;
  /** `projects/{project}/topics/{topic}` */
  readonly topic: string;
  /** `projects/{project}/subscriptions/{subscription}`, without push */
  readonly subscription: string;
  /** Google's addresses, where they are others than Google's. */
  readonly addresses: Readonly<Record<string, string>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const needed = {
  GOOGLE_CLIENT_ID: "the OAuth client, 123.apps.googleusercontent.com",
  GOOGLE_CLIENT_SECRET: "its secret",
  GMAIL_TOPIC: "the topic Gmail publishes to, projects/my-project/topics/scouts-gmail",
} as const;
const addressNames = ["GOOGLE_AUTH_URL", "GOOGLE_TOKEN_URL", "GOOGLE_REVOKE_URL", "GMAIL_API_URL"] as const;
const subscriptionName = /^projects\/[^/]+\/subscriptions\/[^/]+$/;

/**
 * Read from the environment; `undefined` unless both of Google's credentials for Pub/Sub and a subscription are set.
 *
 * @throws LocalHomeError `config_invalid` naming what is missing and what it is for
 */
export function gmailAccess(environment: Environment): GmailAccess | undefined {
  const subscription = environment["SCOUTS_PUBSUB_SUBSCRIPTION"]?.trim();
  if (!subscription || !environment["GOOGLE_APPLICATION_CREDENTIALS"]?.trim()) return undefined;
  if (!subscriptionName.test(subscription)) {
    const form = "projects/my-project/subscriptions/scouts-home";
    throw new LocalHomeError("config_invalid", `SCOUTS_PUBSUB_SUBSCRIPTION is not of the form ${form}.`);
  }
  return {
    clientId: value(environment, "GOOGLE_CLIENT_ID"),
    clientSecret: value(environment, "GOOGLE_CLIENT_SECRET"),
    topic: value(environment, "GMAIL_TOPIC"),
    subscription,
    addresses: Object.fromEntries(
      addressNames.flatMap((name) => {
        const address = environment[name]?.trim();
        return address ? [[name, address]] : [];
      }),
    ),
  };
}

function value(environment: Environment, name: keyof typeof needed): string {
  const text = environment[name]?.trim();
  if (text) return text;
  const sentence = `SCOUTS_PUBSUB_SUBSCRIPTION is set, so ${name} must be: ${needed[name]}. Or give --mailbox.`;
  throw new LocalHomeError("config_invalid", sentence);
}
