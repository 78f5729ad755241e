import process from "node:process";
import { createInterface } from "node:readline/promises";
import { DeviceError } from "../../device/errors.ts";
import type { CliIo } from "../home/up-options.ts";

/** Whether somebody sits at a terminal who can be asked. */
export const canAsk = ({ isTTY }: CliIo): boolean => isTTY && process.stdin.isTTY === true;

/**
 * Asks at the terminal; only a clear yes is one, and where nobody is there the answer is no.
 *
 * @throws DeviceError `interrupted` (Ctrl-C): that is no answer
 */
export async function saysYes(io: CliIo, question: string): Promise<boolean> {
  if (!canAsk(io)) return false;
  const lines = createInterface({ input: process.stdin, output: io.stderr });
  // While it asks, Ctrl-C is a key like others: who presses it means all of the command.
  lines.on("SIGINT", () => process.emit("SIGINT"));
  try {
    const answer = await lines.question(`${question} [y/N] `, { signal: io.signal });
    return /^y(?:es)?$/i.test(answer.trim());
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name !== "AbortError") throw cause;
    // The question stands in a line of its own.
    io.stderr.write("\n");
    throw new DeviceError("interrupted", { cause });
  } finally {
    lines.close();
  }
}
