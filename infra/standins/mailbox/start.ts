import { createHash, randomBytes } from "node:crypto";
import { type LoopbackServer, serveLoopback } from "../loopback-server.ts";
import { StandInError } from "../stand-in-error.ts";
import { inTransaction } from "../transaction.ts";
import { createDispatch } from "./api/dispatch.ts";
import { findMessage, type MailboxState } from "./api/method.ts";
import { createArrivals } from "./arrivals.ts";
import { createChanges } from "./changes.ts";
import { createFaults, type FaultPlace } from "./faults.ts";
import { watchFiles } from "./file-watcher.ts";
import { innerMaildirs } from "./formats/inner-maildirs.ts";
import { unreadableMailbox } from "./formats/refusals.ts";
import { detectSource, requireForm } from "./formats/source.ts";
import { createMailboxHandler } from "./handler.ts";
import type { Mailbox, MailboxOptions } from "./mailbox.ts";
import { createNotifier } from "./notifier.ts";
import { openAccessTokens } from "./oauth/access-tokens.ts";
import { openCodes } from "./oauth/codes.ts";
import { createQuota, defaultLimits } from "./quota.ts";
import { type Patience, type ScanResult, scanSource } from "./scan.ts";
import { contentReader } from "./store/content.ts";
import { openMailboxDatabase } from "./store/database.ts";
import { openHistory } from "./store/history.ts";
import { openMessages } from "./store/messages.ts";
import { openMeta } from "./store/meta.ts";
import { openSelection } from "./store/selection.ts";
import { openSlices } from "./store/slices.ts";
import { tellInner, tellUnread } from "./tell-unread.ts";
import { openWatch } from "./watch.ts";

const atOnce: Patience = { message: 0, mbox: 0, unfinished: 0, locked: 0 };
/**
 * A file changed less than a moment ago may still be being written. What looks unfinished is given longer; a lock counts for as
 * long as Dovecot has it count (`mbox_dotlock_change_timeout`).
 */
const whenSettled: Patience = { message: 150, mbox: 150, unfinished: 30_000, locked: 120_000 };
/** What messages of an mbox are known by: 2 leaves out what mail programs note in them. */
const identityVersion = "2";

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
  // Known by it before a mail program changes its notes, not after.
  if (meta.get("identity") !== identityVersion) {
    inTransaction(database, () => {
      slices.distrustMboxes();
      meta.set("identity", identityVersion);
    });
  }
  const selection = openSelection(database, options.lookAt ?? {});
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
    options.after,
  );
  const changes = createChanges(database, messages, history, clock, notifier.changed);
  const arrivals = createArrivals(watch.everStarted, changes.arrive, messages.waitingCount);
  const readContent = contentReader(database);
  let unreadable = false;
  const state: MailboxState = {
    address: options.address,
    messages,
    history,
    changes,
    watch,
    readContent: async (id) => {
      const content = await readContent(id);
      if (typeof content === "object") return content;
      // Mail readers move and rewrite files at any time: look again before anything is called gone. Bytes that are not
      // what they were mean that a file is another one, whatever its size and time say.
      if (content === "changed") slices.distrust(id);
      const { unsettled, isAway } = await scan({ ...whenSettled, message: 0 });
      const again = await readContent(id);
      return again === "missing" && (unsettled || isAway) ? "changed" : again;
    },
    faults,
    clock,
    isAway: () => unreadable,
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

  let unread: readonly string[] = [];
  async function readFiles(patience: Patience): Promise<Pick<ScanResult, "unsettled" | "isAway">> {
    if (source === undefined) return { unsettled: false, isAway: false };
    const result = await scanSource(database, slices, source, patience).catch((error: unknown) => {
      unreadable = true;
      throw error instanceof Error && "syscall" in error ? unreadableMailbox(source.path, error) : error;
    });
    unreadable = false;
    tellUnread(result.unread.filter((path) => !unread.includes(path)));
    unread = result.unread;
    for (const id of result.missing) changes.disappear(id, "missing");
    if (result.changed) choose();
    return result;
  }
  function choose(): void {
    for (const id of selection.choose()) changes.callIn(id);
    arrivals.pump();
  }
  let lastScan: Promise<unknown> = Promise.resolve();
  function scan(patience: Patience): ReturnType<typeof readFiles> {
    const next = lastScan.then(() => readFiles(patience));
    lastScan = next.catch(() => undefined);
    return next;
  }

  function endWork(): void {
    arrivals.close();
    notifier.close();
    database.close();
  }
  let server: LoopbackServer;
  try {
    await scan(atOnce);
    choose();
    const inner = source === undefined ? [] : await innerMaildirs(source);
    // One that was taken before may have become empty.
    if (source !== undefined && messages.counts().messages === 0 && meta.get("taken") !== "yes")
      requireForm(source, inner);
    if (source !== undefined) tellInner(source.path, inner);
    meta.set("taken", "yes");
    server = await serveLoopback(
      createMailboxHandler({ callApi, oauth: deps, faults, count }),
      options.port === undefined ? {} : { port: options.port },
    );
  } catch (error) {
    endWork();
    throw error;
  }
  const fileWatcher =
    source === undefined ? undefined : watchFiles(source, () => scan(whenSettled), options.onReadable);
  const isAnnounced = () => meta.get("announced") === history.current().toString();
  if (!isAnnounced()) notifier.changed();

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
        selection.admit(added, labels);
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
      await scan(atOnce);
    },
    isReadable: () => !unreadable,
    unread: () => unread,
    requireReadable: async () => {
      // As it is now: a file that is left for later because it is fresh would count as readable.
      if (unreadable) await scan(atOnce);
    },
    unknownLabels: selection.unknownLabels,
    lastArrival: history.lastArrival,
    stats: () => ({
      ...messages.counts(),
      ...selection.counts(),
      waiting: messages.waitingCount(),
      isAnnounced: isAnnounced(),
      quotaUnits: quota.total(),
      requests: [...calls.values()].reduce((sum, n) => sum + n, 0),
      byMethod: Object.fromEntries(calls),
    }),
    close: async () => {
      fileWatcher?.close();
      await server.close();
      await lastScan;
      endWork();
    },
  };
}
