import { closeSync, openSync, readFileSync } from "node:fs";
import process from "node:process";
import { expect, onTestFinished, test } from "vitest";
import { whole } from "../rounds.ts";
import { upTo } from "./mail.ts";
import { startProgram } from "./program.ts";
import { settingWith } from "./setting.ts";

const isLinux = process.platform === "linux";

/** The settings of glibc's allocator that a home is begun with. */
async function allocatorOfHome(environment: Readonly<Record<string, string>> = {}, open: readonly number[] = []) {
  const setting = await settingWith(upTo(1));
  const up = startProgram(setting.up(), { ...setting.model.environment, ...environment }, open);
  await up.line(/^Listening on http/);
  const entries = readFileSync(`/proc/${up.child.pid}/environ`, "utf8").split("\0");
  up.child.kill("SIGINT");
  expect((await up.ended()).code).toBe(0);
  return entries.filter((entry) => entry.startsWith("MALLOC_")).sort();
}

test.skipIf(!isLinux)("a home gives back the memory its threads have freed", async () => {
  expect(await allocatorOfHome()).toEqual([
    "MALLOC_ARENA_MAX=1",
    "MALLOC_MMAP_THRESHOLD_=65536",
    "MALLOC_TOP_PAD_=65536",
    "MALLOC_TRIM_THRESHOLD_=65536",
  ]);
});

test.skipIf(!isLinux || !whole)("unless that was set otherwise, or would lose a file it was given", async () => {
  expect(await allocatorOfHome({ MALLOC_ARENA_MAX: "4" })).toEqual(["MALLOC_ARENA_MAX=4"]);
  // Beginning anew would close it: a lock, or a mailbox that is read from there.
  const file = openSync(import.meta.filename, "r");
  onTestFinished(() => closeSync(file));
  expect(await allocatorOfHome({}, [file])).toEqual([]);
});
