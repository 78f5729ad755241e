import type { Command } from "commander";
import { askCloud } from "../../device/connect/cloud-api.ts";
import { connectGmail } from "../../device/connect/connect-gmail.ts";
import { DeviceError } from "../../device/errors.ts";
import { ScoutsError } from "../../events/errors.ts";
import { type ScoutResponse, scoutResponse } from "../../events/http.ts";
import { type CliContext, type CommonOptions, dataFolderOf, withCommonOptions } from "../context.ts";
import { printable } from "../output/printable.ts";
import { consentOpener, consentSignal } from "./consent.ts";
import { deviceOf } from "./edit.ts";
import { withKnownScouts } from "./known-scouts.ts";
import { findScout, pathOf, scoutArgument, withHome } from "./scouts-home.ts";

interface ReconnectFlags extends CommonOptions {
  readonly printUrl?: boolean;
}

/** The kinds of source one consents to. */
const consentSources: ReadonlySet<string> = new Set(["gmail"]);

/** What a scout may do at its source stays as it was: who lets it move spam to Trash is asked for that right again. */
async function consentAgain(
  context: CliContext,
  flags: ReconnectFlags,
  api: Parameters<typeof connectGmail>[0],
  { id, name, autoTrash }: ScoutResponse,
): Promise<void> {
  const why = `${printable(name)} needs your consent to read its source.`;
  await connectGmail(api, {
    scoutId: id,
    deviceId: deviceOf(context, flags),
    openConsent: consentOpener(context, dataFolderOf(context, flags), why, flags.printUrl ?? false),
    signal: consentSignal(context),
    autoTrash,
  });
}

/** `scouts reconnect`: a new consent for a scout that lost its source; it goes on where it had stopped. */
export function addReconnect(program: Command, context: CliContext): void {
  const command = program
    .command("reconnect")
    .summary("give a scout access to its source again")
    .description(
      "Opens the source's consent page, and when you have consented reads the source at once to see that it works. The " +
        "scout goes on where it had stopped: what arrived meanwhile is looked at.",
    )
    .addArgument(scoutArgument())
    .option("--print-url", "only print the address of the consent page, to be opened by yourself");
  withCommonOptions(command).action((text: string, flags: ReconnectFlags) =>
    withHome(context, flags, async (api, output) => {
      const before = await findScout(api, text);
      if (!consentSources.has(before.sourceType)) {
        const sentence = `${before.name} reads a ${before.sourceType}, which needs no consent; see: scouts health ${before.name}`;
        throw new DeviceError("usage", { sentence });
      }
      await consentAgain(context, flags, api, before);
      const scout = await askCloud(api, "GET", pathOf(before.id), scoutResponse);
      // The source was read while the consent was completed; whatever switched it off since is told as it is.
      if (scout.disabledCode !== null) throw new ScoutsError(scout.disabledCode);
      withKnownScouts(context, flags, (known) => known.mended(scout.id));
      if (flags.json) return output.json(scout);
      output.line(`reconnected  ${printable(scout.name)}`);
      output.line(
        scout.paused
          ? "Its source can be read. It is paused; `scouts resume` lets it go on where it had stopped."
          : "Its source can be read. What arrived meanwhile is looked at now.",
      );
    }),
  );
}
