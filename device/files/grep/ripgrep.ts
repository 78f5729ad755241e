import { spawn } from "node:child_process";
import { systemCode } from "../backends/fs/fs-errors.ts";
import { ProjectFilesError } from "../errors.ts";

/** Linux gives arguments and environment a quarter of the stack limit, 2 MiB by default (execve(2)); half of that. */
export const maxArgumentBytes = 1024 * 1024;

/**
 * The program used where nobody names one. With fewer than four cores a search takes twice as much of the processor with ripgrep's help
 * as without, and no less time: files are walked here, found by it, and those it names read again.
 */
export const ripgrepByDefault = (cores: number): string | false => (cores >= 4 ? "rg" : false);

/** Whether `program` can be run and is ripgrep. Asked once per program. */
export function hasRipgrep(program: string): Promise<boolean> {
  const known = answers.get(program);
  if (known !== undefined) return known;
  const answer = new Promise<boolean>((resolve) => {
    const child = spawn(program, ["--version"], { stdio: ["ignore", "pipe", "ignore"], windowsHide: true });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.on("error", () => resolve(false));
    child.on("close", (code) => resolve(code === 0 && output.startsWith("ripgrep ")));
  });
  answers.set(program, answer);
  return answer;
}

const answers = new Map<string, Promise<boolean>>();

/** What ripgrep is asked. */
export interface LiteralSearch {
  program: string;
  /** Working directory. */
  root: string;
  /** ASCII, without line endings. */
  literal: string;
  signal: AbortSignal;
}

/**
 * Files, among `paths`, that hold the bytes of the literal, as ripgrep sees it. It only narrows the choice: every file it
 * names is searched again by the one engine, so that results are the same with and without it, and a path swapped for a
 * link meanwhile gives nothing away. Undefined when ripgrep could not be run.
 * @param directories the same files' directories, given instead of the files when all of them are to be searched: a tenth
 *   of the arguments, and faster to open
 */
export async function filesHolding(
  hunt: LiteralSearch,
  paths: readonly string[],
  directories: readonly string[] | undefined,
): Promise<string[] | undefined> {
  const settings = ["--no-config", "--no-messages", "--case-sensitive", "--text", "--encoding=none"];
  const scope = ["--no-ignore", "--hidden", "--max-depth=1"];
  const output = ["--files-with-matches", "--null", "--color=never"];
  const targets = (directories ?? paths).map((path) => `./${path}`);
  const child = spawn(
    hunt.program,
    [...settings, ...scope, ...output, "--regexp", inEitherWidth(hunt.literal), "--", ...targets],
    {
      cwd: hunt.root,
      stdio: ["ignore", "pipe", "ignore"],
      windowsHide: true,
      signal: hunt.signal,
    },
  );
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.on("error", (error) =>
      systemCode(error) === "ABORT_ERR"
        ? reject(new ProjectFilesError("Cancelled", { cause: error }))
        : resolve(undefined),
    );
    child.on("close", (code) => {
      // 0 found, 1 not found, 2 some file could not be read; a signal gives null.
      if (code === null || code > 2) return resolve(undefined);
      const found = new Set(Buffer.concat(chunks).toString("utf8").split("\0"));
      resolve(paths.filter((path) => found.has(`./${path}`)));
    });
  });
}

/** The ASCII literal as its bytes, and with a NUL between any two: that is how both UTF-16s write it. */
function inEitherWidth(literal: string): string {
  const bytes = [...Buffer.from(literal, "latin1")].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`);
  return `(?-u:${bytes.join("")}|${bytes.join("\\x00")})`;
}
