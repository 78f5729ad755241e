import path from "node:path";
import type { Command } from "commander";
import { type CliContext, type CommonOptions, dataFolderOf, wholeNumber, withCommonOptions } from "../context.ts";
import type { UpOptions } from "./up-options.ts";

interface UpFlags extends CommonOptions {
  readonly mailbox?: string;
  readonly port?: number;
  readonly once?: boolean;
  readonly seed?: number;
  readonly hostile?: boolean;
}

/** `scouts up`: the whole system on this machine. The local home is loaded only here. */
export function addUp(program: Command, context: CliContext, exitWith: (code: number) => void): void {
  const command = program
    .command("up")
    .summary("run everything on this machine: cloud half, a scout on a mailbox, a device")
    .description(
      "Runs the cloud half, a scout on a mailbox and a device on this machine, shows the proposals, and stays up: mail that " +
        "arrives in the mailbox is judged and proposed. Ctrl-C stops it; started again on the same data folder it goes on.",
    )
    .option("--mailbox <path>", "mbox file, Maildir or folder of .eml (default: a small sample mailbox)")
    .option("--port <number>", "loopback port of the gateway (default: any free one)", wholeNumber(1, 65_535))
    .option("--once", "drain the mailbox, print the summary and end")
    .option("--seed <number>", "seed of the hostile order of events", wholeNumber(0, 2 ** 32 - 1))
    .option("--hostile", "duplicate, reorder, throttle and crash on purpose");

  withCommonOptions(command).action(async (flags: UpFlags) => {
    const { mailbox, port, seed } = flags;
    const options: UpOptions = {
      dataFolder: dataFolderOf(context, flags),
      once: flags.once ?? false,
      json: flags.json ?? false,
      hostile: flags.hostile ?? false,
      ...(mailbox === undefined ? {} : { mailbox: path.resolve(context.workingFolder, mailbox) }),
      ...(port === undefined ? {} : { port }),
      ...(seed === undefined ? {} : { seed }),
    };
    const { run } = await import("../up/up.ts");
    exitWith(await run(options, context.io));
  });
}
