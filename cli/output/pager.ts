import { spawn } from "node:child_process";
import { once } from "node:events";
import type { CliContext } from "../context.ts";

const defaultPager = "less -FRX";
const defaultRows = 24;
/** `less` keeps searches in a file and can write what it shows: neither is wanted of a letter. */
const keepNothing = { LESSHISTFILE: "-", LESSSECURE: "1" };

/** Shows text: a page at a time where it is longer than the terminal, as it is everywhere else. */
export async function page({ io, environment }: CliContext, text: string): Promise<void> {
  const rows = io.isTTY ? (io.stdout.rows ?? defaultRows) : Number.POSITIVE_INFINITY;
  if (text.split("\n").length < rows || !(await paged(environment.PAGER ?? defaultPager, text))) {
    io.stdout.write(`${text}\n`);
  }
}

/** @returns false when there is no such pager */
async function paged(command: string, text: string): Promise<boolean> {
  const [program = "less", ...words] = command.split(/\s+/);
  const child = spawn(program, words, {
    stdio: ["pipe", "inherit", "inherit"],
    env: { ...process.env, ...keepNothing },
  });
  // Whoever leaves the pager early closes its input.
  child.stdin?.on("error", () => {});
  child.stdin?.end(`${text}\n`);
  try {
    await once(child, "close");
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}
