import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { nobody } from "../access/policy/approver.ts";
import { type ApproverAtClient, waitingApprover } from "../activity/waiting-approver.ts";
import type { FetchPage } from "../attachments/handlers/attach-page.ts";
import type { CloudApi } from "../connect/cloud-api.ts";
import type { Clock } from "../connection/clock.ts";
import type { Device } from "../connection/device.ts";
import { systemPorts } from "../connection/ports.ts";
import { mailTroubleOf } from "../doctor/mail-trouble.ts";
import { DeviceError } from "../errors.ts";
import type { Rescans } from "../folders/indexer/rescans.ts";
import { DiskLooks } from "../projects/disk-looks.ts";
import { OpenedFolders } from "../projects/opened-folders.ts";
import { keptKey } from "../store/kept-key.ts";
import type { DeviceStore } from "../store/open.ts";
import { systemZone } from "../work/dates/zone.ts";
import type { Variables } from "../workspace/workspace.ts";
import { activityUseCases } from "./activity/use-cases.ts";
import { type WatchedActivity, watchActivity } from "./activity/watch-activity.ts";
import { type AskUseCases, askUseCases } from "./ask/use-cases.ts";
import { briefUseCases } from "./brief/use-cases.ts";
import { Drafts } from "./edits/drafts.ts";
import { editUseCases } from "./edits/use-cases.ts";
import {
  type ConsoleEnvironment,
  ownRequestsOnly,
  saidOnce,
  smallRequestsOnly,
  withSafeHeaders,
} from "./entrance/doors.ts";
import { removeLaunches, takeLaunch } from "./entrance/launch-codes.ts";
import { TabTokens } from "./entrance/tab-tokens.ts";
import { failureBody, failureOf } from "./failure.ts";
import { inboxUseCases } from "./inbox/use-cases.ts";
import { EventLog } from "./news/event-log.ts";
import { followEvents } from "./news/follow-events.ts";
import { gatherNews } from "./news/news.ts";
import { pageFiles } from "./page-files.ts";
import { announceConsole, claimConsole, consoleFolder } from "./presence.ts";
import { fileUseCases } from "./projects/file-use-cases.ts";
import { projectUseCases } from "./projects/use-cases.ts";
import { consoleRoutes } from "./routes.ts";
import { searchUseCase } from "./search/use-case.ts";
import { type Program, settingsUseCases } from "./settings/use-cases.ts";
import { Consents } from "./sources/consents.ts";
import { sourceUseCases } from "./sources/use-cases.ts";
import { toldCode } from "./told.ts";
import { usageUseCases } from "./usage/use-cases.ts";
import { consoleUseCases } from "./use-cases.ts";
import { HttpCallers } from "./v1/callers.ts";
import { fileRoutes } from "./v1/routes.ts";
import { fileCalls } from "./v1/use-cases.ts";
import { workUseCases } from "./work/use-cases.ts";

export interface ConsoleOptions {
  readonly device: Device;
  readonly store: DeviceStore;
  readonly api: CloudApi;
  readonly clock: Clock;
  readonly program: Program;
  /** Scans of folders, in the background of the same program. */
  readonly rescans: Pick<Rescans, "rescanInBackground" | "onScan" | "onProgress" | "scanOf" | "cancel">;
  /** Reads a page somebody attaches to a question. */
  readonly fetchPage: FetchPage;
  /** Hears of what nobody expected; a tab is told only that it happened. */
  readonly onProblem: (error: unknown) => void;
  /** The person's own environment, for tools they offer to agents; without it a question has none. */
  readonly variables?: Variables | undefined;
  /** Settles when the mail that lay there when the program began has been read; without it there is none to wait for. */
  readonly mailRead?: Promise<unknown> | undefined;
}

export interface ServedConsole {
  /** `http://127.0.0.1:…`; who opens it needs a launch as well. */
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * Serves the device's page on this machine, at a port of its own choice.
 *
 * @returns undefined when another process serves the console of this data folder already
 */
export async function serveConsole(options: ConsoleOptions): Promise<ServedConsole | undefined> {
  const release = claimConsole(options.store.dataFolder);
  if (release === undefined) return undefined;
  try {
    return await serveClaimed(options, release);
  } catch (error) {
    release();
    throw error;
  }
}

async function serveClaimed(options: ConsoleOptions, release: () => void): Promise<ServedConsole> {
  const { store, clock, onProblem } = options;
  const log = new EventLog(randomBytes(6).toString("hex"));
  const consents = new Consents(store.dataFolder, () => store.identity.get().deviceId);
  const folders = new OpenedFolders({ store, clock, answersKey: keptKey(consoleFolder(store.dataFolder), "answers") });
  const watched = watchActivity({ store, clock, log, onProblem });
  const asking = askUseCases({ ...options, ports: systemPorts, log, folders });
  const isReading = untilRead(options.mailRead, log);
  const app = consoleApp(options, { log, consents, folders, asking, watched, isReading });
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new DeviceError("internal");
  const origin = `http://127.0.0.1:${address.port}`;
  const stopNews = gatherNews({ ...options, zone: options.program.zone }, log);
  const retract = announceConsole(store.dataFolder, origin);
  let isOpen = true;
  return {
    origin,
    async close() {
      if (!isOpen) return;
      isOpen = false;
      leftIfNot(retract);
      stopNews();
      consents.close();
      leftIfNot(() => removeLaunches(consoleFolder(store.dataFolder), ({ endsAtMs }) => endsAtMs <= clock.now()));
      const closed = new Promise((resolve) => server.close(resolve));
      if ("closeAllConnections" in server) server.closeAllConnections();
      await closed;
      await asking.close();
      await folders.close();
      watched.close();
      release();
    },
  };
}

/** What a disk that was removed, or can only be read, keeps of a console is what one leaves that was killed: its lock tells. */
function leftIfNot(remove: () => void): void {
  try {
    remove();
  } catch {
    // A program that ends has nothing to do about it; whatever else it wanted to write has told its person of the disk.
  }
}

/** @returns whether mail is still being read; that it no longer is, is news */
function untilRead(mailRead: Promise<unknown> | undefined, log: EventLog): () => boolean {
  let isReading = mailRead !== undefined;
  const over = () => {
    isReading = false;
    log.add({ type: "read" });
  };
  void mailRead?.then(over, over);
  return () => isReading;
}

/** What lives as long as the console does. */
interface AppParts {
  readonly log: EventLog;
  readonly consents: Consents;
  readonly folders: OpenedFolders;
  readonly asking: AskUseCases;
  readonly watched: WatchedActivity;
  readonly isReading: () => boolean;
}

/** A program that asks over HTTP has nobody in front of it. */
const nobodyAtClient: ApproverAtClient = { ...nobody, canAsk: () => false };

/** Many of them at once are a person's own; who waits for a list of five hundred scouts waits a moment longer. */
const patienceMs = 20_000;

function consoleApp(options: ConsoleOptions, { log, consents, folders, asking, watched, isReading }: AppParts) {
  const { device, store, clock, rescans, program, onProblem } = options;
  const api = { ...options.api, patienceMs };
  const now = () => clock.now();
  const { zone } = program;
  const folder = consoleFolder(store.dataFolder);
  const looks = new DiskLooks(store, now);
  const tabs = new TabTokens(now);
  const routes = consoleRoutes({
    useCases: consoleUseCases({ device, store, api, clock, log, zone }),
    inbox: inboxUseCases({ device, store, api, log, now, zone, newId: program.newId }),
    brief: briefUseCases({ api, store, mail: () => mailTroubleOf(store.dataFolder), now, zone }),
    sources: sourceUseCases({ api, store, log, newId: program.newId, consents, rescans }),
    settings: settingsUseCases({ api, store, device, log, now, consents, program }),
    search: searchUseCase(store, now),
    projects: projectUseCases({ api, store, clock, zone, log, looks, rescans }),
    files: fileUseCases({ store, folders, log, looks }),
    edits: editUseCases({ folders, log, drafts: new Drafts(folder) }),
    usage: usageUseCases({ api, store, now, newId: program.newId }),
    work: workUseCases({ store, now, zone: systemZone }),
    asking,
    activity: activityUseCases({ store, folders, log, ...watched }),
    tokens: tabs,
    takeCode: (code) => takeLaunch(folder, code, clock.now()),
    follow: (after, signal) =>
      followEvents({ log, clock, isOnline: () => device.state === "ready", isReading }, after, signal),
  });
  const use = fileCalls({
    ...{ store, folders, clock },
    callers: new HttpCallers({ dataFolder: store.dataFolder, tabs, now }),
    // Questions of programs wait where the person is: at this console, or at a terminal.
    approverAt: (root) =>
      waitingApprover({
        approvals: watched.activity.approvals,
        root,
        client: nobodyAtClient,
        isServed: () => true,
        clock,
      }),
  });
  const app = new Hono<ConsoleEnvironment>();
  app.onError((error, c) => {
    const { status, body } = failureOf(error);
    if (status === 500) onProblem(error);
    return c.json(body, status);
  });
  return app
    .use(withSafeHeaders, ownRequestsOnly, smallRequestsOnly)
    .use("/api/*", saidOnce)
    .use("/v1/*", saidOnce)
    .route("/api", routes)
    .route("/v1", fileRoutes({ use, onProblem }))
    .all("/api/*", (c) => c.json(failureBody(toldCode("not_found")), 404))
    .get("/*", pageFiles());
}
