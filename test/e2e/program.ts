import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import * as z from "zod";
import { readEnvironment } from "../../cli/environment.ts";
import { runCommand } from "../../cli/program.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { categories } from "../../events/proposals/categorize.ts";
import { Screen } from "../device/screen.ts";

const launcher = fileURLToPath(new URL("../../cli/launch.js", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `scouts …` as a process of its own. */
export interface Program {
  readonly child: ChildProcess;
  /** Resolves with the first line of stdout or stderr, past or to come, that matches. Rejects when there will be none. */
  line(pattern: RegExp): Promise<string>;
  ended(): Promise<Ended>;
}

/** Runs the command line on this Node, with none of this process's settings but those given. */
export function startProgram(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  /** Descriptors it is given open, from 3 on. */
  open: readonly number[] = [],
): Program {
  const child = spawn(process.execPath, [launcher, ...words], {
    env: { PATH: process.env["PATH"], TMPDIR: process.env["TMPDIR"], ...environment },
    // Of streams that are named by more than three entries spawn's types know nothing.
    stdio: ["ignore", "pipe", "pipe", ...open] as unknown as ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const written = { stdout: "", stderr: "" };
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    createInterface({ input: child[name] }).on("line", (line) => {
      written[name] += `${line}\n`;
      lines.push(line);
      for (const check of waiting) check();
    });
  }
  const closed = once(child, "close");
  return {
    child,
    line(pattern) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const check = () => {
        const found = lines.find((line) => pattern.test(line));
        if (found === undefined) return;
        waiting.delete(check);
        resolve(found);
      };
      waiting.add(check);
      check();
      closed.then(() => reject(new Error(`No line matched ${pattern}:\n${written.stdout}${written.stderr}`)));
      return promise;
    },
    async ended() {
      await closed;
      return { code: child.exitCode, ...written };
    },
  };
}

/** Runs a command to its end. */
export function scouts(words: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return startProgram(words, environment).ended();
}

/** The same in this process, which saves starting one; for commands that end by themselves. */
export async function scoutsHere(words: readonly string[]): Promise<Ended> {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
  const context = { io, environment: readEnvironment({}), workingFolder: process.cwd(), ...systemTimeAndIds };
  const code = await runCommand(words, context, "0.0.0");
  return { code, stdout: stdout.written, stderr: stderr.written };
}

const count = z.number().int().nonnegative();

/** The last line of `scouts up --once --json`: these keys and no others. */
export const summary = z.strictObject({
  messages: count,
  relevant: count,
  unjudged: count,
  spam: count,
  judgedNow: count,
  delivered: count,
  acked: count,
  deadLettered: count,
  waiting: count,
  model: z.strictObject({ code: z.string(), since: count }).nullable(),
  failed: count,
  /** Only when the mailbox's scout looks at nothing. */
  idle: z.string().optional(),
  tokens: z.strictObject({ in: count, out: count }),
  requests: z.strictObject({ sqs: count, dynamodb: count, s3: count, websocket: count, gmail: count, model: count }),
  ms: count,
  /** Where the mail lies that is not watched, by reason. */
  notLookedAt: z.record(z.string(), count),
  /** Only when a folder was due. */
  folders: z.strictObject({ scanned: count, summarized: count, failed: count, tokens: count }).optional(),
});

/** @throws when stdout does not end in one */
export function summaryIn({ stdout, stderr, code }: Ended): z.infer<typeof summary> {
  const last = stdout.trimEnd().split("\n").at(-1) ?? "";
  if (last === "") throw new Error(`No summary, exit code ${code}: ${stderr}`);
  return summary.parse(JSON.parse(last));
}

/** What `proposals list --json` promises of each. */
const listed = z.array(
  z.looseObject({
    id: z.string(),
    sourceMsgRef: z.string(),
    rawSubject: z.string().nullable(),
    rawSnippet: z.string().nullable(),
    /** Rules look at each soon after it has come; under faults that may be later. */
    category: z.enum(["unprocessed", ...categories]),
    status: z.enum(["pending", "approved", "rejected", "expired"]),
  }),
);

/** The proposals on a data folder's device, by the command line. */
export async function proposalsIn(dataFolder: string): Promise<z.infer<typeof listed>> {
  const { stdout } = await scoutsHere(["proposals", "list", "--json", "--data", dataFolder]);
  return listed.parse(JSON.parse(stdout));
}
