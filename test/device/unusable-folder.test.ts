import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openActivityStore } from "../../device/activity/activity-store.ts";
import { writePrivateFile } from "../../device/private-file.ts";
import { makePrivateFolder } from "../../device/private-folder.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { privateFolder } from "../../infra/standins/private-folder.ts";
import { scoutsHere } from "../e2e/program.ts";
import { temporaryFolder } from "./setting.ts";

const launcher = fileURLToPath(new URL("../../cli/launch.js", import.meta.url));

// A process of its own: what hangs there could not be ended here.
test.skipIf(!existsSync("/proc/self")).each([
  ["up", "--once"],
  ["project", "add", "Garden"],
  ["files", "list"],
  ["config", "set", "limits.calls", "5"],
])("a data folder where the system lets none be made is refused, and nothing hangs: %s", (...words) => {
  const options = { cwd: temporaryFolder(), env: { PATH: process.env["PATH"] }, timeout: 60_000 };
  for (const data of ["/proc/none", "/proc/none/deeper"]) {
    const { status, stderr } = spawnSync(process.execPath, [launcher, ...words, "--data", data], options);
    expect({ status, stderr: String(stderr) }).toEqual({
      status: 4,
      stderr: expect.stringMatching(/^scouts: The data folder cannot be used: .*\(folder_unusable\)\n$/),
    });
  }
});

/** Where this user may mount in a room of its own. */
const ofItsOwn = (command: string, ...words: readonly string[]) =>
  spawnSync("unshare", ["-rm", "sh", "-c", command, ...words], { env: { PATH: process.env["PATH"] } });
const mayMount = ofItsOwn('mount -t tmpfs -o ro none "$0"', tmpdir()).status === 0;

test.skipIf(!mayMount)(
  "of a disk that can only be read the doctor says so, and advises nothing about its owner",
  () => {
    const folder = temporaryFolder();
    const doctor = 'mount -t tmpfs -o ro none "$0" && exec "$@" --data "$0"';
    const { stdout } = ofItsOwn(doctor, folder, process.execPath, launcher, "doctor");
    expect(String(stdout)).toContain(`the disk of ${folder} can only be read`);
    expect(String(stdout)).not.toContain("chown");
  },
);

test
  .skipIf(!mayMount)
  .each([
    ["status"],
    ["proposals", "list"],
    ["approvals", "list"],
    ["console"],
    ["config", "set", "limits.calls", "5"],
  ])("of a data folder on a disk that can only be read it is said that it can, and what to do: %s", (...words) => {
  const data = path.join(temporaryFolder(), "data");
  openDeviceStore({ ...systemTimeAndIds, dataFolder: data }).close();
  openActivityStore(data, systemTimeAndIds).close();
  makePrivateFolder(path.join(data, "device", "console"));
  const command = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@" --data "$0"';
  const { status, stderr } = ofItsOwn(command, data, process.execPath, launcher, ...words);
  expect({ status, stderr: String(stderr) }).toEqual({
    status: 4,
    stderr: expect.stringMatching(
      /^scouts: The data folder cannot be used: the disk of .* can only be read just now\..*\(folder_unusable\)\n$/,
    ),
  });
});

test.each([
  [["console"], "console_not_running"],
  [["approvals", "list"], "store_missing"],
  [["tool", "list"], "store_missing"],
  [["tool", "changes"], "store_missing"],
  [["status"], "store_missing"],
] as const)("a command that only looks makes no data folder where there is none: %s", async (words, code) => {
  const data = path.join(temporaryFolder(), "mistyped");
  const { stderr } = await scoutsHere([...words, "--data", data]);
  expect(stderr).toMatch(new RegExp(`\\(${code}\\)\\n$`));
  expect(existsSync(data)).toBe(false);
});

test("a private file that cannot be replaced leaves no draft of it", () => {
  const root = temporaryFolder();
  mkdirSync(path.join(root, "settings.json"));
  expect(() => writePrivateFile(path.join(root, "settings.json"), { a: 1 })).toThrow();
  expect(readdirSync(root)).toEqual(["settings.json"]);
});

test.each([makePrivateFolder, privateFolder])(
  "folders are made one in another, and a file in the way is told",
  (make) => {
    const root = temporaryFolder();
    const folder = path.join(root, "a", "b", "c");
    make(folder);
    make(folder);
    expect(statSync(path.join(root, "a")).mode & 0o777).toBe(0o700);
    mkdirSync(path.join(root, "d"));
    writeFileSync(path.join(root, "d", "file"), "");
    expect(() => make(path.join(root, "d", "file"))).toThrowError(expect.objectContaining({ code: "EEXIST" }));
    expect(() => make(path.join(root, "d", "file", "e"))).toThrowError(/EEXIST|ENOTDIR/);
  },
);
