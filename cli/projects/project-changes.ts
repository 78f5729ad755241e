import type { Command } from "commander";
import { DeviceError } from "../../device/errors.ts";
import { heldBy, removeProject, renameProject } from "../../device/projects/change-projects.ts";
import { type CliContext, type CommonOptions, withCommonOptions, withStore } from "../context.ts";
import { counted } from "../output/counted.ts";
import { printable } from "../output/printable.ts";
import { projectNamed } from "./project-named.ts";
import { forPrograms } from "./project-report.ts";

interface RemoveFlags extends CommonOptions {
  readonly yes?: boolean;
}

/** `scouts project rename` and `remove`. */
export function addProjectChanges(project: Command, context: CliContext): void {
  const rename = project
    .command("rename")
    .description("call a project otherwise; everything in it stays")
    .argument("<project>", "name or id of a project")
    .argument("<name>", "what it is called from now on");
  withCommonOptions(rename).action((text: string, name: string, flags: CommonOptions) =>
    withStore(context, flags, (store, output) => {
      const before = projectNamed(store, text);
      const renamed = renameProject(store, before.id, name);
      if (flags.json) output.json(forPrograms(renamed));
      else output.line(`renamed  ${printable(before.name)}  ${printable(renamed.name)}`);
    }),
  );

  const remove = project
    .command("remove")
    .description("forget a project, its folder and answers about it; the files, its tasks and its proposals stay")
    .argument("<project>", "name or id of a project")
    .option("--yes", "really remove it");
  withCommonOptions(remove).action((text: string, flags: RemoveFlags) =>
    withStore(context, flags, (store, output) => {
      const { id, name, folderPath } = projectNamed(store, text);
      if (!flags.yes) {
        const { tasks, proposals } = heldBy(store, id);
        const ofFolder = folderPath === null ? "" : `, what is known of the files in ${folderPath}`;
        const sentence = `Removing ${name} forgets it${ofFolder} and answers about it; ${counted(tasks, "task")} and ${counted(proposals, "proposal")} stay, in no project. Add --yes if you mean it.`;
        throw new DeviceError("usage", { sentence });
      }
      removeProject(store, id, context.now());
      if (flags.json) output.json({ id, removed: true });
      else output.line(`removed  ${printable(name)}`);
    }),
  );
}
