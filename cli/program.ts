import { Command } from "commander";
import { addArtifacts } from "./files/artifacts.ts";
import { addAsk } from "./questions/ask.ts";
import { addBriefs } from "./questions/brief.ts";
import { addCompletion } from "./completion.ts";
import { addConnect } from "./home/connect.ts";
import type { CliContext } from "./context.ts";
import { addDoctor } from "./home/doctor.ts";
import { failureOf } from "../device/cli/failure.ts";
import { addFileAccess } from "./files/file-access.ts";
import { addGmail } from "./scouts/gmail.ts";
import { addLogin } from "./home/login.ts";
import { addOps } from "./ops/ops.ts";
import { printableLines } from "./output/printable.ts";
import { addProject } from "./projects/project.ts";
import { addProposals } from "./proposals/proposals.ts";
import { addScouts } from "../device/cli/scouts.ts";
import { addStatus } from "./home/status.ts";
import { addTask } from "./questions/task.ts";
import { addUp } from "./home/up.ts";
import { addUsage } from "./home/usage.ts";

const examples = `
Examples:
  scouts up                              the sample mailbox, on this machine
  scouts up --mailbox ~/Takeout.mbox     your own mail
  scouts proposals list --status pending
  scouts proposals approve <ref>
  scouts project link <project> <folder> read a folder, have its files summarised
  scouts ask "What is planned for @Garden?"
  scouts gmail setup --help              a real account: see docs/connect-gmail.md

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no such proposal, scout, project or task, 4 data folder,
database, home or folder unusable, 5 decided, linked or being scanned already, 6 doctor found something,
7 a limit of a question was reached, 8 the month's tokens for questions are used up, 130 interrupted.
`;

function buildProgram(context: CliContext, version: string, exitWith: (code: number) => void): Command {
  const program = new Command("scouts")
    .description("Scouts watch where your information arrives and hand small proposals to your own devices.")
    .version(version)
    .helpCommand(false)
    .addHelpText("after", examples)
    // Children copy this: errors come back as exceptions and output goes where the context says.
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.io.stdout.write(text),
      writeErr: (text) => void context.io.stderr.write(text),
      getOutHasColors: () => context.io.color,
      // It quotes what was typed, or pasted.
      outputError: (text, write) =>
        write(`${printableLines(text.replace(/^error: /, "scouts: ").trimEnd())} (usage)\n`),
    });
  addUp(program, context, exitWith);
  addProposals(program, context);
  addScouts(program, context);
  addProject(program, context, exitWith);
  addAsk(program, context, exitWith);
  addBriefs(program, context, exitWith);
  addTask(program, context);
  addOps(program, context);
  addLogin(program, context);
  addConnect(program, context);
  addStatus(program, context);
  addUsage(program, context);
  addDoctor(program, context, exitWith);
  addGmail(program, context);
  addFileAccess(program, context, exitWith);
  addArtifacts(program, context);
  addCompletion(program, context);
  return program;
}

/** Runs one command line (without node and script) and resolves with the exit code; errors are told on stderr. */
export async function runCommand(words: readonly string[], context: CliContext, version: string): Promise<number> {
  let exitCode = 0;
  const program = buildProgram(context, version, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...words], { from: "user" });
    return exitCode;
  } catch (error) {
    const failure = failureOf(error);
    if (failure.line !== undefined) context.io.stderr.write(`${failure.line}\n`);
    return failure.exitCode;
  }
}
