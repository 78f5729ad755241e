import type { Command } from "commander";
import { questionRequest } from "../../device/agent/ask-question.ts";
import type { ExitWith } from "../context.ts";
import { type CliContext, withCommonOptions } from "../context.ts";
import { projectNamed } from "../projects/project-named.ts";
import { type AgentFlags, agentCommand } from "./agent-command.ts";

interface AskFlags extends AgentFlags {
  readonly project?: string;
  readonly followUp?: boolean;
  readonly continue?: string;
}

export const agentExitCodes = `
Exit codes: 0 answered, 1 failed, 7 a limit of the run was reached, 8 the month's tokens are used up, 130 cancelled.
`;

/** `scouts ask`: a question, answered from the person's own files. */
export function addAsk(program: Command, context: CliContext, exitWith: ExitWith): void {
  const command = program
    .command("ask")
    .summary("ask a question, answered from your files, messages and work")
    .description(
      "Asks a question. With a project, named by --project or as @Name in the question, the files of its linked folder " +
        "are looked at first; without one also what your scouts proposed, your tasks, events and notes. All of it is read " +
        "on this device, and only what the answer needs is shown to the model. What an answer puts in quotation marks is " +
        "held against what was read: words that stand nowhere in it are said to.",
    )
    .argument("<question...>", "the question")
    .option("--project <project>", "name or id of a project")
    .option("--follow-up", "go on from the latest answer, of the project where one is named")
    .option("--continue <answer>", "go on from this answer; see: scouts answers list")
    .option("--no-rescan", "do not read a folder again that has changed")
    .addHelpText("after", agentExitCodes);
  withCommonOptions(command).action((words: string[], flags: AskFlags) =>
    agentCommand(context, flags, exitWith, (store) => {
      const projectId = flags.project === undefined ? undefined : projectNamed(store, flags.project).id;
      const goesOnFrom = flags.continue ?? (flags.followUp ? "latest" : undefined);
      return questionRequest(store, { text: words.join(" "), projectId, goesOnFrom });
    }),
  );
}
