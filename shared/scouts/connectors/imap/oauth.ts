import https from "node:https";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { isScoutsError, ScoutsError } from "../../../../events/errors.ts";
import type { Clock } from "../../../ports/clock.ts";
import { Transient } from "../../../privacy/transient.ts";
import { checkAddress, guardedLookup } from "../address-guard.ts";
import type { ScoutAtSource } from "../connector.ts";
import type { Dial } from "./session.ts";
import type { ImapAccess } from "./settings.ts";

const timeoutMs = 10_000;
/** A token is not used in its last minute: it would expire on the way. */
const marginMs = 60_000;
const longestLifeMs = 3_600_000;
const maxAnswerBytes = 65_536;

const granted = z.object({ access_token: z.string().min(1), expires_in: z.number().positive().default(3600) });
const refused = z.object({ error: z.string() });

interface Kept {
  readonly token: Transient<string>;
  readonly grant: string;
  readonly untilMs: number;
}

/** Access tokens for XOAUTH2, fetched with a person's refresh token (RFC 6749 §6) and kept in memory while they last. */
export class AccessTokens {
  readonly #kept = new Map<string, Kept>();
  readonly #clock: Clock;
  readonly #dial: Dial;

  constructor(clock: Clock, dial: Dial) {
    this.#clock = clock;
    this.#dial = dial;
  }

  /** @throws reauth (the grant is withdrawn), source_credentials_refused (there is none), source_unavailable */
  async token({ scoutId }: ScoutAtSource, access: ImapAccess): Promise<Transient<string>> {
    const { refreshToken, tokenUrl, clientId, clientSecret } = access;
    if (refreshToken === undefined || tokenUrl === undefined || clientId === undefined) {
      throw new ScoutsError("source_credentials_refused");
    }
    const known = this.#kept.get(scoutId);
    if (known?.grant === refreshToken && known.untilMs > this.#clock()) return known.token;
    const form = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken, client_id: clientId });
    if (clientSecret !== undefined) form.set("client_secret", clientSecret);
    const { status, body } = await this.#post(new URL(tokenUrl), form.toString());
    const answer = granted.safeParse(body);
    if (status !== 200 || !answer.success) throw refusal(status, body);
    const token = new Transient(answer.data.access_token);
    const lifeMs = Math.min(answer.data.expires_in * 1000, longestLifeMs);
    this.#kept.set(scoutId, { token, grant: refreshToken, untilMs: this.#clock() + lifeMs - marginMs });
    return token;
  }

  /** Forgets a token the server does not take. */
  refused({ scoutId }: ScoutAtSource): void {
    this.#kept.delete(scoutId);
  }

  async #post(url: URL, body: string): Promise<{ status: number; body: unknown }> {
    checkAddress(url, this.#dial.reach);
    const signal = AbortSignal.timeout(timeoutMs);
    const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
    const { ca, reach, lookup } = this.#dial;
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
