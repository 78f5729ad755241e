import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../access/setting.ts";

const launcher = fileURLToPath(new URL("../../cli/launch.js", import.meta.url));

// Windows ends a process that is sent a signal, whatever it does.
test.skipIf(process.platform === "win32")(
  "a program whose output nobody reads any more ends when it is interrupted",
  async () => {
    const root = temporaryFolder();
    // More than the system keeps of what one process writes and another does not read.
    writeFileSync(path.join(root, "long.txt"), `${"字".repeat(60)}\n`.repeat(5_000));
    const words = ["files", "read", "long.txt", "--root", root, "--data", temporaryFolder()];
    const child = spawn(process.execPath, [launcher, ...words], {
      env: { PATH: process.env["PATH"] },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    // It is heard, but not read: what it writes has come, and the rest waits.
    await once(child.stdout, "readable");
    const ended = once(child, "exit");
    child.kill("SIGTERM");

    expect(await ended).toEqual([130, null]);
  },
);
