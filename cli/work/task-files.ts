import { type Command, Option } from "commander";
import { entityNamed } from "../../device/work/find-entity.ts";
import { exportTasks, type TaskForm, takeTasks, taskForms } from "../../device/work/interchange/export-work.ts";
import { type CliContext, type CommonOptions, hereOf, withCommonOptions, withStore, zoneOf } from "../context.ts";
import { counted } from "../output/counted.ts";
import { printable } from "../output/printable.ts";
import { lateProgress } from "../output/progress.ts";
import { readWhole, writeOut, writeWhole } from "./interchange-file.ts";

interface FileFlags extends CommonOptions {
  readonly form?: TaskForm;
  readonly to?: string;
}

const formOption = () =>
  new Option("--form <form>", "how the file is written (default: by its name, .md or else todo.txt)").choices(
    taskForms,
  );

const formOf = ({ form }: FileFlags, file: string | undefined): TaskForm =>
  form ?? (file !== undefined && /\.(?:md|markdown)$/i.test(file) ? "markdown" : "todo.txt");

/** `task export` and `task import`: todo.txt, and lists of Markdown. */
export function addTaskFiles(group: Command, context: CliContext): void {
  const out = group
    .command("export")
    .summary("write tasks as todo.txt or Markdown")
    .description(
      "Writes one task, or all of them, as todo.txt or as a list of Markdown. A file that is there is replaced whole.",
    )
    .argument("[task]", "id of a task, its end, or (a part of) its title; all when absent")
    .option("--to <path>", "the file; standard output when absent")
    .addOption(formOption());
  withCommonOptions(out).action((text: string | undefined, flags: FileFlags) =>
    withStore(context, flags, (store, output) => {
      const one = text === undefined ? undefined : entityNamed(store, "task", text).id;
      const { text: written, count } = exportTasks(store, formOf(flags, flags.to), zoneOf(context), one);
      if (flags.to === undefined) {
        if (flags.json) output.json({ text: written });
        else writeOut(context, written);
        return;
      }
      const file = writeWhole(context, flags.to, written);
      if (flags.json) output.json({ file, tasks: count });
      else output.line(`written  ${counted(count, "task")}  ${printable(file)}`);
    }),
  );

  const take = group
    .command("import")
    .summary("take tasks from todo.txt or Markdown")
    .description(
      "Takes the tasks of a file, and none where one of them cannot be kept. Those that were written from a task of this device " +
        "change that one; those that say what another says already are passed over, so an interrupted import goes on when the " +
        "same file is imported again.",
    )
    .argument("<file>", "the file")
    .addOption(formOption());
  withCommonOptions(take).action((file: string, flags: FileFlags) =>
    withStore(context, flags, async (store, output) => {
      const text = await readWhole(context, file);
      const { io } = context;
      const progress = lateProgress(io, flags.json, "Importing");
      const told = (done: number, total: number) => progress?.update({ done, total });
      const taking = takeTasks(store, formOf(flags, file), text, hereOf(context), told, io.signal);
      const imported = await taking.finally(() => progress?.finish());
      if (flags.json) output.json(imported);
      else {
        const { added, changed, unchanged } = imported;
        output.line(`${added} added, ${changed} changed, ${unchanged} known already`);
      }
    }),
  );
}
