import { spawnSync } from "node:child_process";

/** How many lines a program printed. @throws Error when it failed; 1 is ripgrep's way to say that it found nothing */
export function printedLines([program = "", ...args]: readonly string[]): number {
  const { stdout, status } = spawnSync(program, args, { maxBuffer: 2 ** 30, encoding: "latin1" });
  if (status === null || status > 1) throw new Error(`${program} ended with ${status}`);
  return stdout.split("\n").length - 1;
}

/** Paths `git status` names. */
export const gitStatus = (root: string): number => printedLines(["git", "-C", root, "status", "--porcelain"]);

/** Lines ripgrep names, of the files a walk of ours gives. */
export function ripgrepLines(program: string, root: string, pattern: string, isRegex: boolean): number {
  const scope = ["--no-config", "--hidden", "--glob=!.git"];
  return printedLines([program, ...scope, "-n", ...(isRegex ? [] : ["-F"]), "-e", pattern, root]);
}

/** How much a stream gives. */
export async function count(stream: AsyncIterable<unknown>): Promise<number> {
  let counted = 0;
  for await (const _ of stream) counted++;
  return counted;
}
