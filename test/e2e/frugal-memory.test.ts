import { closeSync, openSync, readFileSync } from "node:fs";
import process from "node:process";
import { expect, onTestFinished, test } from "vitest";
import { upTo } from "./mail.ts";
import { startProgram } from "./program.ts";
import { settingWith } from "./setting.ts";

/** The settings of glibc's allocator that a process was begun with. */
function allocatorOf(pid: number | undefined): string[] {
  const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  return environment.filter((entry) => entry.startsWith("MALLOC_")).sort();
}

test.skipIf(process.platform !== "linux")(
  "a home gives back the memory its threads have freed, unless it was set otherwise or would lose a file it was given",
  async () => {
    const setting = await settingWith(upTo(1));
    const up = startProgram(setting.up(), setting.model.environment);
    await up.line(/^Listening on http/);
    expect(allocatorOf(up.child.pid)).toEqual([
      "MALLOC_ARENA_MAX=1",
      "MALLOC_MMAP_THRESHOLD_=65536",
      "MALLOC_TOP_PAD_=65536",
      "MALLOC_TRIM_THRESHOLD_=65536",
    ]);
    up.child.kill("SIGINT");
    expect((await up.ended()).code).toBe(0);

    // Beginning anew would close it: a lock, or a mailbox that is read from there.
    const file = openSync(import.meta.filename, "r");
    onTestFinished(() => closeSync(file));
    const given = startProgram(setting.up(), setting.model.environment, [file]);
    await given.line(/^Listening on http/);
    expect(allocatorOf(given.child.pid)).toEqual([]);
    given.child.kill("SIGINT");
    expect((await given.ended()).code).toBe(0);

    const chosen = startProgram(setting.up(), { ...setting.model.environment, MALLOC_ARENA_MAX: "4" });
    await chosen.line(/^Listening on http/);
    expect(allocatorOf(chosen.child.pid)).toEqual(["MALLOC_ARENA_MAX=4"]);
  },
);
