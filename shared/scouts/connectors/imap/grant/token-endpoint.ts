import https from "node:https";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { isScoutsError, ScoutsError } from "../../../../../events/errors.ts";
import { Transient } from "../../../../privacy/transient.ts";
import { checkAddress, guardedLookup } from "../../address-guard.ts";
import type { Dial } from "../session.ts";
import type { ImapAccess } from "../settings.ts";

const timeoutMs = 10_000;
const longestLifeMs = 3_600_000;
const maxAnswerBytes = 65_536;

/** Lenient but for the token: with an answer that is not taken, a refresh token that is good once is lost. */
const answered = z.object({
  access_token: z.string().min(1),
  /** Some providers write it as text. */
  expires_in: z.coerce.number().positive().catch(3600),
  /** Some write null or nothing where the one that was shown goes on. */
  refresh_token: z.string().max(4096).nullish(),
});
const refused = z.object({ error: z.string() });

/** What a token endpoint has answered. */
export interface Granted {
  readonly accessToken: Transient<string>;
  /** How long it is good for, an hour at most. */
  readonly lifeMs: number;
  /** The one that takes the place of the one that was spent, if any does. */
  readonly refreshToken?: Transient<string>;
}

/** What of the settings it takes to ask. */
export type GrantSettings = Pick<ImapAccess, "tokenUrl" | "clientId" | "clientSecret">;

/**
 * Asks a token endpoint for an access token (RFC 6749 §6).
 *
 * @throws reauth (the grant is withdrawn), source_credentials_refused (the settings hold no grant), source_forbidden,
 * source_rate_limited, source_unavailable
 */
export async function askForToken(
  dial: Dial,
  { tokenUrl, clientId, clientSecret }: GrantSettings,
  refreshToken: Transient<string>,
): Promise<Granted> {
  if (tokenUrl === undefined || clientId === undefined) throw new ScoutsError("source_credentials_refused");
  const form = new URLSearchParams({
    grant_type: "refresh_token",
    refresh_token: refreshToken.reveal(),
    client_id: clientId,
  });
  if (clientSecret !== undefined) form.set("client_secret", clientSecret);
  const { status, body } = await post(dial, new URL(tokenUrl), form.toString());
  const answer = answered.safeParse(body);
  if (status !== 200 || !answer.success) throw refusal(status, body);
  const { access_token, expires_in, refresh_token } = answer.data;
  return {
    accessToken: new Transient(access_token),
    lifeMs: Math.min(expires_in * 1000, longestLifeMs),
    ...(refresh_token ? { refreshToken: new Transient(refresh_token) } : {}),
  };
}

async function post({ ca, reach, lookup }: Dial, url: URL, body: string): Promise<{ status: number; body: unknown }> {
  checkAddress(url, reach);
  const signal = AbortSignal.timeout(timeoutMs);
  const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
  const options = {
    method: "POST",
    headers,
    signal,
    agent: false as const,
    lookup: lookup ?? guardedLookup(reach),
    ...(ca === undefined ? {} : { ca }),
  };
  try {
    return await new Promise((resolve, reject) => {
      const request = https.request(url, options, (response) => {
        let bytes = 0;
        response.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > maxAnswerBytes) response.destroy(new ScoutsError("source_unavailable"));
        });
        text(response).then((answer) => resolve({ status: response.statusCode ?? 0, body: json(answer) }), reject);
      });
      request.once("error", reject).end(body);
    });
  } catch (error) {
    throw isScoutsError(error) ? error : new ScoutsError("source_unavailable", { cause: error });
  }
}

/** RFC 6749 §5.2: `invalid_grant` is a grant that is withdrawn or expired. */
function refusal(status: number, body: unknown): ScoutsError {
  const answer = refused.safeParse(body);
  const error = answer.success ? answer.data.error : "";
  if (error === "invalid_grant") return new ScoutsError("reauth", { data: { status } });
  if (/^(?:invalid_client|unauthorized_client)$/.test(error))
    return new ScoutsError("source_forbidden", { data: { status } });
  return new ScoutsError(status === 429 ? "source_rate_limited" : "source_unavailable", { data: { status } });
}

function json(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    // No JSON: the status alone tells the failure.
    return undefined;
  }
}
