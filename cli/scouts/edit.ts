import { type Command, Option } from "commander";
import { DeviceError } from "../../device/errors.ts";
import { editSource } from "../../device/sources/edit-source.ts";
import { type ChangeScoutRequest, longestRestDays } from "../../events/http/scouts.ts";
import { type CliContext, type CommonOptions, hereOf, wholeNumber, withCommonOptions } from "../context.ts";
import { type ConsentFlags, consentFor, withConsentOptions } from "./consent.ts";
import { scoutArgument, withHome } from "./scouts-home.ts";
import { showScout } from "./shown/shown-scouts.ts";

/** The word that gives a scout its ordinary schedule back. */
const ordinary = "default";

interface EditFlags extends CommonOptions, ConsentFlags {
  readonly name?: string;
  readonly purpose?: string;
  readonly schedule?: string;
  readonly pauseAfterDays?: number | typeof ordinary;
  readonly autoTrash?: "on" | "off";
}

function changeOf({ name, purpose, schedule, pauseAfterDays, autoTrash }: EditFlags): ChangeScoutRequest {
  const change = {
    ...(name === undefined ? {} : { name }),
    ...(purpose === undefined ? {} : { purpose }),
    ...(pauseAfterDays === undefined ? {} : { pauseAfterDays: pauseAfterDays === ordinary ? null : pauseAfterDays }),
    ...(schedule === undefined ? {} : { schedule: schedule === ordinary ? null : schedule }),
    ...(autoTrash === undefined ? {} : { autoTrash: autoTrash === "on" }),
  };
  if (Object.keys(change).length > 0) return change;
  throw new DeviceError("usage", {
    sentence: "Say what to change: --name, --purpose, --schedule, --pause-after-days or --auto-trash.",
  });
}

/** `scouts edit`: what is said of a scout, when it is polled, whether it may move spam to Trash. */
export function addEdit(program: Command, context: CliContext): void {
  const command = program
    .command("edit")
    .summary("change a scout's name, purpose, schedule, rest or auto-trash")
    .description(
      "Changes a scout; what is not named stays as it is. Another purpose counts for what is judged from now on. Letting a " +
        "scout move spam to Trash asks for your consent at the source, where that is yet to be given.",
    )
    .addArgument(scoutArgument())
    .option("--name <text>", "what it is called")
    .option("--purpose <text>", "what it is to look for, in your words")
    .option("--schedule <cron>", `when it is polled, in UTC ("0 7 * * *"); "${ordinary}" for every 15 minutes`)
    .option(
      "--pause-after-days <number>",
      `rests after so many days without a device of yours; "${ordinary}" for 14`,
      (text) => (text === ordinary ? ordinary : wholeNumber(1, longestRestDays)(text)),
    )
    .addOption(new Option("--auto-trash <switch>", "whether it may move spam to Trash").choices(["on", "off"]));
  withCommonOptions(withConsentOptions(command)).action((text: string, flags: EditFlags) =>
    withHome(context, flags, async (api, output) => {
      const change = changeOf(flags);
      const why = "Moving spam to Trash needs your consent.";
      const scout = await editSource(api, text, change, () => consentFor(context, flags, why));
      if (flags.json) output.json(scout);
      else showScout(output, scout, hereOf(context));
    }),
  );
}
