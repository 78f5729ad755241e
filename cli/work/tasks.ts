import { type Command, Option } from "commander";
import type { Task } from "../../device/work/entities.ts";
import { entityNamed } from "../../device/work/find-entity.ts";
import { taskDraft } from "../../device/work/said-drafts.ts";
import { tasksInOrder } from "../../device/work/tasks/task-order.ts";
import { setTaskStatus } from "../../device/work/tasks/task-status.ts";
import { type Priority, priorities } from "../../events/proposals/categorize.ts";
import { type CliContext, type CommonOptions, hereOf, withCommonOptions, withStore, zoneOf } from "../context.ts";
import { projectNamed } from "../projects/project-named.ts";
import { dueText } from "./date-options.ts";
import { addVerbs, showList, told, type WorkCommands } from "./entity-commands.ts";
import { addTaskFiles } from "./task-files.ts";

interface TaskFlags extends CommonOptions {
  readonly due?: string;
  readonly priority?: Priority;
  readonly project?: string;
  readonly note?: string;
}

interface ListFlags extends CommonOptions {
  readonly project?: string;
  readonly all?: boolean;
}

/** `scouts task …`: what is to be done. Only the person makes and ends tasks. */
export function addTasks(program: Command, context: CliContext): void {
  const commands = taskCommands(context);
  const group = addVerbs(program, context, commands, (title) => ({ title }));

  const list = group
    .command("list")
    .description("list open tasks: those due first, then by priority")
    .option("--project <project>", "only those of one project")
    .option("--all", "those that are done as well");
  withCommonOptions(list).action((flags: ListFlags) =>
    withStore(context, flags, (store, output) => {
      const project = flags.project === undefined ? undefined : projectNamed(store, flags.project);
      const rows = tasksInOrder(store.work.task.list(), zoneOf(context)).filter(
        ({ status, projectId }) =>
          (flags.all === true || status === "open") && (project === undefined || projectId === project.id),
      );
      if (flags.json) output.json(rows.map((row) => ({ ...row, project: projectName(store.projects.list(), row) })));
      else showList(output, store, commands, rows);
    }),
  );

  addTaskFiles(group, context);

  for (const [verb, status] of [
    ["done", "done"],
    ["reopen", "open"],
  ] as const) {
    const command = group
      .command(verb)
      .description(status === "done" ? "mark a task as done" : "mark a task as open again")
      .argument("<task>", "id of a task, its end, or (a part of) its title");
    withCommonOptions(command).action((text: string, flags: CommonOptions) =>
      withStore(context, flags, (store, output) => {
        const { id } = entityNamed(store, "task", text);
        const verb = status === "done" ? "done" : "reopened";
        told(context, output, flags, verb, setTaskStatus(store, id, status, context.now()));
      }),
    );
  }
}

const projectName = (projects: readonly { id: string; name: string }[], { projectId }: Task): string =>
  projects.find(({ id }) => id === projectId)?.name ?? "";

const taskCommands = (context: CliContext): WorkCommands<"task", TaskFlags> => ({
  kind: "task",
  description: "what is to be done: add, list, done",
  named: { argument: "title", description: "what is to be done", field: "title" },
  options: (command) =>
    command
      .option("--due <date>", "2026-11-27, 2026-11-27T17:00, or words such as next Friday; none takes it away")
      .addOption(new Option("--priority <priority>", "how soon").choices(priorities))
      .option("--project <project>", "name or id of its project; none takes it out of one")
      .option("--note <text>", "what else is to be known"),
  async draft(store, { due, priority, project, note }) {
    const projectId = project === undefined || project === "none" ? null : projectNamed(store, project).id;
    return taskDraft({ due, priority, note, ...(project !== undefined && { projectId }) }, hereOf(context));
  },
  columns(store) {
    const projects = store.projects.list();
    return [
      { title: "STATUS", cell: ({ status }) => status },
      { title: "DUE", cell: ({ due }) => dueText(due, zoneOf(context)) },
      { title: "PRIORITY", cell: ({ priority }) => (priority === "none" ? "" : priority) },
      { title: "PROJECT", cell: (task) => projectName(projects, task), least: 8 },
      { title: "TITLE", cell: ({ title }) => title, fills: true },
      { title: "ID", cell: ({ id }) => id },
    ];
  },
  facts: (store, task) => [
    ["status", task.status],
    ["due", dueText(task.due, zoneOf(context))],
    ["priority", task.priority === "none" ? "" : task.priority],
    ["project", projectName(store.projects.list(), task)],
  ],
  text: ({ note }) => note,
});
