import type { Command } from "commander";
import { homeOf } from "../../device/connect/deployed-home.ts";
import { DeviceError, isDeviceError } from "../../device/errors.ts";
import { exitCodes } from "../../device/exit-codes.ts";
import type { Linking } from "../../device/folders/indexer/link-folder.ts";
import type { Rescan, RescanOptions } from "../../device/folders/indexer/rescan-project.ts";
import { asWord } from "../../device/shell-words.ts";
import type { Project } from "../../device/store/folder-schema.ts";
import type { ExitWith } from "../context.ts";
import { type CliContext, type CommonOptions, dataFolderOf, withCommonOptions, withStore } from "../context.ts";
import { requireModel } from "../home/running-home.ts";
import type { Output } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { type BucketOptions, folderGiven, withBucketOptions } from "./bucket-options.ts";
import { projectNamed } from "./project-named.ts";
import { rescanForPrograms, scanProgress, showRescan } from "./project-report.ts";

/** What a scan came to, and what became of the link where that was to be made. */
type Ended = Rescan & Partial<Pick<Linking, "isLinked" | "replaced" | "keepsSettings">>;

/** `scouts project link` and `rescan`: both read a folder, have it summarised, and tell what that came to. */
export function addProjectScans(project: Command, context: CliContext, exitWith: ExitWith): void {
  const scanned = (
    text: string,
    flags: CommonOptions,
    work: (options: RescanOptions, name: string) => Promise<Ended>,
  ) =>
    withStore(context, flags, async (store, output) => {
      const { io } = context;
      const found = projectNamed(store, text);
      const dataFolder = dataFolderOf(context, flags);
      const api = homeOf(dataFolder, context.now);
      // Files are sent to be summarised: without a model that would wait for it without end.
      await requireModel(dataFolder, io);
      // What the other commands do not need is not loaded for them.
      const [{ systemPorts }, { openContentChannel }] = await Promise.all([
        import("../../device/connection/ports.ts"),
        import("../../device/connection/content/content-channel.ts"),
      ]);
      const { deviceId } = store.identity.get();
      const progress = scanProgress(io, flags.json === true);
      const options = {
        store,
        api,
        projectId: found.id,
        clock: systemPorts.clock,
        openContent: () => openContentChannel({ api, deviceId, ports: systemPorts }),
        signal: io.signal,
        onProgress: progress.show,
        onFit: progress.fit,
      };
      const ended = await work(options, found.name).finally(progress.finish);
      const { status, reason, error, replaced } = ended;
      if (flags.json)
        output.json({
          ...rescanForPrograms(ended),
          ...(ended.isLinked !== undefined && { replaced: replaced ?? null }),
        });
      else showRescan(output, ended);
      if (replaced !== undefined && !flags.json) showReplaced(output, ended.project, replaced);
      if (ended.keepsSettings && !flags.json) {
        const look = `scouts config show --project ${asWord(found.name)}`;
        output.line(printable(`Your settings for that folder hold for this one too: ${look}`));
      }
      if (reason === undefined) return;
      const outcome = ended.isLinked === false ? " The folder was not linked." : "";
      io.stderr.write(`scouts: ${printable(reason.sentence)}${outcome} (${reason.code})\n`);
      if (status === "cancelled") exitWith(exitCodes.interrupted);
      else exitWith(isDeviceError(error) ? error.exitCode : exitCodes.failed);
    });

  const link = project
    .command("link")
    .summary("link a folder to a project, read it and have its files summarised")
    .description(
      "Links a folder to a project, reads it and has its files summarised by the home that runs here. Nothing in the " +
        "folder is changed. What is left out and what travels is in docs/folders.md.",
    )
    .argument("<project>", "name or id of a project")
    .argument("<folder>", "the folder, or s3://bucket/prefix");
  withBucketOptions(withCommonOptions(link)).action(
    (text: string, folder: string, flags: CommonOptions & BucketOptions) => {
      const folderPath = folderGiven(context, folder, flags);
      return scanned(text, flags, async (options) => {
        const { linkFolder } = await import("../../device/folders/indexer/link-folder.ts");
        return linkFolder({ ...options, folderPath });
      });
    },
  );

  const rescan = project
    .command("rescan")
    .description("read a project's folder again and have summarised what is new or changed")
    .argument("<project>", "name or id of a project");
  withCommonOptions(rescan).action((text: string, flags: CommonOptions) =>
    scanned(text, flags, async (options, name) => {
      const { rescanProject } = await import("../../device/folders/indexer/rescan-project.ts");
      return rescanProject({ ...options, cause: "manual" }).catch((error: unknown) => {
        throw isDeviceError(error, "folder_not_found") ? withAdvice(error, name) : error;
      });
    }),
  );
}

/** A project has one folder: with which words it has the other one again. */
function showReplaced(output: Output, { name, folderPath }: Project, replaced: string): void {
  const back = `scouts project link ${asWord(name)} ${asWord(replaced)}`;
  const what =
    folderPath === null ? `${name} had ${replaced} before` : `${name} has this folder in place of ${replaced}`;
  const sentence = `${what}; nothing there was changed. To go back: ${back}`;
  output.line(output.style("yellow", printable(sentence)));
}

/** What is to be done about a folder that is gone is the person's to say. */
function withAdvice(error: DeviceError, name: string): DeviceError {
  if (error.exact?.about === "emptied") return error;
  const { exact, message, cause } = error;
  const found = exact?.about === "at" ? `Folder not found: ${exact.values["path"]}` : message;
  const again = `scouts project link ${asWord(name)} <folder>`;
  const sentence = `${found}. What is known of its files is kept. Link it where it is now (${again}), or forget it (scouts project unlink ${asWord(name)}).`;
  return new DeviceError("folder_not_found", { sentence, cause });
}
