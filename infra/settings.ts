import { off, read } from "./setting.ts";

/**
 * What may differ between two deployments, read once from the environment of whoever deploys. The values reach the
 * functions as their `environment`. What has no default must be set: a deployment that would answer nobody, or believe a
 * placeholder, fails here with the names of everything that is wrong. `docs/deploy.md` says what each is for.
 */
const google = read.text("GOOGLE_CLIENT_ID");
/** Asked for only where Gmail is: `GOOGLE_CLIENT_ID=off` deploys without it. */
const ofGoogle = (name: string) => (google === off ? off : read.text(name));

export const settings = {
  /** OIDC issuer whose tokens the HTTP API accepts, and the audience they must name. */
  oidcIssuer: read.url("OIDC_ISSUER"),
  oidcAudience: read.text("OIDC_AUDIENCE", "scouts"),
  /** The Google OAuth client that asks for consent. */
  googleClientId: google,
  googleAuthUrl: read.url("GOOGLE_AUTH_URL", "https://accounts.google.com/o/oauth2/v2/auth"),
  googleTokenUrl: read.url("GOOGLE_TOKEN_URL", "https://oauth2.googleapis.com/token"),
  googleRevokeUrl: read.url("GOOGLE_REVOKE_URL", "https://oauth2.googleapis.com/revoke"),
  gmailApiUrl: read.url("GMAIL_API_URL", "https://gmail.googleapis.com/"),
  /** Quota units a minute for one mailbox: what Google grants a new project; more on request. */
  gmailUnitsPerMinute: read.units("GMAIL_UNITS_PER_MINUTE", 6000),
  gmailTopic: ofGoogle("GMAIL_TOPIC"),
  /** What a Pub/Sub push must prove: see functions/webhook/gmail.ts. */
  pushSubscription: ofGoogle("PUSH_SUBSCRIPTION"),
  pushServiceAccount: ofGoogle("PUSH_SERVICE_ACCOUNT"),
  pushAudience: read.text("PUSH_AUDIENCE", "scouts-gmail-webhook"),
  pushJwksUrl: read.url("PUSH_JWKS_URL", "https://www.googleapis.com/oauth2/v3/certs"),
  /** Where feeds may be: `public` is the internet only; `any` lets people name addresses of the deployment's network. */
  feedAddresses: read.oneOf("FEED_ADDRESSES", ["public", "any"]),
  /** The same for mail servers that are read by IMAP, and how many messages of a mailbox are read in a minute at most. */
  imapAddresses: read.oneOf("IMAP_ADDRESSES", ["public", "any"]),
  imapUnitsPerMinute: read.units("IMAP_UNITS_PER_MINUTE", 1200),
  /** Who keeps connections to mail servers open to hear of news, on one machine; `off` where they are polled only. */
  imapListenerUrl: read.urlOrOff("IMAP_LISTENER_URL"),
  /** Who serves mail from files, on one machine; `off` where there is nobody. */
  mailboxServerUrl: read.urlOrOff("MAILBOX_SERVER_URL"),
  /** Any endpoint that speaks the OpenAI chat completions protocol. */
  modelBaseUrl: read.url("OPENAI_BASE_URL", "https://api.openai.com/v1"),
  model: read.text("OPENAI_MODEL", "gpt-4o-mini"),
  /** Dollars a million input and output tokens of it cost: what a run of an agent may cost is capped. */
  modelPrices: read.prices("OPENAI_PRICES", "0.15/0.60"),
  /** Whether it reads proposals, to say what each is: `off` leaves that to the rules on the device. */
  categorize: read.oneOf("CATEGORIZE", ["on", "off"]),
  /** Whether the built-in model judges items it is sure of, and the language model only the rest. */
  triageCascade: read.oneOf("TRIAGE_CASCADE", ["off", "on"]),
  /** A Langfuse project whose prompts override those of the code, by name; `off`: none. */
  langfuseUrl: read.urlOrOff("LANGFUSE_URL"),
  langfusePublicKey: read.text("LANGFUSE_PUBLIC_KEY", off),
  /** Workers at work at once: triage, summaries and agents stay under the model's rate limit, sync under the sources'. */
  syncConcurrency: read.concurrency("SYNC_CONCURRENCY", 20),
  triageConcurrency: read.concurrency("TRIAGE_CONCURRENCY", 20),
  summarizeConcurrency: read.concurrency("SUMMARIZE_CONCURRENCY", 10),
  imapConcurrency: read.concurrency("IMAP_CONCURRENCY", 20),
  agentConcurrency: read.concurrency("AGENT_CONCURRENCY", 20),
  /** Executions set aside for each function somebody waits for (infra/lambda.ts), out of the account's limit; 0: none. */
  reservedConcurrency: read.count("RESERVED_CONCURRENCY", 0),
  /** Addresses of one's own instead of API Gateway's; none when empty. */
  apiDomain: read.host("API_DOMAIN"),
  socketDomain: read.host("SOCKET_DOMAIN"),
  /** Mail address that gets the alarms; none when empty. */
  alarmEmail: read.text("ALARM_EMAIL", ""),
};

read.finish();

/** Where sources are, as the environment of every function that reaches them. */
export const sources = {
  FEED_ADDRESSES: settings.feedAddresses,
  GMAIL_API_URL: settings.gmailApiUrl,
  GMAIL_TOPIC: settings.gmailTopic,
  GMAIL_UNITS_PER_MINUTE: settings.gmailUnitsPerMinute,
  GOOGLE_CLIENT_ID: settings.googleClientId,
  GOOGLE_TOKEN_URL: settings.googleTokenUrl,
  IMAP_UNITS_PER_MINUTE: settings.imapUnitsPerMinute,
  MAILBOX_SERVER_URL: settings.mailboxServerUrl,
};
