import type { Command } from "commander";
import { age } from "../../device/age.ts";
import { DeviceError } from "../../device/errors.ts";
import { unlinkFolder } from "../../device/folders/indexer/unlink-folder.ts";
import { addProject as makeProject } from "../../device/projects/change-projects.ts";
import { asWord } from "../../device/shell-words.ts";
import { scanInterrupted } from "../../device/store/abandoned-scans.ts";
import type { Project } from "../../device/store/folder-schema.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import type { ExitWith } from "../context.ts";
import { type CliContext, type CommonOptions, dataFolderOf, withCommonOptions, withStore } from "../context.ts";
import { type Output, outputOn } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { table } from "../output/table.ts";
import { addProjectChanges } from "./project-changes.ts";
import { addProjectFiles } from "./project-files.ts";
import { addProjectManifest } from "./project-manifest.ts";
import { projectNamed } from "./project-named.ts";
import { forPrograms } from "./project-report.ts";
import { addProjectScans } from "./project-scans.ts";

const statusStyles = { idle: "green", scanning: "cyan", error: "red" } as const;

function showList(output: Output, projects: readonly Project[], nowMs: number): void {
  if (projects.length === 0) {
    output.line("No projects; `scouts project add` makes one.");
    return;
  }
  table(output, projects, [
    {
      title: "STATUS",
      cell: ({ folderPath, folderLastScanStatus }) => (folderPath === null ? "no folder" : folderLastScanStatus),
      style: ({ folderPath, folderLastScanStatus }) =>
        folderPath === null ? "dim" : statusStyles[folderLastScanStatus],
    },
    { title: "FILES", cell: ({ folderTotalFiles }) => String(folderTotalFiles) },
    {
      title: "SCANNED",
      cell: ({ folderLastScannedAt: at, folderErrorCode: code }) =>
        at === null ? (code === scanInterrupted ? "in part" : "never") : age(at, nowMs),
    },
    { title: "NAME", cell: ({ name }) => name, least: 12 },
    { title: "FOLDER", cell: ({ folderPath }) => folderPath ?? "", fills: true, cutMiddle: true },
    { title: "ID", cell: ({ id }) => id },
  ]);
  for (const { name, folderErrorCode: code, folderErrorSentence } of projects) {
    if (code === null) continue;
    const again = code === scanInterrupted ? ` Run: scouts project rescan ${asWord(name)}` : "";
    output.line(output.style("red", printable(`${name}: ${folderErrorSentence ?? ""} (${code})${again}`)));
  }
}

/** `scouts project …`: projects on this device, each with at most one linked folder. */
export function addProject(program: Command, context: CliContext, exitWith: ExitWith): void {
  const project = program
    .command("project")
    .description("your projects and their folders: add, link, rescan, files, rename, remove");

  const add = project.command("add").description("make a project").argument("<name>", "what it is called");
  withCommonOptions(add).action((text: string, flags: CommonOptions) => {
    // The first command on a data folder may be this one.
    const store = openDeviceStore({ dataFolder: dataFolderOf(context, flags), now: context.now, newId: context.newId });
    try {
      const made = makeProject(store, text);
      const output = outputOn(context.io);
      if (flags.json) output.json(forPrograms(made));
      else output.line(`added  ${printable(made.name)}  ${made.id}`);
    } finally {
      store.close();
    }
  });

  const list = project.command("list").description("list projects and how their folders stand");
  withCommonOptions(list).action((flags: CommonOptions) =>
    withStore(context, flags, (store, output) => {
      const found = store.projects.list();
      if (flags.json) output.json(found.map(forPrograms));
      else showList(output, found, context.now());
    }),
  );

  addProjectScans(project, context, exitWith);

  const unlink = project
    .command("unlink")
    .description("forget a project's folder and what is known of its files; the files stay as they are")
    .argument("<project>", "name or id of a project");
  withCommonOptions(unlink).action((text: string, flags: CommonOptions) =>
    withStore(context, flags, async (store, output) => {
      const { id, name, folderPath } = projectNamed(store, text);
      if (folderPath === null) {
        throw new DeviceError("folder_not_linked", { sentence: `No folder is linked to project ${name}.` });
      }
      const unlinked = unlinkFolder(store, { id });
      if (flags.json) return output.json(forPrograms(unlinked));
      output.line(`unlinked  ${printable(folderPath)}`);
      // What the other commands do not need is not loaded for them.
      const { hasProjectSettings } = await import("../../device/config/personal-config.ts");
      if (hasProjectSettings(store.dataFolder, folderPath)) {
        const sentence = `Your settings of ${folderPath} stay for when it is linked again, and are for no other folder (scouts config set --root).`;
        output.line(output.style("yellow", printable(sentence)));
      }
    }),
  );

  addProjectFiles(project, context);
  addProjectManifest(project, context);
  addProjectChanges(project, context);
}
