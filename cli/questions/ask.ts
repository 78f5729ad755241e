import { type Command, Option } from "commander";
import { questionRequest } from "../../device/agent/ask-question.ts";
import type { ExitWith } from "../context.ts";
import { type CliContext, dataFolderOf, withCommonOptions } from "../context.ts";
import { canAsk } from "../output/yes-or-no.ts";
import { projectNamed } from "../projects/project-named.ts";
import { type AgentFlags, agentCommand } from "./agent-command.ts";
import type { WrittenQuestion } from "./editor.ts";

interface AskFlags extends AgentFlags {
  readonly project?: string;
  readonly followUp?: boolean;
  readonly continue?: string;
  readonly attach: readonly string[];
  readonly edit?: boolean;
}

export const agentExitCodes = `
Exit codes: 0 answered, 1 failed, 7 a limit of the run was reached, 8 the month's tokens are used up,
9 the language model cannot be used, 130 cancelled; all others: scouts --help
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
        "held against what was read: words that stand nowhere in it are said to. Without a question, at a terminal, your " +
        "editor is opened ($VISUAL, $EDITOR).",
    )
    .argument("[question...]", "the question")
    .option("--project <project>", "name or id of a project")
    .option("--follow-up", "go on from the latest answer, of the project where one is named")
    .option("--continue <answer>", "go on from this answer; see: scouts answers list")
    .addOption(
      new Option(
        "--attach <what>",
        "give this along: a file, https://…, mcp:SERVER/ADDRESS, proposal:REF, tool:NAME; up to eight",
      )
        .argParser((what: string, before: readonly string[]) => [...before, what])
        .default([], "nothing"),
    )
    .option("--edit", "write the question in your editor")
    .option("--no-rescan", "do not read a folder again that has changed")
    .addHelpText("after", agentExitCodes);
  withCommonOptions(command).action((words: string[], flags: AskFlags) => ask(context, words, flags, exitWith));
}

async function ask(context: CliContext, words: string[], flags: AskFlags, exitWith: ExitWith): Promise<void> {
  let written: WrittenQuestion | undefined;
  await agentCommand(context, flags, exitWith, async (store) => {
    const project = flags.project === undefined ? undefined : projectNamed(store, flags.project);
    const goesOnFrom = flags.continue ?? (flags.followUp ? "latest" : undefined);
    if (flags.edit || (words.length === 0 && canAsk(context.io))) {
      const { writtenQuestion } = await import("./editor.ts");
      written = await writtenQuestion(context, dataFolderOf(context, flags), words.join(" "));
    }
    const text = written?.text ?? words.join(" ");
    const request = questionRequest(store, { text, projectId: project?.id, goesOnFrom });
    if (flags.attach.length === 0) return request;
    const { attachedAtTerminal } = await import("./attachments.ts");
    const of = request.projectId === undefined ? undefined : store.projects.get(request.projectId);
    const attachments = await attachedAtTerminal(context, flags, { store, names: flags.attach, project: of });
    return { ...request, attachments };
  });
  written?.forget();
}
