import { type After, systemAfter } from "../../../shared/ports/clock.ts";
import { json, serveLoopback } from "../loopback-server.ts";
import { openSigningKey } from "../signing-key.ts";
import { againMs, ToldOnce } from "../told-once.ts";
import { openOutbox, type PublishedMessage } from "./outbox.ts";
import { pushTokens } from "./push-token.ts";

export interface PushOptions {
  /** Where unacknowledged messages and the signing key live, `<data>/world/push`. */
  readonly stateDir: string;
  /** The webhook; may be set later, until then messages wait. */
  readonly endpoint?: string;
  readonly audience: string;
  readonly serviceAccount: string;
  /** `projects/<project>/subscriptions/<name>` */
  readonly subscription: string;
  readonly port?: number;
  readonly clock?: () => number;
  readonly random?: () => number;
  readonly after?: After;
  /** Shares of deliveries, 0 to 1, that are repeated though acknowledged, or held back so that later ones overtake. */
  readonly hostile?: { readonly duplicate?: number; readonly reorder?: number };
  /** Bounds of the wait before a redelivery; Pub/Sub's push back-off is 100 ms to 60 s. */
  readonly backoffMs?: { readonly min: number; readonly max: number };
  /** How long an answer may take; Pub/Sub's default acknowledgement deadline is 10 s. */
  readonly deadlineMs?: number;
}

export interface Push {
  readonly url: string;
  /** Where the keys of its tokens are published. */
  readonly jwksUrl: string;
  setEndpoint(endpoint: string): void;
  /** Publishes a message; its id. It is kept until the endpoint acknowledges it. */
  publish(payload: unknown): string;
  /**
   * Delivers a message of another topic once, as it would push its own, keeping nothing of it: whether the endpoint
   * has acknowledged it. Redelivery is the other topic's business.
   */
  forward(message: PublishedMessage): Promise<boolean>;
  /** The bearer token deliveries carry now. */
  token(): Promise<string>;
  /** Messages not yet acknowledged. */
  pending(): number;
  /** Resolves when every message is acknowledged and no delivery is under way. */
  whenIdle(): Promise<void>;
  stats(): { readonly deliveries: number; readonly acknowledged: number; readonly refused: number };
  close(): Promise<void>;
}

/** Statuses that acknowledge (https://cloud.google.com/pubsub/docs/push#receive_push). */
const acknowledging = new Set([102, 200, 201, 202, 204]);
const maxHoldBackMs = 400;

/**
 * A Pub/Sub topic with one push subscription: at least once, in no order, redelivered with exponential back-off that
 * slows the whole subscription, until acknowledged. Unacknowledged messages survive a restart. Throws StandInError.
 */
export async function startPush(options: PushOptions): Promise<Push> {
  const clock = options.clock ?? Date.now;
  const random = options.random ?? Math.random;
  const after = options.after ?? systemAfter;
  const backoff = options.backoffMs ?? { min: 100, max: 60_000 };
  const outbox = openOutbox(options.stateDir);
  const key = await openSigningKey(options.stateDir);
  const token = pushTokens(key, options, clock);
  const server = await serveLoopback(
    (request) =>
      request.url.pathname === "/oauth2/v3/certs"
        ? json(
            200,
            { keys: [key.publicJwk] },
            { "cache-control": "public, max-age=3600, must-revalidate, no-transform" },
          )
        : json(404, { error: "not_found" }),
    options.port === undefined ? {} : { port: options.port },
  );

  const pending = new Map<string, PublishedMessage>();
  const underWay = new Set<Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();
  const idleWaiters = new Set<() => void>();
  const told = new ToldOnce("a notification that has arrived cannot be forgotten, and is tried again");
  const stopWaiting: (() => void)[] = [];
  const closing = new AbortController();
  const counts = { deliveries: 0, acknowledged: 0, refused: 0 };
  let endpoint = options.endpoint;
  let failuresInARow = 0;

  function later(delayMs: number, work: () => void): void {
    if (closing.signal.aborted) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, delayMs);
    timers.add(timer);
  }

  function deliver(message: PublishedMessage, repeat = false): void {
    if (endpoint === undefined || closing.signal.aborted) return;
    const delivery = post(endpoint, message).then((acknowledged) => {
      underWay.delete(delivery);
      if (closing.signal.aborted) return;
      settle(message, acknowledged, repeat);
    });
    underWay.add(delivery);
  }

  function settle(message: PublishedMessage, acknowledged: boolean, repeat: boolean): void {
    if (acknowledged) {
      failuresInARow = 0;
      if (pending.delete(message.id)) {
        counts.acknowledged++;
        forget(message.id);
      }
      if (!repeat && random() < (options.hostile?.duplicate ?? 0)) deliver(message, true);
    } else if (!repeat) {
      counts.refused++;
      const delayMs = Math.min(backoff.max, backoff.min * 2 ** failuresInARow);
      failuresInARow = Math.min(failuresInARow + 1, 20);
      later(delayMs, () => deliver(message));
    }
    if (pending.size === 0 && underWay.size === 0) {
      for (const resolve of idleWaiters) resolve();
      idleWaiters.clear();
    }
  }

  /** It has arrived. Should the home end before its disk takes that, it is delivered once more, as Pub/Sub may. */
  function forget(id: string): void {
    try {
      outbox.acknowledge(id);
      told.passed();
    } catch (error) {
      told.failed(error);
      stopWaiting.push(after(againMs, () => forget(id)));
    }
  }

  async function post(url: string, message: PublishedMessage): Promise<boolean> {
    counts.deliveries++;
    const publishTime = new Date(message.publishedAtMs).toISOString();
    const body = {
      message: {
        attributes: message.attributes ?? {},
        data: message.data,
        messageId: message.id,
        message_id: message.id,
        publishTime,
        publish_time: publishTime,
      },
      subscription: options.subscription,
    };
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          authorization: `Bearer ${await token()}`,
          "content-type": "application/json",
          "user-agent": "CloudPubSub-Google",
        },
        body: JSON.stringify(body),
        redirect: "manual",
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(options.deadlineMs ?? 10_000)]),
      });
      await response.body?.cancel();
      return acknowledging.has(response.status);
    } catch (error) {
      // Refused, reset, timed out: to Pub/Sub all of them are a missing acknowledgement.
      if (error instanceof Error) return false;
      throw error;
    }
  }

  function begin(message: PublishedMessage): void {
    if (random() < (options.hostile?.reorder ?? 0)) later(random() * maxHoldBackMs, () => deliver(message));
    else deliver(message);
  }

  for (const message of outbox.all()) {
    pending.set(message.id, message);
    begin(message);
  }

  return {
    url: server.url,
    jwksUrl: `${server.url}/oauth2/v3/certs`,
    setEndpoint: (url) => {
      const first = endpoint === undefined;
      endpoint = url;
      if (first) for (const message of pending.values()) begin(message);
    },
    publish: (payload) => {
      const message = outbox.add(Buffer.from(JSON.stringify(payload)).toString("base64"), clock());
      pending.set(message.id, message);
      begin(message);
      return message.id;
    },
    forward: async (message) => {
      if (endpoint === undefined || closing.signal.aborted) return false;
      const posted = post(endpoint, message);
      const delivery = posted.then(() => void underWay.delete(delivery));
      underWay.add(delivery);
      return posted;
    },
    token,
    pending: () => pending.size,
    whenIdle: () =>
      pending.size === 0 && underWay.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            idleWaiters.add(resolve);
          }),
    stats: () => ({ ...counts }),
    close: async () => {
      closing.abort();
      for (const stop of stopWaiting) stop();
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(underWay);
      await server.close();
      outbox.close();
    },
  };
}
