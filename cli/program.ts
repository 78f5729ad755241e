import { type Command, Help, type Option } from "commander";
import { type ExitCode, type ExitName, exitCodes, exitMeanings } from "../device/exit-codes.ts";
import { addCompletion } from "./completion.ts";
import { addConfig } from "./config/config.ts";
import { addConsole } from "./console/console.ts";
import { type CliContext, type CommonOptions, dataFolderOf, type ExitWith } from "./context.ts";
import { addConnect } from "./devices/connect.ts";
import { addDevices } from "./devices/devices.ts";
import { addLogin } from "./devices/login.ts";
import { keepError } from "./error-log.ts";
import { failureOf } from "./failure.ts";
import { addArtifacts } from "./files/artifacts.ts";
import { addFileAccess } from "./files/file-access.ts";
import { addDoctor } from "./home/doctor.ts";
import { addPassphrase } from "./home/passphrase.ts";
import { addStatus } from "./home/status.ts";
import { addUp } from "./home/up.ts";
import { addUsage } from "./home/usage.ts";
import { addOps } from "./ops/ops.ts";
import { outputOn } from "./output/output.ts";
import { printableLines } from "./output/printable.ts";
import { shortened } from "./output/shortened.ts";
import { addProject } from "./projects/project.ts";
import { addLearn } from "./proposals/learn.ts";
import { addProposals } from "./proposals/proposals.ts";
import { addAnswers } from "./questions/answers.ts";
import { addAsk } from "./questions/ask.ts";
import { addBriefs } from "./questions/brief.ts";
import { addEmbeddings } from "./questions/embeddings.ts";
import { addSearch } from "./questions/search.ts";
import { RefCommand } from "./ref-command.ts";
import { addGmail } from "./scouts/gmail.ts";
import { addScouts } from "./scouts/scouts.ts";
import { addTools } from "./tools/tools.ts";
import { addEvents } from "./work/events.ts";
import { addMemory } from "./work/memory.ts";
import { addNotes } from "./work/notes.ts";
import { addPeople } from "./work/people.ts";
import { addTasks } from "./work/tasks.ts";
import { addWorkFolder } from "./work/work-folder.ts";

const examples = `
Examples:
  scouts up                              the sample mailbox, on this machine
  scouts up --mailbox ~/Takeout.mbox     your own mail
  scouts add feed https://…              another source, while a home runs
  scouts list                            your scouts, and what keeps one from its source
  scouts proposals list --status pending
  scouts proposals approve REF
  scouts spam                            what was dismissed; scouts restore REF takes it back
  scouts open REF                        read an item in full, once
  scouts task add Answer the council --due "next Friday"
  scouts project link PROJECT FOLDER     read a folder, have its files summarised
  scouts search tide tables              what your folders say, without a model
  scouts ask "What is planned for @Garden?"
  scouts gmail setup --help              a real account: see docs/connect-gmail.md

Exit codes:
${Object.entries(exitMeanings)
  .map(([name, meaning]) => `  ${String(exitCodes[name as ExitName]).padStart(3)}  ${meaning}`)
  .join("\n")}
`;

/** Options that may be given several times begin with an empty list, which is not worth a word. */
function describedOption(option: Option): string {
  const { defaultValue, description } = option;
  const isEmpty = typeof defaultValue === "object" && defaultValue !== null && Object.keys(defaultValue).length === 0;
  return isEmpty ? description : new Help().optionDescription(option);
}

/**
 * The command line with all of its commands. It ends nothing by itself: an exit code goes to `exitWith`, and what was
 * typed wrong is thrown as a CommanderError.
 *
 * @param version as `--version` prints it
 */
export function buildProgram(context: CliContext, version: string, exitWith: ExitWith): Command {
  const program = new RefCommand("scouts")
    .description("Scouts watch where your information arrives and hand small proposals to your own devices.")
    .version(version)
    .helpCommand(false)
    .addHelpText("after", examples)
    .configureHelp({ optionDescription: describedOption })
    // Children copy this: errors come back as exceptions and output goes where the context says.
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.io.stdout.write(text),
      writeErr: (text) => void context.io.stderr.write(text),
      getOutHasColors: () => context.io.color,
      // It quotes what was typed, or pasted.
      outputError: (text, write) =>
        write(`${printableLines(shortened(text.replace(/^error: /, "scouts: ").trimEnd()))} (usage)\n`),
    });
  program.commandsGroup("The home:");
  addUp(program, context, exitWith);
  addLogin(program, context);
  addConnect(program, context);
  addConsole(program, context);
  addStatus(program, context);
  addDoctor(program, context, exitWith);
  addUsage(program, context);
  addDevices(program, context);
  program.commandsGroup("Scouts and what they found:");
  addScouts(program, context);
  addProposals(program, context);
  addLearn(program, context);
  program.commandsGroup("Your work:");
  addTasks(program, context);
  addEvents(program, context);
  addNotes(program, context);
  addWorkFolder(program, context);
  addPeople(program, context);
  addMemory(program, context);
  program.commandsGroup("Projects and questions:");
  addProject(program, context, exitWith);
  addSearch(program, context);
  addEmbeddings(program, context);
  addAsk(program, context, exitWith);
  addAnswers(program, context);
  addPassphrase(program, context);
  addBriefs(program, context, exitWith);
  program.commandsGroup("Files for language models:");
  addFileAccess(program, context, exitWith);
  addArtifacts(program, context);
  addConfig(program, context, exitWith);
  addTools(program, context, exitWith);
  program.commandsGroup("Running it:");
  addGmail(program, context);
  addOps(program, context);
  addCompletion(program, context);
  return program;
}

/** `--data` as it was given: an error may come before or after the command has read it. */
function dataOptionIn(words: readonly string[]): CommonOptions {
  const at = words.indexOf("--data");
  const joined = words.find((word) => word.startsWith("--data="))?.slice("--data=".length);
  const data = joined ?? (at === -1 ? undefined : words[at + 1]);
  return data === undefined ? {} : { data };
}

/** Whether a program reads the answer. Asked of the words: what is wrong with them may be what failed. */
const wantsJson = (words: readonly string[]): boolean => {
  const end = words.indexOf("--");
  return words.slice(0, end === -1 ? undefined : end).includes("--json");
};

/** Runs one command line (without node and script) and resolves with the exit code. Errors are told on stderr; with `--json` the last thing on stdout is what they are (docs/device.md). */
export async function runCommand(words: readonly string[], context: CliContext, version: string): Promise<ExitCode> {
  let exitCode: ExitCode = exitCodes.done;
  const program = buildProgram(context, version, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...words], { from: "user" });
    return exitCode;
  } catch (error) {
    return tellFailure(error, words, context);
  }
}

/** Tells of what a command line failed of, and keeps what nobody expected. @returns how the process is to end */
export function tellFailure(error: unknown, words: readonly string[], context: CliContext): ExitCode {
  const failure = failureOf(error, {
    keep: (thrown) => keepError(dataFolderOf(context, dataOptionIn(words)), thrown, context.now()),
    debug: context.environment.SCOUTS_DEBUG !== undefined,
  });
  if (failure.json !== undefined && wantsJson(words)) outputOn(context.io).json(failure.json);
  if (failure.line !== undefined) context.io.stderr.write(`${failure.line}\n`);
  return failure.exitCode;
}
