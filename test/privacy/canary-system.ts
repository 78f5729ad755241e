import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type LocalSystem, type SystemOptions, startSystem } from "../../cli/up/system.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { ownFolder } from "../e2e/folders.ts";
import { Canaries } from "./scan/canary.ts";
import { filesAtRest } from "./scan/cloud-files.ts";
import { storesAtRest } from "./scan/cloud-stores.ts";
import { type Finding, Scanner } from "./scan/scanner.ts";

/** The whole product on a data folder of its own, with the canaries of everything that must not be at rest in its cloud. */
export interface CanarySystem {
  readonly system: LocalSystem;
  readonly canaries: Canaries;
  readonly cloudFolder: string;
  readonly dataFolder: string;
  /** What an operator can see now; once all is quiet. */
  lookIntoStores(): Promise<Finding[]>;
  /** Every file of the cloud as it lies there now. */
  lookIntoFiles(): Finding[];
  /**
   * Reads every file of the cloud, stops the system, so that everything is written, and reads them again. Engines write
   * into logs first: those still have what is gone where it belongs, such as a message that was taken off its queue, and
   * are rewritten by the end.
   */
  stopAndLookIntoFiles(): Promise<Finding[]>;
  /**
   * Has the worker for mail servers loaded: whoever adds one waits as long as a function may, which its loading takes alone on a
   * busy machine.
   */
  loadImapWorker(): Promise<void>;
  /** Runs every cron, one after the other. */
  runCrons(): Promise<void>;
  remove(): Promise<void>;
}

export async function startCanarySystem(
  fill: (mailFolder: string, canaries: Canaries) => void,
  options: Partial<Pick<SystemOptions, "environment" | "home">> = {},
): Promise<CanarySystem> {
  const folder = ownFolder();
  const dataFolder = join(folder.path, "data");
  const mailFolder = join(folder.path, "mail");
  mkdirSync(mailFolder);
  const canaries = new Canaries();
  fill(mailFolder, canaries);
  const system = await startSystem({
    ...systemTimeAndIds,
    dataFolder,
    mailboxPath: mailFolder,
    environment: {},
    signal: new AbortController().signal,
    ...options,
  });
  const cloudFolder = join(dataFolder, "cloud");
  watchSecrets(system, dataFolder, canaries);
  const lookIntoFiles = () => new Scanner(canaries.all).scanAll(filesAtRest(cloudFolder));
  return {
    system,
    canaries,
    cloudFolder,
    dataFolder,
    async lookIntoStores() {
      return new Scanner(canaries.all).scanAll(await storesAtRest(system.home));
    },
    lookIntoFiles,
    async stopAndLookIntoFiles() {
      watchTokens(dataFolder, canaries);
      const before = lookIntoFiles();
      await system.stop();
      watchTokens(dataFolder, canaries);
      return [...before, ...lookIntoFiles()];
    },
    async loadImapWorker() {
      await system.home.invoke("ImapSubscriber", { Records: [] });
    },
    async runCrons() {
      for (const cron of Object.keys(system.home.graph.crons)) await system.home.runCron(cron);
    },
    async remove() {
      await system.stop();
      folder.remove();
    },
  };
}

/** Secrets of the deployment that only functions may hold, in memory, and whose mailbox it is. */
function watchSecrets({ world }: LocalSystem, dataFolder: string, canaries: Canaries): void {
  for (const name of ["AddressKey", "TicketKey", "GoogleClientSecret"]) {
    canaries.watch(name, world.secrets[name] ?? "");
  }
  canaries.watch("address of the mailbox", "you@example.com");
  watchTokens(dataFolder, canaries);
}

/** Every code and token the mailbox has given out. */
function watchTokens(dataFolder: string, canaries: Canaries): void {
  const database = new DatabaseSync(join(dataFolder, "world", "mailbox", "mailbox.sqlite"), { readOnly: true });
  try {
    const given = [
      ["refresh token", "SELECT refresh_token AS secret FROM grants"],
      ["access token", "SELECT token AS secret FROM access_tokens"],
      ["authorization code", "SELECT code AS secret FROM codes"],
    ] as const;
    for (const [label, query] of given) {
      for (const { secret } of database.prepare(query).all()) canaries.watch(label, String(secret));
    }
  } finally {
    database.close();
  }
}
