import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { systemAfter } from "../../../shared/ports/clock.ts";
import { builtInModelName, startModel } from "../../model/server.ts";
import { type Issuer, startIssuer } from "../../standins/issuer/start.ts";
import { makeSecret } from "../../standins/owner-secret.ts";
import { type Push, startPush } from "../../standins/push/start.ts";
import { seededRandom } from "../../standins/seeded-random.ts";
import { StandInError } from "../../standins/stand-in-error.ts";
import type { KeyServiceAddress } from "../engines/kms-front.ts";
import { lockData } from "../lock.ts";
import { noteLasting } from "../seal.ts";
import { type Identity, readIdentity } from "./identity.ts";
import { startKeyService } from "./key-service.ts";
import { type MailListener, startMailListener } from "./mail-listener.ts";
import { type Mailboxes, type OwnAccount, startMailboxes } from "./mailboxes.ts";
import { forgetKilled } from "./presence.ts";
import { localSecrets } from "./secrets.ts";
import { requireSpace } from "./space.ts";

const audience = "scouts";
/** Who signs the deliveries to the webhook, whichever messages they carry. */
const pusher = { audience: "scouts-gmail-webhook", serviceAccount: "scouts-push@local.iam.gserviceaccount.com" };

export interface ExternalServicesOptions {
  readonly dataFolder: string;
  readonly hostileSeed?: number;
  readonly now: () => number;
  /** Where a real model is taken from, when one is set. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What is outside the product wherever the mail is: the identity provider, KMS, the language model, who pushes. */
export interface ExternalServices {
  readonly push: Push;
  readonly issuer: Issuer;
  readonly kms: KeyServiceAddress;
  /** What the owner's own programs show to the stand-ins; `announce` leaves it where the owner alone can read it. */
  readonly ownerSecret: string;
  /** Where the owner consents to the mailbox, when it is a stand-in. */
  readonly consentUrl?: string;
  /** Mail in files, of scouts that were added for it. */
  readonly mailboxes: Mailboxes;
  /** The path of the mailbox the home was begun with, while its files cannot be read. */
  readonly mailAway?: () => string | undefined;
  /** Paths in it that cannot be read while the rest of it can. */
  readonly mailUnread?: () => readonly string[];
  /** Hears of news at mail servers. */
  readonly mailListener: MailListener;
  readonly modelName: string;
  /** Whether the language model is one the person has named, and not the built-in. */
  readonly hasOwnModel: boolean;
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
 * @param own the mailbox that a stand-in serves
 * @throws StandInError, LocalHomeError
 */
export async function startExternalServices(
  options: ExternalServicesOptions,
  subscription: string,
  own?: OwnAccount,
): Promise<ExternalServices> {
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
    requireSpace(folder);
    forgetKilled(options.dataFolder);
    const kms = keep(await startKeyService(folder));
    const identity = await readIdentity(folder);
    const ownerSecret = makeSecret();
    const mailboxes = keep(await startMailboxes(join(folder, "mailboxes"), options.now, own));
    // Whoever adds a source here is whose network it is.
    const imapAddresses = options.environment["IMAP_ADDRESSES"] === "public" ? "public" : "any";
    const mailListener = keep(await startMailListener({ dial: { reach: imapAddresses }, after: systemAfter }));
    const model = await chooseModel(options.environment, keep);
    const secrets = await localSecrets(folder, kms, model.apiKey, langfuseKey(options.environment));
    const issuer = keep(await startNamedIssuer(folder, identity, ownerSecret));
    const hostile = options.hostileSeed !== undefined && {
      random: seededRandom(options.hostileSeed),
      hostile: { duplicate: 0.2, reorder: 0.2 },
    };
    const push = keep(await startPush({ stateDir: join(folder, "push"), ...pusher, subscription, ...hostile }));
    const deploy = {
      OIDC_ISSUER: issuer.name,
      OIDC_AUDIENCE: audience,
      FEED_ADDRESSES: options.environment["FEED_ADDRESSES"] || "any",
      IMAP_ADDRESSES: options.environment["IMAP_ADDRESSES"] || imapAddresses,
      IMAP_LISTENER_URL: mailListener.url,
      IMAP_UNITS_PER_MINUTE: options.environment["IMAP_UNITS_PER_MINUTE"] || "1200",
      MAILBOX_SERVER_URL: mailboxes.url,
      PUSH_SUBSCRIPTION: subscription,
      PUSH_SERVICE_ACCOUNT: pusher.serviceAccount,
      PUSH_AUDIENCE: pusher.audience,
      PUSH_JWKS_URL: push.jwksUrl,
      // The built-in model knows no more of a proposal than the device's rules.
      CATEGORIZE: model.isOwn ? options.environment["CATEGORIZE"] || "on" : "off",
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_MODEL: model.name,
      OPENAI_PRICES: options.environment["OPENAI_PRICES"] || "0.15/0.60",
      TRIAGE_CASCADE: options.environment["TRIAGE_CASCADE"] || "off",
      LANGFUSE_URL: options.environment["LANGFUSE_URL"] || "off",
      LANGFUSE_PUBLIC_KEY: options.environment["LANGFUSE_PUBLIC_KEY"] || "off",
    };
    noteLasting(folder);
    const { name: modelName, isOwn: hasOwnModel, requests: modelRequests } = model;
    return {
      push,
      issuer,
      kms,
      ownerSecret,
      mailboxes,
      mailListener,
      modelName,
      hasOwnModel,
      deploy,
      secrets,
      modelRequests,
      keep,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** At its name's own port, or at any other when somebody has that one: who it names does not hang on it. */
async function startNamedIssuer(
  folder: string,
  { issuer: name, port }: Identity,
  ownerSecret: string,
): Promise<Issuer> {
  const options = { stateDir: join(folder, "issuer"), name, audience, ownerSecret };
  try {
    return await startIssuer({ ...options, port });
  } catch (error) {
    if (!(error instanceof StandInError) || error.code !== "port_taken") throw error;
    return startIssuer(options);
  }
}

const langfuseKey = (environment: ExternalServicesOptions["environment"]) =>
  environment["LANGFUSE_SECRET_KEY"] || "off";

/** The home locks its own folder, but only after all this has been started on the same data folder. */
function lock(folder: string): () => Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unlock = lockData(folder, "scouts up");
  return async () => unlock();
}

interface ChosenModel {
  readonly baseUrl: string;
  readonly name: string;
  readonly apiKey: string;
  /** The person's, not the built-in one. */
  readonly isOwn: boolean;
  requests(): number;
}

/** The person's own model when their environment names one, the built-in otherwise; the product cannot tell. */
async function chooseModel(
  environment: ExternalServicesOptions["environment"],
  keep: <T extends { close(): Promise<void> }>(server: T) => T,
): Promise<ChosenModel> {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL } = environment;
  if (OPENAI_API_KEY || OPENAI_BASE_URL) {
    return {
      baseUrl: OPENAI_BASE_URL || "https://api.openai.com/v1",
      name: OPENAI_MODEL || "gpt-4o-mini",
      // Servers without keys (Ollama, llama.cpp) ignore it, but the protocol wants one.
      apiKey: OPENAI_API_KEY || "none",
      isOwn: true,
      requests: () => 0,
    };
  }
  const apiKey = makeSecret();
  const server = keep(await startModel({ apiKey }));
  return { baseUrl: server.url, name: builtInModelName, apiKey, isOwn: false, requests: () => server.requests() };
}
