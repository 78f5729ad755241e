import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { exitCodes } from "../../device/exit-codes.ts";
import { temporaryFolder } from "./setting.ts";

const launcher = fileURLToPath(new URL("../../cli/launch.js", import.meta.url));

test.skipIf(process.platform === "win32").each(["SIGINT", "SIGTERM"])(
  "nothing silent: %s while the program is still being loaded is told, with the exit code of an interruption",
  (signal) => {
    const folder = temporaryFolder();
    // As soon as anybody listens, which is before anything is loaded.
    const aside = `process.on("newListener", (name) => name === "${signal}" && process.nextTick(() => process.kill(process.pid, "${signal}")))`;
    const words = ["--import", `data:text/javascript,${encodeURIComponent(aside)}`, launcher];
    const options = { encoding: "utf8", cwd: folder, env: { PATH: process.env["PATH"] } } as const;
    const ended = spawnSync(process.execPath, [...words, "project", "add", "Garden", "--data", "data"], options);
    expect(ended).toMatchObject({
      status: exitCodes.interrupted,
      signal: null,
      stdout: "",
      stderr: "scouts: Interrupted before it had begun; nothing was done. Run the same command again. (interrupted)\n",
    });
    expect(existsSync(path.join(folder, "data"))).toBe(false);
  },
);
