import { type Command, Option } from "commander";
import { askCloud } from "../../device/connect/cloud-api.ts";
import { DeviceError } from "../../device/errors.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { type ChangeScoutRequest, scoutResponse } from "../../events/http.ts";
import { type CliContext, type CommonOptions, dataFolderOf, withCommonOptions } from "../context.ts";
import { changeWithConsent } from "./auto-trash.ts";
import { findScout, pathOf, scoutArgument, withHome } from "./scouts-home.ts";
import { showScout } from "./shown-scouts.ts";

interface EditFlags extends CommonOptions {
  readonly name?: string;
  readonly purpose?: string;
  readonly schedule?: string;
  readonly autoTrash?: "on" | "off";
}

/** The word that gives a scout its ordinary schedule back. */
const ordinary = "default";

function changeOf({ name, purpose, schedule, autoTrash }: EditFlags): ChangeScoutRequest {
  const change = {
    ...(name === undefined ? {} : { name }),
    ...(purpose === undefined ? {} : { purpose }),
    ...(schedule === undefined ? {} : { schedule: schedule === ordinary ? null : schedule }),
    ...(autoTrash === undefined ? {} : { autoTrash: autoTrash === "on" }),
  };
  if (Object.keys(change).length > 0) return change;
  throw new DeviceError("usage", { sentence: "Say what to change: --name, --purpose, --schedule or --auto-trash." });
}

/** `scouts edit`: what is said of a scout, when it is polled, whether it may move spam to Trash. */
export function addEdit(program: Command, context: CliContext): void {
  const command = program
    .command("edit")
    .summary("change a scout's name, purpose, schedule or auto-trash")
    .description(
      "Changes a scout; what is not named stays as it is. Another purpose counts for what is judged from now on. Letting a " +
        "scout move spam to Trash asks for your consent at the source, where that is yet to be given.",
    )
    .addArgument(scoutArgument())
    .option("--name <text>", "what it is called")
    .option("--purpose <text>", "what it is to look for, in your words")
    .option("--schedule <cron>", `when it is polled, in UTC ("0 7 * * *"); "${ordinary}" for every 15 minutes`)
    .addOption(new Option("--auto-trash <switch>", "whether it may move spam to Trash").choices(["on", "off"]));
  withCommonOptions(command).action((text: string, flags: EditFlags) =>
    withHome(context, flags, async (api, output) => {
      const change = changeOf(flags);
      const { id } = await findScout(api, text);
      const scout =
        change.autoTrash === true
          ? await changeWithConsent(context, api, id, consenter(context, flags), change)
          : await askCloud(api, "PATCH", pathOf(id), scoutResponse, change);
      if (flags.json) output.json(scout);
      else showScout(output, scout);
    }),
  );
}

const consenter = (context: CliContext, flags: CommonOptions) => ({
  deviceId: deviceOf(context, flags),
  dataFolder: dataFolderOf(context, flags),
});

/** A consent is bound to the device that asks for it; the first command on a data folder may be this one. */
export function deviceOf(context: CliContext, flags: CommonOptions) {
  const store = openDeviceStore({ dataFolder: dataFolderOf(context, flags), now: context.now, newId: context.newId });
  try {
    return store.identity.get().deviceId;
  } finally {
    store.close();
  }
}
