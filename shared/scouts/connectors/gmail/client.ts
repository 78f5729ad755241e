import type { gmail_v1 } from "googleapis/build/src/apis/gmail/index.js";
import { isScoutsError, ScoutsError } from "../../../../events/errors.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Transient } from "../../../privacy/transient.ts";
import type { ScoutAtSource } from "../connector.ts";
import { gmailFailure } from "./failures.ts";
import { type BatchAnswer, batchGet, type Extent, maxBatchCalls } from "./reading/batch-get.ts";

const timeoutMs = 15_000;

/**
 * One message that hangs holds up the batch it is in. So a batch of whole messages is given up early: what then reads each alone, with
 * the usual limit, ends within 20 s, and a device's frame has 29 s.
 */
const contentBatchTimeoutMs = 4_000;

/**
 * Loaded by the first call: a function that asks Gmail nothing does without its 0.3 MB. By `default`, which is all of it wherever it
 * runs: of a package in CommonJS that lies beside a bundle, esbuild gives no other name.
 */
const library = async () => (await import("googleapis/build/src/apis/gmail/index.js")).default;

export type Run<T> = (users: gmail_v1.Resource$Users) => Promise<{ data: T }>;

/** Access tokens by scout; see {@link GmailCredentials}. */
export interface AccessTokens {
  accessToken(scout: ScoutAtSource): Promise<Transient<string>>;
  refused(scout: ScoutAtSource): Promise<void>;
}

/** Where Google serves its API. What another server of the same protocol holds is not in Google's web interface. */
const googleHost = "gmail.googleapis.com";

/** The Gmail API for one scout at a time, with its errors turned into ours and one fresh token after a 401. */
export class GmailClient {
  readonly #tokens: AccessTokens;
  readonly #rootUrl: string;
  readonly #clock: Clock;
  readonly #batchTimeoutMs: Readonly<Record<Extent, number>>;

  /** @param contentBatchMs after which a batch of whole messages is given up, in milliseconds */
  constructor(tokens: AccessTokens, rootUrl: string, clock: Clock, contentBatchMs = contentBatchTimeoutMs) {
    this.#tokens = tokens;
    this.#rootUrl = rootUrl;
    this.#clock = clock;
    this.#batchTimeoutMs = { metadata: timeoutMs, content: contentBatchMs };
  }

  /** Where a person can open the messages of this API in a browser, if anywhere. */
  get webUrl(): string | undefined {
    return new URL(this.#rootUrl).host === googleHost ? "https://mail.google.com/mail/" : undefined;
  }

  /** The same API with a token that is kept nowhere yet. */
  with(token: Transient<string>): GmailClient {
    const refused = async () => {
      throw new ScoutsError("consent_invalid");
    };
    return new GmailClient({ accessToken: async () => token, refused }, this.#rootUrl, this.#clock);
  }

  /** @throws ScoutsError with a `source_*`, `item_*`, `consent_incomplete` or `reauth` code. */
  async call<T>(scout: ScoutAtSource, run: Run<T>): Promise<T> {
    return this.#withToken(scout, () => this.once(scout, run));
  }

  /** Many messages, or why one could not be read, in the order asked for. */
  async getMany(scout: ScoutAtSource, ids: readonly string[], extent: Extent): Promise<BatchAnswer[]> {
    const answers: BatchAnswer[] = [];
    for (let start = 0; start < ids.length; start += maxBatchCalls) {
      const some = ids.slice(start, start + maxBatchCalls);
      answers.push(...(await this.#withToken(scout, () => this.batchOnce(scout, some, extent))));
    }
    return answers;
  }

  async #withToken<T>(scout: ScoutAtSource, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (!isScoutsError(error, "unauthenticated")) throw error;
      await this.#tokens.refused(scout);
      return await this.#withFreshToken(ask);
    }
  }

  /** Whose access was withdrawn gets no fresh token: one that Google issues and then refuses is Google's fault. */
  async #withFreshToken<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (!isScoutsError(error, "unauthenticated")) throw error;
      throw new ScoutsError("source_unavailable", { data: error.data, cause: error });
    }
  }

  /** One request with the token at hand; refused, it throws `unauthenticated`. */
  protected async once<T>(scout: ScoutAtSource, run: Run<T>): Promise<T> {
    const [token, { auth, gmail }] = await Promise.all([this.#tokens.accessToken(scout), library()]);
    const client = new auth.OAuth2();
    client.setCredentials({ access_token: token.reveal() });
    const api = gmail({
      version: "v1",
      auth: client,
      rootUrl: this.#rootUrl,
      // The library would retry by itself, three times and out of our sight: the queue does the retrying.
      retry: false,
      timeout: timeoutMs,
      // It would load node-fetch and its streams, a tenth of a worker's code, for what Node has.
      fetchImplementation: fetch,
    });
    try {
      const { data } = await run(api.users);
      // Text comes from something between us and Gmail, such as a portal's page; only `stop` answers with nothing.
      if (typeof data === "string" && data !== "") throw new ScoutsError("source_unavailable");
      return data;
    } catch (error) {
      throw gmailFailure(error, this.#clock());
    }
  }

  /** One batch with the token at hand; refused, it throws `unauthenticated`. */
  protected async batchOnce(scout: ScoutAtSource, ids: readonly string[], extent: Extent): Promise<BatchAnswer[]> {
    const token = await this.#tokens.accessToken(scout);
    const limitMs = this.#batchTimeoutMs[extent];
    return batchGet({ rootUrl: this.#rootUrl, token, ids, extent, timeoutMs: limitMs, nowMs: this.#clock() });
  }
}
