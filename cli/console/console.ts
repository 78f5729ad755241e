import type { Command } from "commander";
import { openPageFile } from "../../device/connect/open-browser.ts";
import { makeLaunch } from "../../device/console/entrance/launch-codes.ts";
import { consoleFolder, findConsole } from "../../device/console/presence.ts";
import { type CliContext, type CommonOptions, dataFolderOf, withCommonOptions } from "../context.ts";
import { outputOn } from "../output/output.ts";

interface ConsoleFlags extends CommonOptions {
  readonly printUrl?: boolean;
  readonly printAddress?: boolean;
}

/** `scouts console`: the device's page, opened in the browser. */
export function addConsole(program: Command, context: CliContext): void {
  const command = program
    .command("console")
    .summary("open the device's page in the browser")
    .description(
      "Opens the page that `scouts up` or `scouts connect` serves on this data folder. Each opening has a code of its own, " +
        "good once and for a minute.",
    )
    .option("--print-url", "print the address instead; it opens the page once, within a minute");
  command.option("--print-address", "print where it is served, for programs with a token of their own (docs/files.md)");
  withCommonOptions(command).action((flags: ConsoleFlags) => {
    const dataFolder = dataFolderOf(context, flags);
    const origin = findConsole(dataFolder);
    if (flags.printAddress) {
      const shown = outputOn(context.io);
      return flags.json ? shown.json({ origin }) : shown.line(origin);
    }
    const { file, url } = makeLaunch(consoleFolder(dataFolder), origin, context.now());
    const output = outputOn(context.io);
    if (flags.printUrl) {
      if (flags.json) output.json({ url });
      else output.line(url);
      return;
    }
    openPageFile(file);
    if (flags.json) output.json({ origin });
    else output.line(`Opening ${origin} in your browser. If nothing opens: scouts console --print-url`);
  });
}
