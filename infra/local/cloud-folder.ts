import { join } from "node:path";

/** Where a data folder has the cloud half: tables, queues and objects. The device's half and the stand-ins lie beside it. */
export const cloudFolderOf = (dataFolder: string): string => join(dataFolder, "cloud");
