import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { temporaryFolder } from "./setting.ts";

const launcher = fileURLToPath(new URL("../../cli/launch.js", import.meta.url));

/** A task that is due at nine, made where `TZ` says this. */
function madeWith(zone: string) {
  const dataFolder = temporaryFolder();
  openDeviceStore({ ...systemTimeAndIds, dataFolder }).close();
  const words = ["task", "add", "Answer", "--due", "2030-05-06T09:00", "--data", dataFolder, "--json"];
  const { stdout, stderr, status } = spawnSync(process.execPath, [launcher, ...words], {
    env: { PATH: process.env["PATH"], TZ: zone },
    encoding: "utf8",
  });
  return { status, stderr, due: JSON.parse(stdout).due };
}

describe("a TZ that names no time zone is no reason to fail, and nothing goes by another zone unsaid", () => {
  test("empty, it is UTC, as everywhere", () => {
    expect(madeWith("")).toEqual({ status: 0, stderr: "", due: "2030-05-06T09:00:00Z" });
  });

  test.each(["Europe/Berln", "CET-1CEST"])("%s: it is said that times are in UTC", (zone) => {
    expect(madeWith(zone)).toEqual({
      status: 0,
      stderr:
        `scouts: TZ=${zone} names no time zone that is known here, so times are read and shown in UTC. ` +
        "Set it to one such as Europe/Berlin, or unset it. (zone_unknown)\n",
      due: "2030-05-06T09:00:00Z",
    });
  });

  test("one with a colon before it, as POSIX has it, is known", () => {
    expect(madeWith(":Europe/Berlin")).toEqual({ status: 0, stderr: "", due: "2030-05-06T07:00:00Z" });
  });

  test("UTC0 is UTC", () => {
    expect(madeWith("UTC0")).toEqual({ status: 0, stderr: "", due: "2030-05-06T09:00:00Z" });
  });
});
