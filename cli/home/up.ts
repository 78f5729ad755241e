import path from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { requireOwnHome } from "../../device/connect/devices/home-folder.ts";
import type { ExitWith } from "../context.ts";
import { type CliContext, type CommonOptions, dataFolderOf, wholeNumber, withCommonOptions } from "../context.ts";
import type { UpOptions } from "./up-options.ts";

interface UpFlags extends CommonOptions {
  readonly mailbox?: string;
  readonly port?: number;
  readonly once?: boolean;
  readonly seed?: number;
  readonly hostile?: boolean;
  readonly since?: number;
  readonly limit?: number;
  readonly labels?: readonly string[];
}

/** `scouts up`: the whole system on this machine. The local home is loaded only here. */
export function addUp(program: Command, context: CliContext, exitWith: ExitWith): void {
  const command = program
    .command("up")
    .summary("run everything on this machine: cloud half, a scout on a mailbox, a device")
    .description(
      "Runs the cloud half, a scout on a mailbox and a device on this machine, shows the proposals, and stays up: mail that " +
        "arrives in the mailbox is judged and proposed. Ctrl-C stops it; started again on the same data folder it goes on.",
    )
    .option(
      "--mailbox <path>",
      "mbox file, Maildir or folder of .eml (default: the one this home was begun with, at first a small sample mailbox)",
      given,
    )
    .option("--since <date>", "look at mail of this day (2026-03-31) or later only", day)
    .option("--limit <number>", "look at the newest so many only", wholeNumber(1, 10_000_000))
    .option("--labels <list>", "look at mail with one of these labels of a Takeout export only", list)
    .option("--port <number>", "loopback port of the gateway (default: any free one)", wholeNumber(1, 65_535))
    .option("--once", "drain the mailbox, print the summary and end")
    .option("--seed <number>", "seed of the hostile order of events", wholeNumber(0, 2 ** 32 - 1))
    .option("--hostile", "duplicate, reorder, throttle and crash on purpose");

  withCommonOptions(command).action(async (flags: UpFlags) => {
    const { mailbox, port, seed, since, limit, labels } = flags;
    const lookAt = {
      ...(since === undefined ? {} : { sinceMs: since }),
      ...(limit === undefined ? {} : { limit }),
      ...(labels === undefined ? {} : { labels }),
    };
    const options: UpOptions = {
      dataFolder: dataFolderOf(context, flags),
      once: flags.once ?? false,
      json: flags.json ?? false,
      hostile: flags.hostile ?? false,
      ...(mailbox === undefined ? {} : { mailbox: path.resolve(context.workingFolder, mailbox) }),
      ...(Object.keys(lookAt).length === 0 ? {} : { lookAt }),
      ...(port === undefined ? {} : { port }),
      ...(seed === undefined ? {} : { seed }),
    };
    requireOwnHome(options.dataFolder);
    const { run } = await import("../up/up.ts");
    exitWith(await run(options, context.io, context));
  });
}

/** A variable that was not set names no mailbox, and not the sample. */
function given(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("It names no mailbox.");
}

/** The first moment of a day, here. */
function day(text: string): number {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? [];
  const at = year === undefined || month === undefined ? undefined : new Date(year, month - 1, date);
  // The calendar rolls the 31st of June over to July.
  if (at?.getMonth() === (month ?? 0) - 1) return at.getTime();
  throw new InvalidArgumentError("It is not a day as 2026-03-31.");
}

function list(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  const some = names.filter((name) => name !== "");
  if (some.length > 0) return some;
  throw new InvalidArgumentError("It names no label: give one or several, with commas.");
}
