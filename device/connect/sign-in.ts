import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import * as z from "zod";
import { DeviceError } from "../errors.ts";
import { listenForConsent } from "./loopback-consent.ts";
import { askForm, askToken, type IssuerMetadata, isSilent, refusalOf, type TokenAnswer } from "./oidc.ts";

/** A public client of an issuer: programs keep no secrets. */
export interface PublicClient {
  readonly clientId: string;
  /** What tokens must be for, where the issuer wants that said. */
  readonly audience: string | null;
  /** Space separated; `offline_access` is what gives a refresh token. */
  readonly scope: string;
}

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";
/** RFC 8628 §3.2, §3.5 */
const defaultIntervalSeconds = 5;
const slowDownSeconds = 5;
/** An issuer that is silent is asked half as often each time, but this often at least. */
const longestIntervalSeconds = 60;

function common({ clientId, audience, scope }: PublicClient): Record<string, string> {
  return { client_id: clientId, scope, ...(audience === null ? {} : { audience }) };
}

/**
 * Signs a person in by their browser on this machine: authorization code with PKCE to a loopback port (RFC 8252, RFC 7636).
 *
 * @param open shows the issuer's page
 * @throws DeviceError `consent_refused`, `consent_abandoned`, `login_failed`, `issuer_unusable`
 */
export async function signInByBrowser(
  issuer: IssuerMetadata,
  client: PublicClient,
  open: (url: string) => Promise<void>,
  signal: AbortSignal,
): Promise<TokenAnswer> {
  if (issuer.authorization_endpoint === undefined) throw new DeviceError("issuer_unusable");
  const listener = await listenForConsent();
  try {
    const state = randomBytes(24).toString("base64url");
    const redirectUri = `http://127.0.0.1:${listener.port}/`;
    const page = new URL(issuer.authorization_endpoint);
    const query = {
      ...common(client),
      response_type: "code",
      redirect_uri: redirectUri,
      state,
      code_challenge: listener.codeChallenge,
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(query)) page.searchParams.set(name, value);
    const result = listener.result(state, signal);
    await open(page.href);
    const { code, codeVerifier } = await result;
    const form = {
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
      client_id: client.clientId,
    };
    return await askToken(issuer.token_endpoint, form, signal);
  } finally {
    listener.close();
  }
}

const deviceAnswer = z.object({
  device_code: z.string().min(1),
  user_code: z.string().min(1).max(64),
  verification_uri: z.url(),
  verification_uri_complete: z.url().optional(),
  expires_in: z.number().positive(),
  interval: z.number().positive().default(defaultIntervalSeconds),
});

/** What a person has to do on another machine. */
export interface UserCode {
  readonly userCode: string;
  readonly verificationUri: string;
}

/**
 * Signs a person in by a browser anywhere: they type a code there (RFC 8628). An issuer that does not answer for a while is waited for.
 *
 * @throws DeviceError `consent_refused`, `consent_abandoned` (also when the code's time is over), `login_failed`,
 * `issuer_unusable`
 */
export async function signInByCode(
  issuer: IssuerMetadata,
  client: PublicClient,
  show: (code: UserCode) => Promise<void>,
  signal: AbortSignal,
  wait: (ms: number) => Promise<unknown> = (ms) => setTimeout(ms, undefined, { signal }),
): Promise<TokenAnswer> {
  const endpoint = issuer.device_authorization_endpoint;
  if (endpoint === undefined) {
    throw new DeviceError("issuer_unusable", {
      sentence: "The issuer knows no sign-in by code; sign in without --code, on a machine with a browser.",
    });
  }
  const begun = await askForm(endpoint, common(client), deviceAnswer, signal);
  await show({ userCode: begun.user_code, verificationUri: begun.verification_uri });
  const form = { grant_type: deviceGrant, device_code: begun.device_code, client_id: client.clientId };
  let intervalSeconds = begun.interval;
  let silence: unknown;
  for (let waitedSeconds = 0; waitedSeconds < begun.expires_in; waitedSeconds += intervalSeconds) {
    await wait(intervalSeconds * 1_000).catch((cause: unknown) => {
      throw new DeviceError("consent_abandoned", { cause });
    });
    try {
      return await askToken(issuer.token_endpoint, form, signal);
    } catch (error) {
      const code = refusalOf(error);
      silence = isSilent(error) ? error : undefined;
      if (silence !== undefined) intervalSeconds = longer(intervalSeconds);
      else if (code === "slow_down") intervalSeconds += slowDownSeconds;
      else if (code === "access_denied") throw new DeviceError("consent_refused", { cause: error });
      else if (code === "expired_token") throw new DeviceError("consent_abandoned", { cause: error });
      else if (code !== "authorization_pending") throw error;
    }
  }
  throw silence ?? new DeviceError("consent_abandoned");
}

const longer = (seconds: number): number => Math.max(seconds, Math.min(2 * seconds, longestIntervalSeconds));
