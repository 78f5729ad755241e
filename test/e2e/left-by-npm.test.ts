import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { upTo } from "./mail.ts";
import { settingWith } from "./setting.ts";

const launcher = fileURLToPath(new URL("../../cli/launch.js", import.meta.url));

/** Ends what is left of a process and those it has begun. */
function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, "SIGKILL");
  } catch {
    // All of it has ended.
  }
}

// Windows tells no process that the one above it has ended.
test.skipIf(process.platform === "win32")("a home that npm has begun ends when npm is told to", async () => {
  const setting = await settingWith(upTo(1));
  // As npm does it: by a shell that passes no signal on.
  const shell = spawn("sh", ["-c", '"$0" "$@"; exit', process.execPath, launcher, ...setting.up()], {
    env: {
      PATH: process.env["PATH"],
      TMPDIR: process.env["TMPDIR"],
      ...setting.model.environment,
      npm_lifecycle_script: "scouts",
    },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  onTestFinished(() => endGroup(shell.pid));
  let said = "";
  shell.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  await expect.poll(() => said).toMatch(/^Listening on http/m);
  shell.kill("SIGTERM");

  // Its output is open as long as it runs.
  await once(shell.stdout, "end");
});
