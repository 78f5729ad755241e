import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { openIndexToWrite } from "../../../device/knowledge/index/index-file.ts";

/** Opens an index, and begins its transaction together with the other thread: both have looked by then. */
const { path, arrived }: { path: string; arrived: Int32Array } = workerData;
const exec = DatabaseSync.prototype.exec;
DatabaseSync.prototype.exec = function (sql) {
  if (sql.startsWith("BEGIN")) {
    if (Atomics.add(arrived, 0, 1) === 0) Atomics.wait(arrived, 0, 1);
    else Atomics.notify(arrived, 0);
  }
  exec.call(this, sql);
};
openIndexToWrite(path).connection.close();
parentPort?.postMessage("opened");
