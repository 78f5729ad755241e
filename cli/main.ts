import process from "node:process";
import { systemClock } from "../device/connection/clock.ts";
import { isDiskFull } from "../device/errors/disk-full.ts";
import { exitCodes } from "../device/exit-codes.ts";
import { systemTimeAndIds } from "../device/time-and-ids.ts";
import { ignoredZone, systemZone } from "../device/work/dates/zone.ts";
import type { CliContext } from "./context.ts";
import { readEnvironment } from "./environment.ts";
import { printable } from "./output/printable.ts";
import { runCommand, tellFailure } from "./program.ts";
import { endUnreadWhen, interruption, sayWhenStoppingIsSlow, type WhenLeft } from "./signals.ts";
import { programVersion } from "./version.ts";

/** Said of output that its place does not take. A command that has changed something would do it twice. */
function lostOutput(error: NodeJS.ErrnoException): string {
  const why = isDiskFull(error) ? "the disk it goes to is full" : "the place it goes to does not take it";
  return `scouts: The output cannot be written: ${why}. What the command did stands; look before you run it again. (${error.code})\n`;
}

/**
 * The `scouts` program: everything of the process it runs in is read here and nowhere else.
 *
 * @param whenLeft of the launcher, where what began it passes no signals on
 */
export async function main(whenLeft?: WhenLeft): Promise<void> {
  const { stdin, stdout, stderr } = process;
  // Whoever reads our output may stop reading (`scouts … | head`).
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(exitCodes.done);
    stderr.write(lostOutput(error));
    process.exit(exitCodes.failed);
  });
  // What is said beside the output is not what the work is for.
  stderr.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") process.exit(exitCodes.failed);
  });
  const environment = readEnvironment(process.env);
  const isTTY = stdout.isTTY === true;
  const color = isTTY && environment.NO_COLOR === undefined && environment.TERM !== "dumb";
  const words = process.argv.slice(2);
  if (process.env["NODE_USE_ENV_PROXY"]) {
    const { boundProxy } = await import("./home/proxy-bound.ts");
    boundProxy(systemTimeAndIds.now, (sentence) => stderr.write(`scouts: ${sentence}\n`));
  }
  const zoneTrouble = ignoredZone(process.env["TZ"]);
  if (zoneTrouble !== undefined) stderr.write(`scouts: ${printable(zoneTrouble)} (zone_unknown)\n`);
  const context: CliContext = {
    io: { stdout, stderr, isTTY, color, signal: interruption(process, systemTimeAndIds.now, whenLeft) },
    environment,
    secrets: { stdin, variable: (name) => process.env[name] },
    variables: process.env,
    // Asked when it is needed: a folder that was removed is no fault of ours, and has none.
    get workingFolder() {
      return process.cwd();
    },
    zone: systemZone,
    ...systemTimeAndIds,
  };
  // Some engines throw where nobody can catch it; promises that nobody waits for come here too. What is on disk stands: a killed
  // process leaves the same.
  process.on("uncaughtException", (error) => process.exit(tellFailure(error, words, context)));
  const ended = sayWhenStoppingIsSlow(context.io.signal, systemClock, (sentence) =>
    stderr.write(`scouts: ${sentence}\n`),
  );
  const code = await runCommand(words, context, programVersion()).finally(ended);
  process.exitCode = code;
  endUnreadWhen(context.io.signal, process, code);
}
