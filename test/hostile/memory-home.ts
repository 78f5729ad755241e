import type { APIGatewayProxyEventV2, Context, SQSEvent } from "aws-lambda";
import { vi } from "vitest";
import type { ServerFrame } from "../../events/frames/frames.ts";
import { scoutId, userId } from "../../events/ids.ts";
import type { AgentMessage, SummarizeMessage, SyncMessage, TriageMessage } from "../../events/queues.ts";
import type { Item } from "../../shared/ports/table.ts";
import { keyRingOf } from "../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../shared/privacy/ring-sealer.ts";
import { SentQueue } from "../api/setting.ts";
import { MemoryObjects } from "../memory/objects.ts";
import { MemoryTable } from "../memory/table.ts";

/** What functions are composed of, in memory. */
export interface MemoryHome {
  readonly ledger: MemoryTable;
  readonly sessions: MemoryTable;
  readonly sync: SentQueue<SyncMessage>;
  readonly triage: SentQueue<TriageMessage>;
  readonly summarize: SentQueue<SummarizeMessage>;
  readonly agent: SentQueue<AgentMessage>;
  readonly posted: { readonly to: string; readonly frame: ServerFrame }[];
  readonly logged: string[];
  /** Everything kept or sent, to be compared. */
  state(): unknown;
}

export const someone = userId.parse(`usr_${"0".repeat(26)}`);
export const someScout = scoutId.parse("sct_01HZZZZZZZZZZZZZZZZZZZZZZZ");
export const secretBytes = new Uint8Array(32).fill(7);
export const pushSettings = {
  audience: "scouts-gmail-webhook",
  serviceAccount: "push@p.iam.gserviceaccount.com",
  subscription: "projects/myproject/subscriptions/mysubscription",
};

/** Puts memory in the place of AWS for every function that is imported from now on. */
export function composeInMemory(settings: Readonly<Record<string, string>> = {}): MemoryHome {
  const [ledger, sessions] = [new MemoryTable({ recent: ["status"] }), new MemoryTable()];
  const [sync, triage] = [new SentQueue<SyncMessage>(), new SentQueue<TriageMessage>()];
  const [summarize, agent] = [new SentQueue<SummarizeMessage>(), new SentQueue<AgentMessage>()];
  const posted: { to: string; frame: ServerFrame }[] = [];
  const logged: string[] = [];
  const ring = keyRingOf({ keys: [{ kid: "k", key: Buffer.from(secretBytes).toString("base64") }] });
  const sealer = Promise.resolve(new RingSealer(ring));
  const never = { complete: () => Promise.reject(new Error("no model here")) };
  const compose = "../../functions/compose";
  vi.doMock(`${compose}/tables.ts`, () => ({ ledger: () => ledger, sessions: () => sessions }));
  vi.doMock(`${compose}/queues.ts`, () => ({
    syncQueue: () => sync,
    triageQueue: () => triage,
    summarizeQueue: () => summarize,
    agentQueue: () => agent,
  }));
  vi.doMock(`${compose}/work/source-queues.ts`, () => ({ syncQueues: () => sync, triageQueues: () => triage }));
  vi.doMock(`${compose}/secret-key.ts`, () => ({ secretKey: () => secretBytes }));
  vi.doMock(`${compose}/keys.ts`, () => ({ vaultSealer: () => sealer, sessionSealer: () => sealer }));
  vi.doMock(`${compose}/connectors.ts`, () => ({
    connectors: () => new Map(),
    gmail: () => never,
    gmailCredentials: () => never,
  }));
  vi.doMock(`${compose}/objects.ts`, () => ({ transit: () => new MemoryObjects() }));
  vi.doMock(`${compose}/model.ts`, () => ({ model: () => never }));
  vi.doMock(`${compose}/tool-model.ts`, () => ({ toolModel: () => never }));
  vi.doMock(`${compose}/sockets.ts`, () => ({
    sockets: () => ({
      post: async (to: string, frame: ServerFrame) => {
        posted.push({ to, frame });
        return "sent";
      },
      close: async () => {},
    }),
  }));
  vi.doMock("../../functions/log.ts", () => ({
    log: { event: (code: string) => void logged.push(code), error: (code: string) => void logged.push(code) },
  }));
  Object.assign(process.env, {
    CATEGORIZE: "on",
    LANGFUSE_URL: "off",
    // What the breaker's probe would be made of: no model is asked here.
    OPENAI_BASE_URL: "https://model.example/v1",
    OPENAI_MODEL: "model-1",
    OPENAI_PRICES: "1/1",
    PUBLIC_URL: "https://api.example.com",
    PUSH_AUDIENCE: pushSettings.audience,
    PUSH_SERVICE_ACCOUNT: pushSettings.serviceAccount,
    PUSH_SUBSCRIPTION: pushSettings.subscription,
    TRIAGE_CASCADE: "off",
    SST_RESOURCE_App: JSON.stringify({ name: "scouts", stage: "test" }),
    SST_RESOURCE_DeviceSocket: JSON.stringify({
      url: "wss://socket.example.com",
      managementEndpoint: "https://x.example",
    }),
    SST_RESOURCE_ModelApiKey: JSON.stringify({ value: "key" }),
    SST_RESOURCE_GoogleClientSecret: JSON.stringify({ value: "secret" }),
    GOOGLE_CLIENT_ID: "client",
    GOOGLE_AUTH_URL: "https://auth.example",
    GOOGLE_TOKEN_URL: "https://token.example",
    GOOGLE_REVOKE_URL: "https://revoke.example",
    ...settings,
  });
  const dump = (table: MemoryTable): readonly Item[] => table.dump();
  const state = () => ({
    ledger: dump(ledger),
    sessions: dump(sessions),
    sent: [sync, triage, summarize, agent].map((queue) => queue.sent.length),
    posted: posted.length,
  });
  return { ledger, sessions, sync, triage, summarize, agent, posted, logged, state };
}

/** What the runtime says besides the event. */
export const lambdaContext = { awsRequestId: "request-1", getRemainingTimeInMillis: () => 60_000 } as Context;

/** Events as a test writes them, and as they come out of files: what is in them is the handler's to find out. */
export const asHttpEvent = (event: unknown) => event as APIGatewayProxyEventV2;
export const asSqsEvent = (event: unknown) => event as SQSEvent;
