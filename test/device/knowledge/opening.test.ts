import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { ownFolder } from "../../e2e/folders.ts";

test("15: an index that two make at the same instant is made once, and both can write to it", async () => {
  const folder = ownFolder();
  onTestFinished(() => folder.remove());
  const workerData = {
    path: join(folder.path, "index.sqlite"),
    arrived: new Int32Array(new SharedArrayBuffer(4)),
  };
  const opened = [1, 2].map(() => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const worker = new Worker(new URL("./opening-thread.ts", import.meta.url), { workerData });
    worker.once("message", resolve);
    worker.once("error", reject);
    return promise;
  });
  expect(await Promise.all(opened)).toEqual(["opened", "opened"]);
});
