import type { Command } from "commander";
import { DeviceError } from "../../device/errors.ts";
import { entityNamed } from "../../device/work/find-entity.ts";
import type { ExitWith } from "../context.ts";
import { type CliContext, withCommonOptions } from "../context.ts";
import { type AgentFlags, agentCommand } from "./agent-command.ts";
import { agentExitCodes } from "./ask.ts";

const defaultBrief = "What has changed lately in my projects, and what deserves a look?";

/** `scouts brief` and `scouts task-brief`: what is going on, and what a task needs. */
export function addBriefs(program: Command, context: CliContext, exitWith: ExitWith): void {
  const brief = program
    .command("brief")
    .description("what has changed lately in all your projects")
    .argument("[words...]", "what to look at in particular")
    .option("--no-rescan", "do not read a folder again that has changed")
    .addHelpText("after", agentExitCodes);
  withCommonOptions(brief).action((words: string[], flags: AgentFlags) =>
    agentCommand(context, flags, exitWith, () => ({ agent: "brief", message: words.join(" ").trim() || defaultBrief })),
  );

  const taskBrief = program
    .command("task-brief")
    .description("what you need to begin a task, from its project's files")
    .argument("<task>", "id or title of a task")
    .argument("[words...]", "what to look at in particular")
    .option("--no-rescan", "do not read a folder again that has changed")
    .addHelpText("after", agentExitCodes);
  withCommonOptions(taskBrief).action((text: string, words: string[], flags: AgentFlags) =>
    agentCommand(context, flags, exitWith, (store) => {
      const { id, title, projectId } = entityNamed(store, "task", text);
      if (projectId === null) {
        throw new DeviceError("nothing_to_ask", {
          sentence: `The task belongs to no project, so there are no files to answer from; scouts task edit ${id} --project NAME gives it one.`,
        });
      }
      const more = words.join(" ").trim();
      const message = more === "" ? `The task: ${title}` : `The task: ${title}\n\n${more}`;
      return { agent: "task_brief", projectId, taskId: id, message };
    }),
  );
}
