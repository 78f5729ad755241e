import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { readEnvironment } from "./environment.ts";
import { runCommand } from "./program.ts";
import { interruption } from "./signals.ts";

const manifest = z.object({ version: z.string() });

function version(): string {
  return manifest.parse(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))).version;
}

/** The `scouts` program: everything of the process it runs in is read here and nowhere else. */
export async function main(): Promise<void> {
  const { stdout, stderr } = process;
  // Whoever reads our output may stop reading (`scouts … | head`).
  stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  const environment = readEnvironment(process.env);
  const isTTY = stdout.isTTY === true;
  const color = isTTY && environment.NO_COLOR === undefined && environment.TERM !== "dumb";
  process.exitCode = await runCommand(
    process.argv.slice(2),
    {
      io: { stdout, stderr, isTTY, color, signal: interruption(process) },
      environment,
      workingFolder: process.cwd(),
      now: Date.now,
    },
    version(),
  );
}

// The launcher starts this file itself on another Node.
if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
