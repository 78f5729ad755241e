import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { ownFolder } from "../../e2e/folders.ts";

test("15: an index that two make at the same instant is made once, and both can write to it", async () => {
  const folder = ownFolder();
  onTestFinished(() => folder.remove());
  const threads = 2;
  const workerData = {
    paths: Array.from({ length: 20 }, (_, number) => begun(join(folder.path, `${number}.sqlite`))),
    arrived: new Int32Array(new SharedArrayBuffer(4)),
    threads,
  };
  const opened = Array.from({ length: threads }, () => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const worker = new Worker(new URL("./opening-thread.ts", import.meta.url), { workerData });
    worker.once("message", resolve);
    worker.once("error", reject);
    // The other would wait for one that has failed.
    onTestFinished(async () => void (await worker.terminate()));
    return promise;
  });
  expect(await Promise.all(opened)).toEqual(["opened", "opened"]);
});

/** A file whose first writer is about to make the tables: both find that there are none. */
function begun(path: string): string {
  const connection = new DatabaseSync(path);
  connection.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL");
  connection.close();
  return path;
}
