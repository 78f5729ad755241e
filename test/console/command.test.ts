import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../../cli/program.ts";
import { consoleFolder } from "../../device/console/presence.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { Screen } from "../device/screen.ts";
import { startConsole } from "./setting.ts";

async function scoutsConsole(dataFolder: string) {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: true, color: false, signal: new AbortController().signal };
  const context = { io, environment: {}, workingFolder: dataFolder, ...systemTimeAndIds };
  const exitCode = await runCommand(["console", "--print-url", "--data", dataFolder], context, "1");
  return { exitCode, printed: stdout.written.trim(), complaint: stderr.written };
}

it("`scouts console --print-url` prints an address that opens the console once", async () => {
  const { ask, served, store } = await startConsole();
  const { exitCode, printed } = await scoutsConsole(store.dataFolder);
  expect(exitCode).toBe(0);
  const [origin, code] = printed.split("/#code=");
  expect(origin).toBe(served.origin);
  expect((await ask("POST", "/api/session", { body: { code } })).status).toBe(200);
  expect((await ask("POST", "/api/session", { body: { code } })).status).toBe(401);
});

it("it sends nobody to a port whose console has ended, whatever the file of one that was killed says", async () => {
  const { served, store } = await startConsole();
  await served.close();
  writeFileSync(join(consoleFolder(store.dataFolder), "console.json"), JSON.stringify({ v: 1, origin: served.origin }));
  const { exitCode, printed, complaint } = await scoutsConsole(store.dataFolder);
  expect({ exitCode, printed }).toEqual({ exitCode: 4, printed: "" });
  // It is served before mail is judged: nobody is told to wait for that.
  expect(complaint).toMatch(/`scouts up` or `scouts connect` serves one .*\(console_not_running\)/);
  expect(complaint).not.toContain("judged");
});
