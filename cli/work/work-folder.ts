import { type Command, Option } from "commander";
import { DeviceError } from "../../device/errors.ts";
import { leftOutSentence } from "../../device/work/folder/left-out.ts";
import { chooseWorkFolder, leaveWorkFolder, workFolder } from "../../device/work/folder/work-folder.ts";
import { type CliContext, type CommonOptions, withCommonOptions, withStore } from "../context.ts";
import { pathGiven } from "../given-path.ts";
import { counted } from "../output/counted.ts";
import { printable } from "../output/printable.ts";

/** `scouts work-folder`: notes and events as files, in a folder of the person's own. */
export function addWorkFolder(program: Command, context: CliContext): void {
  const command = program
    .command("work-folder")
    .summary("keep notes and a calendar as files in a folder of yours")
    .description(
      "Keeps your notes as Markdown files (notes/*.md) and your events as a calendar file (calendar.ics) in a folder, after each " +
        "change, and takes what you change there: a note's text, a new file, an event. What has changed on both sides stays as " +
        "you left it, and is said. Without a folder it brings both to the same now.",
    )
    .argument("[folder]", "the folder; made when only its last part is missing")
    .addOption(new Option("--off", "write there no more; what is there stays"));
  withCommonOptions(command).action((folder: string | undefined, flags: CommonOptions & { off?: boolean }) =>
    withStore(context, flags, async (store, output) => {
      if (flags.off && folder !== undefined)
        throw new DeviceError("usage", { sentence: "Give a folder or --off, and not both." });
      if (flags.off) leaveWorkFolder(store);
      const isMade = !flags.off && folder !== undefined && chooseWorkFolder(store, pathGiven(context, folder));
      if (isMade && !flags.json) output.line(`Made the folder ${printable(workFolder(store) ?? "")}.`);
      const { syncWorkFolder } = await import("../../device/work/folder/sync-folder.ts");
      const synced = await syncWorkFolder(store, context.now());
      const chosen = workFolder(store);
      if (flags.json) return output.json({ folder: chosen ?? null, isMade, ...synced });
      if (synced === undefined || chosen === undefined)
        return output.line("No folder is chosen: scouts work-folder FOLDER");
      output.line(
        `${printable(chosen)}: ${counted(synced.written.length, "file")} written, ${synced.taken.length} taken from there`,
      );
      for (const sentence of [...synced.conflicts, ...synced.leftOut.map(leftOutSentence)])
        output.line(`  ${printable(sentence)}`);
    }),
  );
}
