import process from "node:process";
import { systemClock } from "../../../device/connection/clock.ts";
import { embedFolders } from "../../../device/knowledge/embedding/embed-folders.ts";
import { readEmbeddingSetting } from "../../../device/knowledge/embedding/embedding-setting.ts";
import { openEmbeddingModel } from "../../../device/knowledge/embedding/open-model.ts";
import { openDeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";

/** Embeds all linked folders in a process of its own, to be killed. */
const [dataFolder = ""] = process.argv.slice(2);
const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
const setting = readEmbeddingSetting(dataFolder);
if (setting === undefined) throw new TypeError("No model is set");
await embedFolders({ store, setting, model: await openEmbeddingModel(setting), clock: systemClock });
