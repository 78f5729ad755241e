import { join } from "node:path";
import { ToldOnce } from "../standins/told-once.ts";
import { cloudFolderOf } from "./cloud-folder.ts";
import { type Principal, Principals } from "./engines/access.ts";
import { startFauxqsEngine } from "./engines/fauxqs.ts";
import { type KeyServiceAddress, startKmsFront } from "./engines/kms-front.ts";
import { startLambdaFront } from "./engines/lambda-front.ts";
import type { Depth } from "./engines/local-queue.ts";
import { guardMessaging } from "./engines/messaging/messaging-front.ts";
import { Meter, type RequestCounts } from "./engines/meter.ts";
import { provisionBuckets, provisionQueues } from "./engines/queues.ts";
import { RequestAuthorizer } from "./engines/request-authorizer.ts";
import { startTables } from "./engines/tables.ts";
import { LocalHomeError } from "./errors.ts";
import { FaultInjector, type FaultOptions } from "./faults.ts";
import { type Clock, systemClock } from "./gateway/connections.ts";
import { serveGateway } from "./gateway/serve.ts";
import { listen } from "./gateway/server.ts";
import { evaluate, type Graph } from "./graph.ts";
import type { ServiceEndpoints } from "./host/environment.ts";
import type { Outcome } from "./host/execution.ts";
import { functionCode } from "./host/function-code.ts";
import type { LogListener } from "./host/log.ts";
import { createPools, poolOf, settled, warm } from "./host/pools.ts";
import { IdleWatch } from "./idle.ts";
import { lockData } from "./lock.ts";
import { GivingWay } from "./pollers/giving-way.ts";
import { QueuePoller } from "./pollers/queue-poller.ts";
import { type QueueTrouble, queueTrouble } from "./pollers/queue-trouble.ts";
import { noteLasting } from "./seal.ts";
import { Teardown } from "./teardown.ts";
import { Timers } from "./timers.ts";

export interface HomeOptions {
  /** Folder of everything that lasts; the engines' files and the logs go to `cloud/` in it. */
  dataDir: string;
  /** Port of the HTTP and WebSocket gateway; 0 takes any free one. */
  port?: number;
  /** Deploy-time environment, all that `infra/settings.ts` sees. */
  deploy: Record<string, string>;
  /** Values of the graph's secrets, by name. */
  secrets: Record<string, string>;
  /** Services that are not part of the home. */
  endpoints: { kms: KeyServiceAddress };
  /** Where issuers are asked that are not to be found at their names. */
  issuers?: Readonly<Record<string, string>>;
  hostile?: FaultOptions;
  onLog?: LogListener;
  /** Another configuration than this repository's `sst.config.ts`; handlers are relative to its folder. */
  configFile?: string;
  /** Executions of a function side by side (default 2). */
  poolSize?: (functionName: string) => number;
  /** Back-off before failed messages come back, by receive count, in milliseconds. */
  backOffMs?: (receiveCount: number) => number;
  /** How long a message that is sent with a delay really waits, in milliseconds; as long as asked unless told. */
  delayMs?: (askedMs: number) => number;
  /** Functions whose code is loaded at once, before the first event; by name, in the order they will be needed. */
  warm?: readonly string[];
  /** Whether crons run by the clock (default); `runCron` works either way. */
  timers?: boolean;
  clock?: Clock;
}

/** How the operator reaches the stores with the ordinary AWS clients. */
export interface OperatorAccess {
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  endpoints: ServiceEndpoints;
}

export interface Home {
  apiUrl: string;
  socketUrl: string;
  graph: Graph;
  operator: OperatorAccess;
  /** What AWS would have billed so far in this run. */
  requests(): RequestCounts;
  /** Messages per queue, by logical name. */
  depths(): Record<string, Depth>;
  /** What keeps the queues from being written, for as long as it does: nothing new is judged meanwhile. */
  queueTrouble(): QueueTrouble | undefined;
  /** Resolves once no subscribed queue holds a message and no function runs. */
  whenIdle(signal?: AbortSignal): Promise<void>;
  /** Runs a cron's function once, now. */
  runCron(name: string): Promise<Outcome>;
  /** Invokes a function with an event, as a test or an operator may. */
  invoke(functionName: string, event: unknown): Promise<Outcome>;
  /** Kills the executions of a function, as a fault of the platform would. */
  killFunction(name: string): Promise<void>;
  /** Takes no new work, waits for what runs (bounded), closes everything. */
  stop(): Promise<void>;
}

/** Longest that `stop` waits for invocations under way. */
const stopLimitMs = 10_000;

const defaultPort = 7411;
const defaultPoolSize = 2;

/**
 * Builds what `sst.config.ts` describes on this machine and runs it.
 *
 * @throws LocalHomeError `EADDRINUSE`, `data_in_use`, `data_unusable` or `config_invalid`; nothing is left open then
 */
export async function startHome(options: HomeOptions): Promise<Home> {
  const teardown = new Teardown();
  try {
    return await build(options, teardown);
  } catch (error) {
    await teardown.run();
    throw error;
  }
}

async function build(options: HomeOptions, teardown: Teardown): Promise<Home> {
  const cloud = cloudFolderOf(options.dataDir);
  teardown.add(lockData(cloud, "scouts up"));
  const faults = options.hostile && new FaultInjector(options.hostile);
  const meter = new Meter();
  const principals = new Principals();
  const operator = principals.create("operator", "everything");
  const door = new RequestAuthorizer(principals, meter, faults);

  const gateway = await listen(options.port ?? defaultPort);
  teardown.add(() => gateway.close());
  const engine = await startFauxqsEngine(cloud, (app, objects, together) =>
    guardMessaging(app, objects, together, { door, principals }),
  );
  teardown.add(() => engine.close());
  const messaging = `http://127.0.0.1:${engine.port}`;
  const apiUrl = `http://127.0.0.1:${gateway.port}`;
  const socketUrl = `ws://127.0.0.1:${gateway.port}/socket`;

  const { configFile } = options;
  const graph = await evaluate({
    environment: options.deploy,
    ...(configFile === undefined ? {} : { configFile }),
    addresses: { sqs: messaging, http: apiUrl, socket: socketUrl, management: `${apiUrl}/socket` },
  });
  const { delayMs } = options;
  const queues = await provisionQueues(engine, graph, { faults, ...(delayMs && { delayMs }) });
  teardown.add(() => {
    for (const queue of queues.values()) queue.close();
  });
  provisionBuckets(engine, graph);
  const tables = await startTables(join(cloud, "dynamodb"), graph, door);
  teardown.add(() => tables.close());
  const kms = await startKmsFront(options.endpoints.kms, graph, door);
  teardown.add(() => kms.close());
  const calls = await startLambdaFront(door);
  teardown.add(() => calls.close());
  noteLasting(cloud);
  const endpoints = {
    sqs: messaging,
    s3: messaging,
    dynamodb: tables.endpoint,
    kms: kms.endpoint,
    lambda: calls.endpoint,
  };

  const pools = createPools({
    graph,
    code: functionCode(configFile),
    logFolder: join(cloud, "logs"),
    secrets: options.secrets,
    endpoints,
    principals,
    size: options.poolSize ?? (() => defaultPoolSize),
    crashPoint: () => faults?.crashPoint(),
    onLog: options.onLog,
  });
  teardown.add(() => Promise.all([...pools.values()].map((pool) => pool.close())));
  calls.serve(pools);

  const sources = [...queues.values()].filter((queue) => queue.node.subscriber);
  const idle = new IdleWatch(
    () =>
      [...pools.values()].every((pool) => pool.running === 0) &&
      sources.every((queue) => {
        const { visible, inFlight, delayed } = queue.depth();
        return visible + inFlight + delayed === 0;
      }),
  );
  for (const pool of pools.values()) pool.onDone(() => idle.poke());
  for (const queue of sources) queue.onChange(() => idle.poke());

  const clock = options.clock ?? systemClock;
  const sockets = serveGateway(gateway, {
    graph,
    pools,
    meter,
    door,
    clock,
    faults,
    issuers: options.issuers ?? {},
  });
  const givingWay = new GivingWay();
  const told = new ToldOnce("the queues cannot be written, and work waits until they can");
  const pollers = sources.flatMap((queue) => {
    const { subscriber } = queue.node;
    const pool = subscriber && pools.get(subscriber.function);
    if (!subscriber || !pool) return [];
    const { backOffMs } = options;
    return new QueuePoller({
      ...{ queue, subscriber, pool, meter, givingWay, faults, told },
      ...(backOffMs ? { backOffMs } : {}),
    });
  });
  const toWarm = (options.warm ?? []).map((name) => poolOf(pools, name));
  void warm(toWarm);
  const timers = new Timers(graph.crons, pools, clock);
  if (options.timers ?? true) timers.start();
  teardown.add(async () => {
    timers.stop();
    for (const poller of pollers) poller.pause();
    gateway.serve(undefined);
    await sockets.close();
    await settled(pools, stopLimitMs);
  });

  let stopping: Promise<void> | undefined;
  return {
    apiUrl,
    socketUrl,
    graph,
    operator: operatorAccess(graph, operator, endpoints),
    requests: () => meter.counts(),
    depths: () => Object.fromEntries([...queues].map(([name, queue]) => [name, queue.depth()])),
    queueTrouble: () => queueTrouble(told.failure),
    whenIdle: (signal) => idle.wait(signal),
    async runCron(name) {
      const run = timers.run(name);
      if (!run) throw new LocalHomeError("unknown_name", `There is no cron "${name}".`);
      return run;
    },
    invoke: async (name, event) => poolOf(pools, name).invoke(event),
    killFunction: async (name) => poolOf(pools, name).kill(),
    stop() {
      stopping ??= teardown.run();
      return stopping;
    },
  };
}

const operatorAccess = (graph: Graph, operator: Principal, endpoints: ServiceEndpoints): OperatorAccess => ({
  region: graph.app.region,
  credentials: { accessKeyId: operator.accessKeyId, secretAccessKey: operator.secretAccessKey },
  endpoints,
});
