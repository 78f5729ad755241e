import process from "node:process";
import { createInterface } from "node:readline/promises";
import type { CliIo } from "../home/up-options.ts";

/** Whether somebody sits at a terminal who can be asked. */
export const canAsk = ({ isTTY }: CliIo): boolean => isTTY && process.stdin.isTTY === true;

/** Asks at the terminal; only a clear yes is one, and where nobody is there the answer is no. */
export async function saysYes(io: CliIo, question: string): Promise<boolean> {
  if (!canAsk(io)) return false;
  const lines = createInterface({ input: process.stdin, output: io.stderr });
  try {
    const answer = await lines.question(`${question} [y/N] `, { signal: io.signal });
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
