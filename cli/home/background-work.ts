import { createModelReader, type ModelReader } from "../../device/categorize/agent/model-reader.ts";
import { RecentItems } from "../../device/categorize/agent/recent-items.ts";
import { type Categorizer, createCategorizer } from "../../device/categorize/drain/categorizer.ts";
import type { CloudApi } from "../../device/connect/cloud-api.ts";
import type { Device } from "../../device/connection/device.ts";
import { systemPorts } from "../../device/connection/ports.ts";
import type { HomeEnvironment } from "../../device/doctor/running-checks.ts";
import { dailyHousekeeping } from "../../device/housekeeping/daily.ts";
import { keepEmbedded } from "../../device/knowledge/embedding/keep-embedded.ts";
import { keepIndexesCurrent } from "../../device/knowledge/keep-current.ts";
import { type DeviceStore, madeAnew } from "../../device/store/open.ts";
import { systemZone } from "../../device/work/dates/zone.ts";
import { keepWorkFolder } from "../../device/work/folder/keep-folder.ts";
import type { Variables } from "../../device/workspace/workspace.ts";
import { type ShownConsole, showConsole } from "../console/shown-console.ts";
import { printable } from "../output/printable.ts";
import { type ShownRescans, showRescans } from "../projects/shown-rescans.ts";
import { programVersion } from "../version.ts";
import { watchDataFolder } from "./data-folder-watch.ts";
import { watchOpenFiles } from "./open-files-watch.ts";
import type { CliIo } from "./up-options.ts";

export interface BackgroundWork {
  readonly rescans: ShownRescans;
  readonly categorizer: Categorizer;
  readonly modelReader: ModelReader;
  /**
   * The console alone, for a program that reads mail before it does the rest: who opens the page meanwhile is told so.
   *
   * @param mailRead settles when that mail has been read
   */
  showConsole(mailRead: Promise<unknown>): Promise<void>;
  /** All of it; where the program ends when all is done, folders are read from `rescans.start()` on: they have a bar. */
  start(): void;
  /** Resolves when nothing of it is under way any more. */
  close(): Promise<void>;
}

interface BackgroundWorkOptions {
  readonly store: DeviceStore;
  readonly api: CloudApi;
  readonly device: Device;
  readonly newId: () => string;
  readonly environment: HomeEnvironment;
  readonly sampleMailbox?: string;
  /** The person's own environment, for tools they offer to agents. */
  readonly variables?: Variables | undefined;
}

/** What a program that stays does beside its own work: rescans of the person's folders, the daily clean-up, the console. */
export function backgroundWork(
  { store, api, device, newId, environment, sampleMailbox, variables }: BackgroundWorkOptions,
  { once = false, json = false }: { readonly once?: boolean; readonly json?: boolean },
  io: CliIo,
): BackgroundWork {
  if (store.isMadeAnew) io.stderr.write(`scouts: ${printable(madeAnew(store.path))}\n`);
  const rescans = showRescans({ store, api, device, once, json }, io);
  const housekeeping = dailyHousekeeping({
    store,
    dataFolder: store.dataFolder,
    clock: systemPorts.clock,
    onProblem: ({ message }) => void io.stderr.write(`scouts: clean-up: ${printable(message)}\n`),
  });
  const keeper = keepIndexesCurrent({
    store,
    clock: systemPorts.clock,
    onProblem: ({ message }) => void io.stderr.write(`scouts: search index: ${printable(message)}\n`),
  });
  const embedder = keepEmbedded({
    store,
    clock: systemPorts.clock,
    onProblem: ({ message }) =>
      void io.stderr.write(
        `scouts: embeddings: ${printable(message)} Searches find words meanwhile; it is tried again.\n`,
      ),
  });
  const folder = keepWorkFolder({
    store,
    clock: systemPorts.clock,
    onProblem: (sentence) => void io.stderr.write(`scouts: your folder: ${printable(sentence)}\n`),
  });
  const openFiles = watchOpenFiles({
    clock: systemPorts.clock,
    tell: (sentence) => void io.stderr.write(`scouts: ${sentence}\n`),
  });
  const dataFolder = watchDataFolder({
    clock: systemPorts.clock,
    dataFolder: store.dataFolder,
    databasePath: store.path,
    tell: (sentence) => void io.stderr.write(`scouts: ${printable(sentence)}\n`),
  });
  const recent = new RecentItems();
  const onProblem = ({ message }: Error) =>
    void io.stderr.write(`scouts: what proposals are about: ${printable(message)}\n`);
  const categorizer = createCategorizer({
    store,
    device,
    newId,
    clock: systemPorts.clock,
    zone: systemZone(),
    onRead: (item) => recent.add(item),
    onProblem,
  });
  const modelReader = createModelReader({
    store,
    device,
    newId,
    clock: systemPorts.clock,
    zone: systemZone(),
    recent,
    onProblem,
  });
  const console: ShownConsole | undefined = once
    ? undefined
    : showConsole(
        {
          store,
          api,
          device,
          rescans,
          variables,
          program: { version: programVersion(), environment, newId, zone: systemZone, sampleMailbox },
        },
        { json },
        io,
      );
  return {
    rescans,
    categorizer,
    modelReader,
    showConsole: async (mailRead) => console?.start(mailRead),
    start() {
      categorizer.start();
      modelReader.start();
      if (!once) rescans.start();
      housekeeping.start();
      if (!once) openFiles.start();
      if (!once) dataFolder.start();
      if (!once) keeper.start();
      if (!once) folder.start();
      if (!once) embedder.start();
      void console?.start();
    },
    async close() {
      await console?.close();
      await categorizer.close();
      await modelReader.close();
      await rescans.close();
      await embedder.close();
      await keeper.close();
      await folder.close();
      await housekeeping.close();
      await openFiles.close();
      await dataFolder.close();
    },
  };
}
