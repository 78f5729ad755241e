import process from "node:process";
import { indexScan } from "../../../device/folders/indexer/index-scan.ts";
import { openPreparer } from "../../../device/folders/indexer/prepare.ts";
import { startScan } from "../../../device/folders/scanner/start-scan.ts";
import { openDeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { projectId as projectIds } from "../../../events/ids.ts";

/** Indexes a linked folder in a process of its own, to be killed: prints how many files are done. */
const [dataFolder = "", id = ""] = process.argv.slice(2);
const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
const projectId = projectIds.parse(id);
const scan = await startScan({ store, projectId, now: () => Date.now() + 60_000 });
const preparer = openPreparer(scan.files, Date.now);
const onProgress = ({ done }: { done: number }) => void process.stdout.write(`${done}\n`);
await indexScan({ store, scan, preparer, onProgress });
