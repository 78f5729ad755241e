import { type Command, Option } from "commander";
import { DeviceError } from "../../device/errors.ts";
import { type CliContext, type CommonOptions, withCommonOptions, withStore } from "../context.ts";
import { printable } from "../output/printable.ts";
import { table } from "../output/table.ts";
import { projectNamed } from "../projects/project-named.ts";
import { taskNamed } from "./task-named.ts";

interface AddFlags extends CommonOptions {
  readonly project: string;
}

interface ListFlags extends CommonOptions {
  readonly project?: string;
  readonly all?: boolean;
}

/** `scouts task …`: tasks of projects. Only the person makes and ends them. */
export function addTask(program: Command, context: CliContext): void {
  const task = program.command("task").description("tasks of your projects: add, list, done");

  const add = task
    .command("add")
    .description("make a task")
    .argument("<title...>", "what is to be done")
    .addOption(new Option("--project <project>", "name or id of its project").makeOptionMandatory());
  withCommonOptions(add).action((words: string[], flags: AddFlags) =>
    withStore(context, flags, (store, output) => {
      const title = words.join(" ").trim();
      if (title === "") throw new DeviceError("usage", { sentence: "A task needs a title." });
      const made = store.tasks.add(projectNamed(store, flags.project).id, title);
      if (flags.json) output.json(made);
      else output.line(`added  ${printable(made.title)}  ${made.id}`);
    }),
  );

  const list = task
    .command("list")
    .description("list open tasks")
    .option("--project <project>", "only those of one project")
    .option("--all", "those that are done as well");
  withCommonOptions(list).action((flags: ListFlags) =>
    withStore(context, flags, (store, output) => {
      const projects = flags.project === undefined ? store.projects.list() : [projectNamed(store, flags.project)];
      const tasks = projects.flatMap((project) =>
        store.tasks
          .list(project.id)
          .filter(({ status }) => flags.all === true || status === "open")
          .map((each) => ({ ...each, project: project.name })),
      );
      if (flags.json) output.json(tasks);
      else if (tasks.length === 0) output.line("No tasks.");
      else {
        table(output, tasks, [
          { title: "STATUS", cell: ({ status }) => status },
          { title: "PROJECT", cell: ({ project }) => project },
          { title: "TITLE", cell: ({ title }) => title, fills: true },
          { title: "ID", cell: ({ id }) => id },
        ]);
      }
    }),
  );

  const done = task.command("done").description("mark a task as done").argument("<task>", "id or title of a task");
  withCommonOptions(done).action((text: string, flags: CommonOptions) =>
    withStore(context, flags, (store, output) => {
      const finished = store.tasks.setStatus(taskNamed(store, text).id, "done");
      if (flags.json) output.json(finished);
      else output.line(`done  ${printable(finished.title)}`);
    }),
  );
}
