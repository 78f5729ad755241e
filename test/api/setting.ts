import { createHash, randomBytes } from "node:crypto";
import type { ServerFrame } from "../../events/frames/frames.ts";
import { type DeviceId, deviceId, type ItemRef, itemRef, type ScoutId, scoutId } from "../../events/ids.ts";
import type { SyncMessage, TrialMessage } from "../../events/queues.ts";
import { createApi } from "../../functions/api/app.ts";
import type { ApiPorts } from "../../functions/api/ports.ts";
import { healthRoutes } from "../../functions/api/routes/health.ts";
import { uploadRoutes } from "../../functions/api/routes/uploads.ts";
import { serveRoutes } from "../../functions/api/serve.ts";
import type { Mailbox } from "../../infra/standins/mailbox/mailbox.ts";
import { uploadRate } from "../../shared/devices/payloads.ts";
import { ledgerKey } from "../../shared/keys.ts";
import { systemAfter } from "../../shared/ports/clock.ts";
import type { Log } from "../../shared/ports/log.ts";
import type { Outgoing, Queue } from "../../shared/ports/queue.ts";
import { parseKeyRing } from "../../shared/privacy/key-ring.ts";
import { userIdOf } from "../../shared/privacy/opaque.ts";
import { RingSealer } from "../../shared/privacy/ring-sealer.ts";
import { Idempotency } from "../../shared/requests/idempotency.ts";
import { RateLimit } from "../../shared/requests/rate-limit.ts";
import type { SourceConnector } from "../../shared/scouts/connectors/connector.ts";
import { FeedConnector } from "../../shared/scouts/connectors/feed/connector.ts";
import { GmailArchive } from "../../shared/scouts/connectors/gmail/archive.ts";
import { GmailClient } from "../../shared/scouts/connectors/gmail/client.ts";
import { GmailConnector } from "../../shared/scouts/connectors/gmail/connector.ts";
import { GmailCredentials } from "../../shared/scouts/connectors/gmail/credentials.ts";
import { revokeToken } from "../../shared/scouts/connectors/gmail/oauth.ts";
import { type ItemRow, parseItemRow } from "../../shared/scouts/items/item-row.ts";
import { ItemStore } from "../../shared/scouts/items/item-store.ts";
import { SpamStore } from "../../shared/scouts/items/spam-store.ts";
import { SourceQuota } from "../../shared/scouts/quota/source-quota.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { TrialStore } from "../../shared/scouts/trial/trial-store.ts";
import { MailboxStore } from "../../shared/scouts/watch/mailbox-store.ts";
import { newId } from "../memory/chance.ts";
import { MemoryObjects } from "../memory/objects.ts";
import { MemoryTable } from "../memory/table.ts";
import { oauthClient, openMailbox, topicName } from "../standins/mailbox-fixture.ts";
import { asOwner } from "../standins/owner.ts";

export const issuer = "https://issuer.example";
export const ada = userIdOf(issuer, "ada");
export const bob = userIdOf(issuer, "bob");
export const device: DeviceId = deviceId.parse("dev_01KE5Q8600ESE4NYY1EVXDNQEB");
const publicUrl = "https://api.example.com";

/** A queue that only remembers what it was given. */
export class SentQueue<M> implements Queue<M> {
  readonly sent: Outgoing<M>[] = [];

  async send(messages: readonly Outgoing<M>[]): Promise<void> {
    this.sent.push(...messages);
  }
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, `undefined` without a body. */
  readonly body: unknown;
  /** The error's code, if it is one of ours. */
  readonly code: string | undefined;
}

export interface Request {
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whose token; null for none. */
  readonly as?: string | null;
}

/** The API over tables in memory and a mailbox that speaks Gmail's protocol. */
export interface ApiSetting {
  readonly ports: ApiPorts;
  readonly ledger: MemoryTable;
  readonly sessions: MemoryTable;
  readonly mailbox: Mailbox;
  readonly sync: SentQueue<SyncMessage>;
  /** Items to be judged by a purpose that is tried. */
  readonly trials: SentQueue<TrialMessage>;
  readonly items: ItemStore;
  readonly connector: GmailConnector;
  /** What was sent to devices again. */
  readonly resent: ItemRow[];
  /** Frames for the person's devices. */
  readonly told: ServerFrame[];
  readonly logged: string[];
  nowMs: number;
  ask(method: string, path: string, request?: Request): Promise<Reply>;
  /** A scout, made by the API. */
  scout(name?: string, as?: string): Promise<ScoutId>;
  /** Goes through a consent with the mailbox, as a device would. */
  connect(scout: ScoutId, options?: { autoTrash?: boolean; sameAccount?: boolean; as?: string }): Promise<Reply>;
  row(scout: ScoutId, ref: ItemRef): ItemRow | undefined;
}

export async function apiSetting(overrides: Partial<ApiPorts> = {}): Promise<ApiSetting> {
  const mailbox = await openMailbox({ limits: { unitsPerUserMinute: 1e12, unitsPerProjectMinute: 1e12 } });
  const ledger = new MemoryTable({ recent: ["status"] });
  const sessions = new MemoryTable();
  const sync = new SentQueue<SyncMessage>();
  const trials = new SentQueue<TrialMessage>();
  const resent: ItemRow[] = [];
  const told: ServerFrame[] = [];
  const logged: string[] = [];
  const log: Log = {
    event: (code) => void logged.push(code),
    error: (code) => void logged.push(code),
  };
  const ring = parseKeyRing(JSON.stringify({ keys: [{ kid: "k1", key: Buffer.alloc(32, 7).toString("base64") }] }));
  const sealer = Promise.resolve(new RingSealer(ring));
  const vault = () => sealer;
  const time = { nowMs: Date.now() };
  const clock = () => time.nowMs;
  const { url, authUrl, tokenUrl, revokeUrl } = mailbox;
  const oauth = { ...oauthClient, authUrl, tokenUrl, revokeUrl };
  const credentials = new GmailCredentials(ledger, vault, oauth, clock, systemAfter);
  const client = new GmailClient(credentials, `${url}/`, clock);
  const connector = new GmailConnector(client, topicName, clock, new GmailArchive(client, credentials));
  const scouts = new ScoutStore(ledger);
  const mailboxes = new MailboxStore(ledger);
  const ticketKey = new Uint8Array(32).fill(2);
  const ports: ApiPorts = {
    ledger,
    sessions,
    scouts,
    mailboxes,
    spam: new SpamStore(ledger),
    vault,
    connectors: new Map<string, SourceConnector>([
      ["gmail", connector],
      ["feed", new FeedConnector({ scouts, vault, clock, reach: "any" })],
    ]),
    quota: new SourceQuota(ledger, clock, () => 0.5),
    notices: { toEveryDevice: async (_user, frames) => void told.push(...frames) },
    releases: new Map([["gmail", async (scout) => revokeToken(oauth, await credentials.refreshToken(scout))]]),
    sender: { sendAgain: async (rows) => void resent.push(...rows) },
    sync,
    trials: new TrialStore(sessions),
    trialQueue: trials,
    addressKey: new Uint8Array(32).fill(1),
    rate: new RateLimit(sessions, clock),
    idempotency: new Idempotency(sessions, ticketKey, clock),
    gmail: {
      ledger,
      scouts,
      vault,
      mailboxes,
      credentials,
      connector,
      sync,
      addressKey: new Uint8Array(32).fill(1),
      stateKey: ticketKey,
      sessions,
      oauth,
      redirectUri: `${publicUrl}/api/v1/scouts/gmail/callback`,
      clock,
      newId,
    },
    ticketKey,
    socketUrl: "wss://socket.example.com/socket",
    clock,
    newId,
    log,
    ...overrides,
  };
  const api = createApi({ ports: () => ports, publicUrl: () => publicUrl, connectors: () => ports.connectors, log });
  // As infra/api.ts routes them: these have functions of their own.
  const uploadPorts = { objects: new MemoryObjects(), uploads: new RateLimit(sessions, clock, uploadRate) };
  const uploads = serveRoutes(uploadRoutes, () => ({ ...ports, ...uploadPorts }), log);

  const health = serveRoutes(healthRoutes(), () => ({ always: [], deep: [], clock, log }), log);

  async function ask(method: string, path: string, request: Request = {}): Promise<Reply> {
    const { as = "ada", headers = {} } = request;
    const text = request.text ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
    const json = text === undefined ? {} : { "content-type": "application/json" };
    const authorizer = as === null ? {} : { authorizer: { jwt: { claims: { iss: issuer, sub: as } } } };
    const init = { method, headers: { ...json, ...headers }, ...(text === undefined ? {} : { body: text }) };
    const own = path.startsWith("/api/v1/uploads") ? uploads : path.startsWith("/health") ? health : undefined;
    const app = own ?? api;
    const answer = await app.request(`${publicUrl}${path}`, init, {
      event: { requestContext: authorizer },
      lambdaContext: { awsRequestId: "request-1" },
    });
    const content = await answer.text();
    const body: unknown = content === "" ? undefined : JSON.parse(content);
    return { status: answer.status, headers: answer.headers, body, code: codeOf(body) };
  }

  async function connect(
    scout: ScoutId,
    {
      autoTrash = false,
      sameAccount = false,
      as = "ada",
    }: { autoTrash?: boolean; sameAccount?: boolean; as?: string } = {},
  ): Promise<Reply> {
    const codeVerifier = randomBytes(48).toString("base64url");
    const codeChallenge = createHash("sha256").update(codeVerifier).digest("base64url");
    const path = `/api/v1/scouts/${scout}/gmail`;
    const request = { deviceId: device, codeChallenge, loopbackPort: 4000, autoTrash };
    const begun = await ask("POST", `${path}/connect`, { body: request, as });
    const consentUrl = fieldOf(begun.body, "consentUrl");
    const consented = await fetch(consentUrl, { headers: asOwner, redirect: "manual" });
    const back = new URL(consented.headers.get("location") ?? "");
    const [state, code] = [back.searchParams.get("state"), back.searchParams.get("code")];
    return ask("POST", `${path}/complete`, { body: { deviceId: device, state, code, codeVerifier, sameAccount }, as });
  }

  return {
    ports,
    ledger,
    sessions,
    mailbox,
    sync,
    trials,
    items: new ItemStore(ledger),
    connector,
    resent,
    told,
    logged,
    get nowMs() {
      return time.nowMs;
    },
    set nowMs(value) {
      time.nowMs = value;
    },
    ask,
    connect,
    async scout(name = "Inbox", as = "ada") {
      const body = { sourceType: "gmail", name, purpose: "What people want from me" };
      return scoutId.parse(fieldOf((await ask("POST", "/api/v1/scouts", { body, as })).body, "id"));
    },
    row(scout, ref) {
      const item = ledger.peek(ledgerKey.item(ada, scout, ref));
      return item && parseItemRow(item);
    },
  };
}

/** A text field of an answer. */
export function fieldOf(body: unknown, name: string): string {
  const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
  if (typeof value === "string") return value;
  throw new TypeError(`The answer has no "${name}": ${JSON.stringify(body)}`);
}

function codeOf(body: unknown): string | undefined {
  const error: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "error") : undefined;
  const code: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" ? code : undefined;
}

export const ref = (text: string): ItemRef => itemRef.parse(text);
