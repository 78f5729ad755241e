import type { Command } from "commander";
import { mailOfTask } from "../../device/agent/mail-of-task.ts";
import { whatIsBroken } from "../../device/brief/broken.ts";
import { morningBrief } from "../../device/brief/morning-brief.ts";
import { homeOf } from "../../device/connect/deployed-home.ts";
import { listScouts } from "../../device/connect/list-scouts.ts";
import { mailTroubleOf } from "../../device/doctor/mail-trouble.ts";
import { DeviceError } from "../../device/errors.ts";
import { localTimeAt } from "../../device/work/dates/zone.ts";
import { entityNamed } from "../../device/work/find-entity.ts";
import type { ExitWith } from "../context.ts";
import { type CliContext, dataFolderOf, hereOf, withCommonOptions } from "../context.ts";
import { type AgentFlags, agentCommand, type Opening } from "./agent-command.ts";
import { agentExitCodes } from "./ask.ts";
import { briefForPrograms, showMorningBrief, showProjectNews } from "./shown-brief.ts";
import { brokenForPrograms, showBroken } from "./shown-broken.ts";

const defaultBrief = "What has changed lately in my projects, and what deserves a look?";

/** What the device knows by itself; all of the brief where no folder is linked. */
const opening =
  (context: CliContext, flags: AgentFlags): Opening =>
  async (store, output) => {
    const here = hereOf(context);
    const brief = morningBrief(store, here);
    const scouts = async () => listScouts(homeOf(dataFolderOf(context, flags), context.now));
    const mail = () => mailTroubleOf(store.dataFolder);
    const broken = await whatIsBroken(store, { scouts, mail }, context.now());
    const isAll = store.projects.linked().length === 0;
    if (!flags.json) {
      const today = localTimeAt(here.nowMs, here.zone).slice(0, 10);
      showMorningBrief(output, brief, { ...here, today });
      showBroken(output, broken, context.now());
      output.line(`\n${output.style("bold", "Your projects")}`);
      showProjectNews(output, brief.projects);
      if (isAll) output.line("  no folder is linked: scouts project link PROJECT FOLDER");
    }
    return { isAll, fields: { brief: { ...briefForPrograms(brief, here), broken: brokenForPrograms(broken) } } };
  };

/** `scouts brief` and `scouts task-brief`: what is going on, and what a task needs. */
export function addBriefs(program: Command, context: CliContext, exitWith: ExitWith): void {
  const brief = program
    .command("brief")
    .summary("what waits for you, what the week brings, what has changed in your projects")
    .description(
      "Says what waits for you (the most urgent first, with its sender), the deadlines and events of the next seven days, " +
        "what is broken and how to mend it, and what has changed in your projects, which an agent that reads says more of. " +
        "All but that comes from this device and its home, without a model.",
    )
    .argument("[words...]", "what to look at in particular")
    .option("--no-rescan", "do not read a folder again that has changed")
    .addHelpText("after", agentExitCodes);
  withCommonOptions(brief).action((words: string[], flags: AgentFlags) =>
    agentCommand(
      context,
      flags,
      exitWith,
      () => ({ agent: "brief", message: words.join(" ").trim() || defaultBrief }),
      opening(context, flags),
    ),
  );

  const taskBrief = program
    .command("task-brief")
    .description("what you need to begin a task, from its project's files and the mail it came from")
    .argument("<task>", "id or title of a task")
    .argument("[words...]", "what to look at in particular")
    .option("--no-rescan", "do not read a folder again that has changed")
    .addHelpText("after", agentExitCodes);
  withCommonOptions(taskBrief).action((text: string, words: string[], flags: AgentFlags) =>
    agentCommand(context, flags, exitWith, (store) => {
      const task = entityNamed(store, "task", text);
      const { id, title, projectId } = task;
      const mail = mailOfTask(store, task);
      if (projectId === null && mail === "") {
        throw new DeviceError("nothing_to_ask", {
          sentence: `The task belongs to no project and came from no mail, so there is nothing to answer from; scouts task edit ${id} --project NAME gives it one.`,
        });
      }
      const more = words.join(" ").trim();
      const parts = [`The task: ${title}`, more, mail];
      const message = parts.filter((each) => each !== "").join("\n\n");
      return { agent: "task_brief", projectId: projectId ?? undefined, taskId: id, message };
    }),
  );
}
