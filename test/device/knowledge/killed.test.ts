import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { filler, indexedFolder } from "./setting.ts";

test("15: indexing that is killed (kill -9) goes on where it was, and nothing is missing or twice", async () => {
  const files = 900;
  const tree = Object.fromEntries(
    Array.from({ length: files }, (_, at) => [
      `${at}.md`,
      `word${at}only ${filler(60, at)} number ${at * 31} and ${at}`,
    ]),
  );
  const folder = indexedFolder(tree);
  const script = new URL("./index-child.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [script, folder.store.dataFolder, folder.project.id], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = once(child, "exit");
  for await (const line of createInterface({ input: child.stdout })) if (Number(line) >= 450) break;
  child.kill("SIGKILL");
  await gone;

  const again = await folder.index();
  expect(again?.problem).toBeUndefined();
  expect(again?.indexed).toBeLessThan(files);
  expect(again?.indexed).toBeGreaterThan(0);
  for (const at of [0, 99, 100, 449, 450, files - 1]) expect(await folder.paths(`word${at}only`)).toEqual([`${at}.md`]);
  expect((await folder.find("word1only")).looked).toMatchObject([{ files, passages: files * 2 }]);
});
