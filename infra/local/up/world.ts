import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../hostility.ts";
import { lockData } from "../lock.ts";
import { type Issuer, startIssuer } from "../standins/issuer/start.ts";
import { startKms } from "../standins/kms/start.ts";
import type { Mailbox } from "../standins/mailbox/mailbox.ts";
import { startMailbox } from "../standins/mailbox/start.ts";
import { builtInModelName, startModel } from "../standins/model/server.ts";
import { type Push, startPush } from "../standins/push/start.ts";
import { localSecrets } from "./secrets.ts";
import { issuerPort } from "./world-ports.ts";

/** The owner of the local mailbox, and what the deployment is told of Google's side. */
const address = "you@example.com";
const audience = "scouts";
const project = "projects/local";
const push = {
  audience: "scouts-gmail-webhook",
  serviceAccount: "scouts-push@local.iam.gserviceaccount.com",
  subscription: `${project}/subscriptions/scouts-gmail`,
};
const clientId = "scouts-local.apps.googleusercontent.com";
/** A file on this disk has no quota; the product's own budget is tested against Google's real figures elsewhere. */
const unlimited = { unitsPerUserMinute: 1e12, unitsPerProjectMinute: 1e12 };

export interface WorldOptions {
  readonly dataFolder: string;
  readonly mailboxPath: string;
  readonly hostileSeed?: number;
  /** Where a real model is taken from, when one is set. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Everything outside the product: Google, the identity provider, KMS, the language model. */
export interface World {
  readonly mailbox: Mailbox;
  readonly push: Push;
  readonly issuer: Issuer;
  readonly kmsUrl: string;
  readonly modelName: string;
  /** Deploy-time environment: where infra/settings.ts is told to find all this. */
  readonly deploy: Record<string, string>;
  readonly secrets: Record<string, string>;
  /** Requests the built-in model has answered; a real one is not counted. */
  modelRequests(): number;
  close(): Promise<void>;
}

/** Starts the stand-ins, each a real HTTP server on 127.0.0.1. @throws StandInError, LocalHomeError */
export async function startWorld(options: WorldOptions): Promise<World> {
  const folder = join(options.dataFolder, "world");
  const closing: (() => Promise<void>)[] = [];
  const keep = <T extends { close(): Promise<void> }>(server: T): T => {
    closing.push(() => server.close());
    return server;
  };
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  try {
    closing.push(lock(folder));
    const kms = keep(await startKms({ stateDir: join(folder, "kms") }));
    const model = await chooseModel(options.environment, keep);
    const secrets = await localSecrets(folder, kms.url, model.apiKey);
    const port = await issuerPort(folder);
    const issuer = keep(await startIssuer({ stateDir: join(folder, "issuer"), port, audience }));
    const chance = options.hostileSeed === undefined ? {} : { random: seededRandom(options.hostileSeed) };
    const publisher = keep(
      await startPush({
        stateDir: join(folder, "push"),
        ...push,
        ...chance,
        ...(options.hostileSeed === undefined ? {} : { hostile: { duplicate: 0.2, reorder: 0.2 } }),
      }),
    );
    const mailbox = keep(
      await startMailbox({
        path: options.mailboxPath,
        stateDir: join(folder, "mailbox"),
        address,
        oauth: { clientId, clientSecret: secrets["GoogleClientSecret"] ?? "" },
        push: (notification) => void publisher.publish(notification),
        limits: unlimited,
        ...chance,
      }),
    );
    const deploy = {
      OIDC_ISSUER: issuer.url,
      OIDC_AUDIENCE: audience,
      FEED_ADDRESSES: options.environment["FEED_ADDRESSES"] || "public",
      GOOGLE_CLIENT_ID: clientId,
      GOOGLE_AUTH_URL: mailbox.authUrl,
      GOOGLE_TOKEN_URL: mailbox.tokenUrl,
      GOOGLE_REVOKE_URL: mailbox.revokeUrl,
      GMAIL_API_URL: `${mailbox.url}/`,
      GMAIL_TOPIC: `${project}/topics/scouts-gmail`,
      PUSH_SUBSCRIPTION: push.subscription,
      PUSH_SERVICE_ACCOUNT: push.serviceAccount,
      PUSH_AUDIENCE: push.audience,
      PUSH_JWKS_URL: publisher.jwksUrl,
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_MODEL: model.name,
    };
    return {
      mailbox,
      push: publisher,
      issuer,
      kmsUrl: kms.url,
      modelName: model.name,
      deploy,
      secrets,
      modelRequests: model.requests,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The home locks its own folder, but only after all this has been started on the same data folder. */
function lock(folder: string): () => Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unlock = lockData(folder);
  return async () => unlock();
}

interface ChosenModel {
  readonly baseUrl: string;
  readonly name: string;
  readonly apiKey: string;
  requests(): number;
}

/** The person's own model when their environment names one, the built-in otherwise; the product cannot tell. */
async function chooseModel(
  environment: WorldOptions["environment"],
  keep: <T extends { close(): Promise<void> }>(server: T) => T,
): Promise<ChosenModel> {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL } = environment;
  if (OPENAI_API_KEY || OPENAI_BASE_URL) {
    return {
      baseUrl: OPENAI_BASE_URL || "https://api.openai.com/v1",
      name: OPENAI_MODEL || "gpt-4o-mini",
      // Servers without keys (Ollama, llama.cpp) ignore it, but the protocol wants one.
      apiKey: OPENAI_API_KEY || "none",
      requests: () => 0,
    };
  }
  const apiKey = "built-in";
  const server = keep(await startModel({ apiKey }));
  return { baseUrl: server.url, name: builtInModelName, apiKey, requests: () => server.requests() };
}
