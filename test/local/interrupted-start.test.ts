import { existsSync } from "node:fs";
import path from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { startSystemOn } from "../../cli/up/system.ts";
import { run } from "../../cli/up/up.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import type { ExternalServices } from "../../infra/local/world/external-services.ts";
import { temporaryFolder } from "../device/setting.ts";

test.each([
  { once: false, exit: 0 },
  { once: true, exit: 130 },
])("a start that is interrupted ends there, and says so (once: $once)", async ({ once, exit }) => {
  const dataFolder = temporaryFolder();
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const io = { stdout, stderr, isTTY: false, color: false, signal: AbortSignal.abort() };
  expect(await run({ dataFolder, once, json: false, hostile: false }, io, systemTimeAndIds)).toBe(exit);
  stderr.end();
  expect(await text(stderr)).toMatch(/^scouts: Stopped before it was done\. What is stored stands/);
  expect(existsSync(path.join(dataFolder, "cloud"))).toBe(false);
});

test("what has started by then is stopped", async () => {
  const interrupt = new AbortController();
  let isClosed = false;
  const startWorld = async () => {
    interrupt.abort();
    const close = () => {
      isClosed = true;
    };
    return { close } as unknown as ExternalServices;
  };
  const settings = { dataFolder: temporaryFolder(), environment: {}, signal: interrupt.signal, ...systemTimeAndIds };
  const started = startSystemOn(settings, startWorld, () => async () => {});
  await expect(started).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  expect(isClosed).toBe(true);
});
