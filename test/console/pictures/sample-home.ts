import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { makeLaunch } from "../../../device/console/entrance/launch-codes.ts";
import { consoleFolder } from "../../../device/console/presence.ts";

const launcher = fileURLToPath(new URL("../../../cli/launch.js", import.meta.url));

/** What `npm start` runs, with its sample mail judged. */
export interface SampleHome {
  readonly origin: string;
  /** An address that opens the console once. */
  address(): string;
  /** A token, as a tab gets it. */
  readonly token: string;
  close(): Promise<void>;
}

/** Starts the program on a data folder of its own. */
export async function startSampleHome(): Promise<SampleHome> {
  const dataFolder = mkdtempSync(path.join(tmpdir(), "scouts-pictures-"));
  const child = spawn(process.execPath, [launcher, "up", "--data", dataFolder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  const end = async () => {
    child.kill("SIGTERM");
    await closed;
    rmSync(dataFolder, { recursive: true, force: true });
  };
  try {
    const origin = await judged(child.stdout);
    const address = () => makeLaunch(consoleFolder(dataFolder), origin, Date.now()).url;
    return { origin, address, token: await tokenFor(address()), close: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The console's origin, as soon as it is served and the sample is judged. */
async function judged(output: NodeJS.ReadableStream): Promise<string> {
  let origin: string | undefined;
  let isJudged = false;
  for await (const line of createInterface({ input: output })) {
    origin ??= /^Console: (http:\S+)/.exec(line)?.[1];
    isJudged ||= /^\d+ messages in /.test(line);
    if (origin !== undefined && isJudged) {
      output.resume();
      return origin;
    }
  }
  throw new Error("the home has ended before its sample was judged");
}

async function tokenFor(address: string): Promise<string> {
  const { origin, hash } = new URL(address);
  const answer = await fetch(`${origin}/api/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code: hash.slice("#code=".length) }),
  });
  return z.object({ token: z.string() }).parse(await answer.json()).token;
}
