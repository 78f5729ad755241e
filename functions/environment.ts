import { Resource } from "sst/resource";
import * as z from "zod";
import { ScoutsError } from "../events/errors.ts";

const url = z.url();
const text = z.string().min(1);

/** Every setting a function may read, set by infra/settings.ts: what it is for and what it looks like. */
const settings = {
  CATEGORIZE: {
    schema: z.enum(["on", "off"]),
    purpose: "whether the language model reads proposals, beside the rules on the device",
    example: "on",
  },
  FEED_ADDRESSES: {
    schema: z.enum(["public", "any"]),
    purpose: "where feeds may be: on the internet only, or on this network too",
    example: "public",
  },
  GMAIL_API_URL: { schema: url, purpose: "root of the Gmail API", example: "https://gmail.googleapis.com/" },
  GMAIL_UNITS_PER_MINUTE: {
    schema: z.string().regex(/^[1-9]\d*$/),
    purpose: "quota units a minute that Google grants one mailbox",
    example: "6000",
  },
  GMAIL_TOPIC: { schema: text, purpose: "Pub/Sub topic Gmail publishes to", example: "projects/p/topics/t" },
  GOOGLE_AUTH_URL: {
    schema: url,
    purpose: "Google's consent page",
    example: "https://accounts.google.com/o/oauth2/v2/auth",
  },
  GOOGLE_CLIENT_ID: { schema: text, purpose: "OAuth client", example: "123.apps.googleusercontent.com" },
  GOOGLE_REVOKE_URL: {
    schema: url,
    purpose: "where grants are given back",
    example: "https://oauth2.googleapis.com/revoke",
  },
  GOOGLE_TOKEN_URL: {
    schema: url,
    purpose: "where tokens are fetched",
    example: "https://oauth2.googleapis.com/token",
  },
  IMAP_ADDRESSES: {
    schema: z.enum(["public", "any"]),
    purpose: "where mail servers may be: on the internet only, or on this network too",
    example: "public",
  },
  IMAP_LISTENER_URL: {
    schema: z.union([z.literal("off"), url]),
    purpose: "who listens to mail servers for news, on one machine",
    example: "off",
  },
  IMAP_UNITS_PER_MINUTE: {
    schema: z.string().regex(/^[1-9]\d*$/),
    purpose: "messages read from one mailbox in a minute at most",
    example: "1200",
  },
  LANGFUSE_PUBLIC_KEY: { schema: text, purpose: "Langfuse project prompts are taken from", example: "pk-lf-1234" },
  LANGFUSE_URL: {
    schema: z.union([z.literal("off"), url]),
    purpose: "prompt service that may override prompts by name",
    example: "https://cloud.langfuse.com",
  },
  MAILBOX_SERVER_URL: {
    schema: z.union([z.literal("off"), url]),
    purpose: "who serves mail from files on this machine",
    example: "off",
  },
  OPENAI_BASE_URL: { schema: url, purpose: "language model endpoint", example: "https://api.openai.com/v1" },
  OPENAI_MODEL: { schema: text, purpose: "language model", example: "gpt-4o-mini" },
  OPENAI_PRICES: {
    schema: z.string().regex(/^\d+(\.\d+)?\/\d+(\.\d+)?$/),
    purpose: "dollars a million input and output tokens cost, for the cap on a run's cost",
    example: "0.15/0.60",
  },
  PUBLIC_URL: { schema: url, purpose: "address of this HTTP API", example: "https://api.example.com" },
  PUSH_AUDIENCE: { schema: text, purpose: "audience a push token must name", example: "scouts-gmail-webhook" },
  PUSH_JWKS_URL: {
    schema: url,
    purpose: "keys push tokens are signed with",
    example: "https://www.googleapis.com/oauth2/v3/certs",
  },
  PUSH_SERVICE_ACCOUNT: {
    schema: text,
    purpose: "account pushes come from",
    example: "push@p.iam.gserviceaccount.com",
  },
  PUSH_SUBSCRIPTION: { schema: text, purpose: "subscription pushes come from", example: "projects/p/subscriptions/s" },
  TRIAGE_CASCADE: {
    schema: z.enum(["off", "on"]),
    purpose: "whether the built-in model judges items it is sure of, and the language model only the rest",
    example: "off",
  },
} as const;

/** @throws configuration_invalid naming the variable, what it is for and an example. */
export function setting(name: keyof typeof settings): string {
  const { schema, purpose, example } = settings[name];
  const value = schema.safeParse(process.env[name]?.trim());
  if (value.success) return value.data;
  throw new ScoutsError("configuration_invalid", { data: { variable: name, purpose, example } });
}

const named = z.object({ name: text });
const located = z.object({ url: text });
const secret = z.object({ value: text });

/** Everything a function may be linked to, in the shape SST hands it over. */
const resources = {
  LedgerTable: named,
  SessionsTable: named,
  SyncQueue: located,
  TriageQueue: located,
  SummarizeQueue: located,
  AgentQueue: located,
  ImapQueue: located,
  ImapWorker: named,
  TransitBucket: named,
  DeviceSocket: z.object({ url: text, managementEndpoint: text }),
  AddressKey: secret,
  TicketKey: secret,
  GoogleClientSecret: secret,
  LangfuseSecretKey: secret,
  ModelApiKey: secret,
  VaultKeyRing: secret,
  SessionKeyRing: secret,
} as const;

type Resources = { [N in keyof typeof resources]: z.infer<(typeof resources)[N]> };

/** @throws configuration_invalid when the function is not linked to the resource. */
export function linked<N extends keyof Resources>(name: N): Resources[N] {
  const value = resources[name].safeParse(Reflect.get(Resource, name));
  // `safeParse` of a union of schemas loses which one it was; the key keeps it.
  if (value.success) return value.data as Resources[N];
  throw new ScoutsError("configuration_invalid", { data: { resource: name } });
}
