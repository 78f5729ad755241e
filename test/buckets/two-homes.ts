import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { indexScan } from "../../device/folders/indexer/index-scan.ts";
import { rememberFolder } from "../../device/folders/indexer/link-folder.ts";
import { openPreparer } from "../../device/folders/indexer/prepare.ts";
import { startScan } from "../../device/folders/scanner/start-scan.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import { settledNow } from "../device/scanner/setting.ts";
import { temporaryFolder, temporaryStore } from "../device/setting.ts";
import { type Ended, scoutsHere } from "../e2e/program.ts";
import { giveCredentials, startBucket } from "./bucket-engine.ts";

/** A device with one project, Garden, whose folder lies in one kind of place. */
export interface PlacedProject {
  readonly store: DeviceStore;
  readonly folderPath: string;
  /** Runs a command on the project, `--json`. */
  run(...words: string[]): Promise<Ended>;
  /** Changes a file as somebody else would. */
  change(file: string, content: string): Promise<void>;
  /** A file as it is stored. */
  stored(file: string): Promise<string>;
  scan(): Promise<void>;
}

type Tree = Readonly<Record<string, string>>;

/** A folder of this machine. */
export async function onDisk(tree: Tree): Promise<PlacedProject> {
  const folderPath = path.join(temporaryFolder(), "docs");
  const change = async (file: string, content: string) => {
    mkdirSync(path.dirname(path.join(folderPath, file)), { recursive: true });
    writeFileSync(path.join(folderPath, file), content);
  };
  for (const [file, content] of Object.entries(tree)) await change(file, content);
  return placed(folderPath, change, async (file) => readFileSync(path.join(folderPath, file), "utf8"));
}

/** A prefix in a bucket. */
export async function inBucket(tree: Tree): Promise<PlacedProject> {
  giveCredentials();
  const bucket = await startBucket(tree);
  const change = (file: string, content: string) => bucket.put(`docs/${file}`, content);
  return placed(bucket.address({ isWritable: true }), change, (file) => bucket.text(`docs/${file}`));
}

async function placed(
  folderPath: string,
  change: PlacedProject["change"],
  stored: PlacedProject["stored"],
): Promise<PlacedProject> {
  const store = temporaryStore();
  const project = store.projects.add("Garden");
  await rememberFolder(store, project, folderPath);
  const scan = async () => {
    const started = await startScan({ store, projectId: project.id, now: settledNow });
    const preparer = openPreparer(started.files, settledNow);
    try {
      await indexScan({ store, scan: started, preparer, signal: undefined, onProgress: () => undefined });
    } finally {
      await preparer.close();
      started.finish({ status: "completed" });
    }
  };
  await scan();
  const run = (...words: string[]) => scoutsHere([...words, "--data", store.dataFolder, "--json"]);
  return { store, folderPath, run, change, stored, scan };
}
