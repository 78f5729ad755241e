import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../hostility.ts";
import { lockData } from "../lock.ts";
import { type Issuer, startIssuer } from "../../standins/issuer/start.ts";
import { startKms } from "../../standins/kms/start.ts";
import { builtInModelName, startModel } from "../../model/server.ts";
import { type Push, startPush } from "../../standins/push/start.ts";
import { forgetKilled } from "./presence.ts";
import { localSecrets } from "./secrets.ts";
import { issuerPort } from "../up/world-ports.ts";

const audience = "scouts";
/** Who signs the deliveries to the webhook, whichever messages they carry. */
const pusher = { audience: "scouts-gmail-webhook", serviceAccount: "scouts-push@local.iam.gserviceaccount.com" };

export interface GroundOptions {
  readonly dataFolder: string;
  readonly hostileSeed?: number;
  /** Where a real model is taken from, when one is set. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What is outside the product wherever the mail is: the identity provider, KMS, the language model, who pushes. */
export interface Ground {
  readonly push: Push;
  readonly issuer: Issuer;
  readonly kmsUrl: string;
  readonly modelName: string;
  /** Deploy-time environment: where infra/settings.ts is told to find all this. */
  readonly deploy: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** Requests the built-in model has answered; a real one is not counted. */
  modelRequests(): number;
  /** Has a server closed with the rest. */
  keep<T extends { close(): Promise<void> }>(server: T): T;
  close(): Promise<void>;
}

/**
 * Starts the stand-ins, each a real HTTP server on 127.0.0.1.
 *
 * @param subscription what the deliveries to the webhook say they are of
 * @throws StandInError, LocalHomeError
 */
export async function startGround(options: GroundOptions, subscription: string): Promise<Ground> {
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
    forgetKilled(options.dataFolder);
    const kms = keep(await startKms({ stateDir: join(folder, "kms") }));
    const model = await chooseModel(options.environment, keep);
    const secrets = await localSecrets(folder, kms.url, model.apiKey, langfuseKey(options.environment));
    const port = await issuerPort(folder);
    const issuer = keep(await startIssuer({ stateDir: join(folder, "issuer"), port, audience }));
    const hostile = options.hostileSeed !== undefined && {
      random: seededRandom(options.hostileSeed),
      hostile: { duplicate: 0.2, reorder: 0.2 },
    };
    const push = keep(await startPush({ stateDir: join(folder, "push"), ...pusher, subscription, ...hostile }));
    const deploy = {
      OIDC_ISSUER: issuer.url,
      OIDC_AUDIENCE: audience,
      FEED_ADDRESSES: options.environment["FEED_ADDRESSES"] || "public",
      PUSH_SUBSCRIPTION: subscription,
      PUSH_SERVICE_ACCOUNT: pusher.serviceAccount,
      PUSH_AUDIENCE: pusher.audience,
      PUSH_JWKS_URL: push.jwksUrl,
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_MODEL: model.name,
      OPENAI_PRICES: options.environment["OPENAI_PRICES"] || "0.15/0.60",
      LANGFUSE_URL: options.environment["LANGFUSE_URL"] || "off",
      LANGFUSE_PUBLIC_KEY: options.environment["LANGFUSE_PUBLIC_KEY"] || "unset",
    };
    const modelName = model.name;
    return { push, issuer, kmsUrl: kms.url, modelName, deploy, secrets, modelRequests: model.requests, keep, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const langfuseKey = (environment: GroundOptions["environment"]) => environment["LANGFUSE_SECRET_KEY"] || "unset";

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
  environment: GroundOptions["environment"],
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
