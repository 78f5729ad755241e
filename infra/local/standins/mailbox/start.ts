import { createHash, randomBytes } from "node:crypto";
import { type HttpAnswer, type HttpRequest, json, serveLoopback } from "../loopback-server.ts";
import { StandInError } from "../stand-in-error.ts";
import { answerBatch } from "./api/batch.ts";
import { type CallApi, createDispatch, findMethod } from "./api/dispatch.ts";
import { findMessage, type MailboxState } from "./api/method.ts";
import { createArrivals } from "./arrivals.ts";
import { createChanges } from "./changes.ts";
import { createFaults, type FaultPlace, type Faults } from "./faults.ts";
import { type FileWatcher, watchFiles } from "./file-watcher.ts";
import { detectSource } from "./formats/source.ts";
import { createNotifier, type GmailNotification } from "./notifier.ts";
import { openAccessTokens } from "./oauth/access-tokens.ts";
import { authorize } from "./oauth/authorize.ts";
import type { ConsentBehaviour, OAuthClient } from "./oauth/client.ts";
import { openCodes } from "./oauth/codes.ts";
import { answerRevoke, answerToken } from "./oauth/token.ts";
import { createQuota, defaultLimits, type QuotaLimits } from "./quota.ts";
import { scanSource } from "./scan.ts";
import { contentReader } from "./store/content.ts";
import { inTransaction, openMailboxDatabase } from "./store/database.ts";
import { openHistory } from "./store/history.ts";
import { openMessages } from "./store/messages.ts";
import { openMeta } from "./store/meta.ts";
import { openSlices } from "./store/slices.ts";
import { openWatch } from "./watch.ts";

export interface MailboxOptions {
  /** An mbox file, a message, a Maildir or a folder of .eml; without it only delivered mail. */
  readonly path?: string;
  /** Where the mailbox keeps its own state, `<data>/world/mailbox`. */
  readonly stateDir: string;
  readonly address: string;
  readonly port?: number;
  readonly oauth: OAuthClient & Partial<ConsentBehaviour>;
  /** Publishes to the watch's topic. */
  readonly push?: (notification: GmailNotification) => void | Promise<void>;
  readonly limits?: Partial<QuotaLimits>;
  readonly clock?: () => number;
  readonly random?: () => number;
}

export interface MailboxStats {
  readonly messages: number;
  readonly arrived: number;
  readonly waiting: number;
  readonly quotaUnits: number;
  readonly requests: number;
  readonly byMethod: Readonly<Partial<Record<FaultPlace, number>>>;
}

export interface Mailbox {
  /** Root of the API and of the OAuth endpoints, no slash at the end. */
  readonly url: string;
  readonly authUrl: string;
  readonly tokenUrl: string;
  readonly revokeUrl: string;
  readonly faults: Faults;
  /** API calls (each call of a batch counts) and token requests; of one method when named. */
  requests(method?: FaultPlace): number;
  /** Messages that have not arrived yet: all of them until somebody watches. */
  pendingArrivals(): number;
  whenAllArrived(): Promise<void>;
  /** Puts a message into the mailbox as if it had just been sent; its id. Before the first watch it waits. */
  deliver(raw: Uint8Array, labels?: readonly string[]): string;
  remove(id: string): void;
  changeLabels(id: string, change: { add?: readonly string[]; remove?: readonly string[] }): void;
  labelsOf(id: string): readonly string[] | undefined;
  /** Forgets all history, so that every start id given out so far is too old. */
  expireHistory(): void;
  /** Ends every grant, as a password change does. */
  revokeGrants(): void;
  /** Tokens as a finished consent for these scopes would give, without the detour. */
  grant(scopes: readonly string[]): { refreshToken: string; accessToken: string };
  setConsent(decide: ConsentBehaviour["decide"]): void;
  setLimits(limits: Partial<QuotaLimits>): void;
  /** Reads the mailbox's files again now. */
  rescan(): Promise<void>;
  stats(): MailboxStats;
  close(): Promise<void>;
}

/**
 * Starts the mailbox: Gmail's REST API v1 and Google's OAuth endpoints over local mail, on 127.0.0.1. State is in
 * `stateDir`; a killed process goes on where it was. Throws {@link StandInError}.
 */
export async function startMailbox(options: MailboxOptions): Promise<Mailbox> {
  const clock = options.clock ?? Date.now;
  const random = options.random ?? Math.random;
  const randomId = () => randomBytes(32).toString("base64url");
  const source = options.path === undefined ? undefined : await detectSource(options.path);

  const database = openMailboxDatabase(options.stateDir);
  const meta = openMeta(database);
  const messages = openMessages(database);
  const slices = openSlices(database, messages);
  const history = openHistory(database, meta, random);
  const watch = openWatch(meta, clock);
  const faults = createFaults(random);
  const quota = createQuota({ ...defaultLimits, ...options.limits }, clock);
  const tokens = openAccessTokens(database, clock, randomId);
  const codes = openCodes(database, clock, randomId);
  const calls = new Map<FaultPlace, number>();
  const count = (place: FaultPlace) => calls.set(place, (calls.get(place) ?? 0) + 1);

  const notifier = createNotifier(
    () =>
      watch.active() === undefined
        ? undefined
        : { emailAddress: options.address, historyId: history.current().toString() },
    async (notification) => {
      await options.push?.(notification);
      meta.set("announced", notification.historyId);
    },
  );
  const changes = createChanges(database, messages, history, clock, notifier.changed);
  const arrivals = createArrivals(watch.everStarted, changes.arrive, messages.waitingCount);
  const readContent = contentReader(database);
  const state: MailboxState = {
    address: options.address,
    messages,
    history,
    changes,
    watch,
    readContent: async (id) => {
      const content = await readContent(id);
      if (typeof content === "object") return content;
      // Mail readers move and rewrite files at any time: look again before anything is called gone.
      await scan(0);
      return readContent(id);
    },
    faults,
    clock,
    onWatch: () => {
      notifier.changed();
      arrivals.pump();
    },
  };
  const callApi = createDispatch({ state, tokens, quota, onCall: count });
  const oauth = { decide: options.oauth.decide ?? ((requested: readonly string[]) => requested) };
  const deps = {
    client: options.oauth,
    consent: { decide: (asked: readonly string[]) => oauth.decide(asked) },
    codes,
    tokens,
    faults,
  };

  async function readFiles(settleMs: number): Promise<{ unsettled: boolean }> {
    if (source === undefined) return { unsettled: false };
    const result = await scanSource(database, slices, source, settleMs);
    for (const id of result.missing) changes.disappear(id, "missing");
    arrivals.pump();
    return result;
  }
  let lastScan: Promise<unknown> = Promise.resolve();
  function scan(settleMs: number): Promise<{ unsettled: boolean }> {
    const next = lastScan.then(() => readFiles(settleMs));
    lastScan = next.catch(() => undefined);
    return next;
  }

  let fileWatcher: FileWatcher | undefined;
  try {
    await scan(0);
    if (source !== undefined && messages.counts().messages === 0) {
      throw new StandInError("mailbox_empty", `There is no mail in ${source.path}.`);
    }
    if (source !== undefined) fileWatcher = watchFiles(source.path, source.kind !== "file", () => scan(150));
  } catch (error) {
    database.close();
    throw error;
  }
  const server = await serveLoopback(
    async (request) => {
      const answer = await route(request, callApi, deps, count);
      const place = placeOf(request);
      const slow = faults.take("slow", place);
      return {
        ...answer,
        ...(slow === undefined ? {} : { delayMs: slow.delayMs }),
        truncated: faults.take("truncated", place) !== undefined,
      };
    },
    options.port === undefined ? {} : { port: options.port },
  );
  if (meta.get("announced") !== history.current().toString()) notifier.changed();

  return {
    url: server.url,
    authUrl: `${server.url}/o/oauth2/v2/auth`,
    tokenUrl: `${server.url}/token`,
    revokeUrl: `${server.url}/revoke`,
    faults,
    requests: (method) =>
      method === undefined ? [...calls.values()].reduce((sum, n) => sum + n, 0) : (calls.get(method) ?? 0),
    pendingArrivals: messages.waitingCount,
    whenAllArrived: arrivals.whenAllArrived,
    deliver: (raw, labels = ["INBOX", "UNREAD"]) => {
      const bytes = Buffer.from(raw);
      const hash = createHash("sha256").update(bytes).digest("hex");
      const id = inTransaction(database, () => {
        const added = messages.add({ hash, head: bytes.subarray(0, 64 * 1024), sizeBytes: bytes.length, labels });
        database.prepare("INSERT INTO delivered VALUES (?, ?)").run(added, bytes);
        return added;
      });
      arrivals.pump();
      return id;
    },
    remove: (id) => changes.disappear(id, "removed"),
    changeLabels: (id, { add = [], remove = [] }) => {
      const message = findMessage(state, id);
      if (message !== undefined) changes.relabel(message, add, remove);
    },
    labelsOf: (id) => findMessage(state, id)?.labels,
    expireHistory: history.forgetUntilNow,
    revokeGrants: tokens.revokeAll,
    grant: (scopes) => {
      const refreshToken = tokens.grant(scopes);
      return { refreshToken, accessToken: tokens.issue(refreshToken, scopes) };
    },
    setConsent: (decide) => {
      oauth.decide = decide;
    },
    setLimits: quota.setLimits,
    rescan: async () => {
      await scan(0);
    },
    stats: () => ({
      ...messages.counts(),
      waiting: messages.waitingCount(),
      quotaUnits: quota.total(),
      requests: [...calls.values()].reduce((sum, n) => sum + n, 0),
      byMethod: Object.fromEntries(calls),
    }),
    close: async () => {
      fileWatcher?.close();
      await lastScan;
      arrivals.close();
      notifier.close();
      await server.close();
      database.close();
    },
  };
}

type RouteDeps = Parameters<typeof authorize>[1] & Parameters<typeof answerToken>[1];

async function route(
  request: HttpRequest,
  callApi: CallApi,
  deps: RouteDeps,
  count: (place: FaultPlace) => void,
): Promise<HttpAnswer> {
  const { pathname, searchParams } = request.url;
  const endpoint = `${request.method} ${pathname}`;
  if (endpoint === "GET /o/oauth2/v2/auth") return authorize(searchParams, deps);
  if (endpoint === "POST /revoke") return answerRevoke(request, deps);
  if (endpoint === "POST /token") {
    count("token");
    return answerToken(request, deps);
  }
  if (endpoint === "POST /batch/gmail/v1" || endpoint === "POST /batch") return answerBatch(request, callApi);
  const answer = await callApi({
    verb: request.method,
    path: pathname,
    query: searchParams,
    authorization: request.headers.authorization,
    body: request.body,
  });
  return answer.body === undefined
    ? { status: answer.status, headers: answer.headers }
    : json(answer.status, answer.body, answer.headers);
}

function placeOf(request: HttpRequest): FaultPlace {
  const path = request.url.pathname;
  if (path === "/token") return "token";
  if (path.startsWith("/batch")) return "batch";
  return findMethod(request.method, path)?.method.name ?? "other";
}
