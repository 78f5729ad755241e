/**
 * What may differ between two deployments, read once from the environment of whoever deploys. The values reach the
 * functions as their `environment`; the defaults are the real services.
 */
const text = (name: string, fallback: string) => process.env[name]?.trim() || fallback;

export const settings = {
  /** OIDC issuer whose tokens the HTTP API accepts, and the audience they must name. */
  oidcIssuer: text("OIDC_ISSUER", "https://issuer.example.com/"),
  oidcAudience: text("OIDC_AUDIENCE", "scouts"),
  /** The Google OAuth client that asks for consent. */
  googleClientId: text("GOOGLE_CLIENT_ID", "unset.apps.googleusercontent.com"),
  googleAuthUrl: text("GOOGLE_AUTH_URL", "https://accounts.google.com/o/oauth2/v2/auth"),
  googleTokenUrl: text("GOOGLE_TOKEN_URL", "https://oauth2.googleapis.com/token"),
  googleRevokeUrl: text("GOOGLE_REVOKE_URL", "https://oauth2.googleapis.com/revoke"),
  gmailApiUrl: text("GMAIL_API_URL", "https://gmail.googleapis.com/"),
  /** Quota units a minute for one mailbox: what Google grants a new project; more on request. */
  gmailUnitsPerMinute: text("GMAIL_UNITS_PER_MINUTE", "6000"),
  gmailTopic: text("GMAIL_TOPIC", "projects/unset/topics/scouts-gmail"),
  /** What a Pub/Sub push must prove: see functions/webhook/gmail.ts. */
  pushSubscription: text("PUSH_SUBSCRIPTION", "projects/unset/subscriptions/scouts-gmail"),
  pushServiceAccount: text("PUSH_SERVICE_ACCOUNT", "scouts-push@unset.iam.gserviceaccount.com"),
  pushAudience: text("PUSH_AUDIENCE", "scouts-gmail-webhook"),
  pushJwksUrl: text("PUSH_JWKS_URL", "https://www.googleapis.com/oauth2/v3/certs"),
  /** Where feeds may be: `public` is the internet only; `any` lets people name addresses of the deployment's network. */
  feedAddresses: text("FEED_ADDRESSES", "public"),
  /** Any endpoint that speaks the OpenAI chat completions protocol. */
  modelBaseUrl: text("OPENAI_BASE_URL", "https://api.openai.com/v1"),
  model: text("OPENAI_MODEL", "gpt-4o-mini"),
  /** Dollars a million input and output tokens of it cost: what a run of an agent may cost is capped. */
  modelPrices: text("OPENAI_PRICES", "0.15/0.60"),
  /** A Langfuse project whose prompts override those of the code, by name; `off`: none. */
  langfuseUrl: text("LANGFUSE_URL", "off"),
  langfusePublicKey: text("LANGFUSE_PUBLIC_KEY", "unset"),
  /** Upper bound of triage workers at work at once, to stay under the model's rate limit. */
  triageConcurrency: Number(text("TRIAGE_CONCURRENCY", "20")),
  /** The same for summaries of files; five files a worker. */
  agentConcurrency: Number(text("AGENT_CONCURRENCY", "20")),
  summarizeConcurrency: Number(text("SUMMARIZE_CONCURRENCY", "10")),
  /** Mail address that gets the alarms; none when empty. */
  alarmEmail: text("ALARM_EMAIL", ""),
};
