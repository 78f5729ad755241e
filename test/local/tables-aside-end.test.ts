import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Meter } from "../../infra/local/engines/meter.ts";
import { TablesAside } from "../../infra/local/engines/tables/tables-aside.ts";

/** Tables whose thread does this with a request, and promises that nobody listened to. */
function tablesThat(answer: string) {
  const thread = `
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", () => { ${answer} });
  `;
  const folder = mkdtempSync(path.join(tmpdir(), "scouts-tables-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "thread.mjs");
  writeFileSync(file, thread);
  const unheard: unknown[] = [];
  const hear = (error: unknown) => void unheard.push(error);
  process.on("unhandledRejection", hear);
  onTestFinished(() => void process.off("unhandledRejection", hear));
  return { tables: new TablesAside(false, new Meter(), file), unheard };
}

/** Node looks for rejections that nobody heard when a turn ends. */
const turn = () => new Promise((resolve) => setTimeout(resolve, 50));

test("an end that fails is the closing's failure alone", async () => {
  const { tables, unheard } = tablesThat(`throw new Error("no end")`);
  await expect(tables.close()).rejects.toThrow("no end");
  await turn();
  expect(unheard).toEqual([]);
  await tables.close();
});

test("a thread that ends without a word has nobody wait for it", async () => {
  const { tables, unheard } = tablesThat("process.exit()");
  await expect(tables.admit([])).rejects.toThrow("has ended");
  await expect(tables.admit([])).rejects.toThrow("has ended");
  await tables.close();
  await turn();
  expect(unheard).toEqual([]);
});
