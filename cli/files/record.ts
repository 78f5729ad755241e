import type { Command } from "commander";
import type { CliContext } from "../context.ts";
import { printable } from "../output/printable.ts";
import { type ProjectOptions, withProject, withProjectOptions } from "../projects/project-context.ts";

/** `scouts files record`: what other programs changed becomes part of the history. */
export function addRecord(files: Command, context: CliContext): void {
  const command = files
    .command("record")
    .summary("take changes made outside into the history")
    .description(
      "Makes what other programs have changed a version of its own: of the files named, or of all that have a history. " +
        "The files are left alone.",
    )
    .argument("[paths...]", "these files, also when they have no history yet");
  withProjectOptions(command).action((paths: string[], flags: ProjectOptions) =>
    withProject(context, flags, async ({ output, run }) => {
      const result = await run("record_changes", paths.length === 0 ? {} : { paths });
      if (flags.json) return output.json(result);
      for (const { path, change, versionId } of result.recorded) {
        output.line(`${change}  ${printable(path)}  ${versionId}`);
      }
      if (result.recorded.length + result.notes.length === 0) output.line("Nothing has changed outside.");
      for (const note of result.notes) output.line(printable(note));
    }),
  );
}
