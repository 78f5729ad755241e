import { type Command, Option } from "commander";
import { reconnectSource } from "../../device/sources/reconnect-source.ts";
import { findScout } from "../../device/sources/scout-named.ts";
import type { SourceSettings } from "../../events/sources/settings.ts";
import { type CliContext, type CommonOptions, withCommonOptions } from "../context.ts";
import { printable } from "../output/printable.ts";
import { readSecret, type SecretFlags, withSecretOptions } from "./add/secret.ts";
import { readSettings } from "./add/settings.ts";
import { type ConsentFlags, consentFor, withConsentOptions } from "./consent.ts";
import { withKnownScouts } from "./known-scouts.ts";
import { scoutArgument, withHome } from "./scouts-home.ts";
import { sightFacts, sightText } from "./shown/sees-text.ts";

interface ReconnectFlags extends CommonOptions, SecretFlags, ConsentFlags {
  readonly settingsStdin?: boolean;
  readonly folder?: readonly string[];
}

/** What of a source's settings is given anew; the rest stays as it is. @throws DeviceError `usage` */
async function givenAnew(context: CliContext, flags: ReconnectFlags): Promise<SourceSettings> {
  if (flags.settingsStdin) return readSettings(context);
  const { folder } = flags;
  const password = await readSecret(context, flags);
  return { ...(password !== undefined && { password }), ...(folder !== undefined && { folders: [...folder] }) };
}

/** `scouts reconnect`: access to its source for a scout that lost it; it goes on where it had stopped. */
export function addReconnect(program: Command, context: CliContext): void {
  const command = program
    .command("reconnect")
    .summary("give a scout access to its source again")
    .description(
      "Opens the source's consent page, or reaches it with the settings it has and a new password or other folders, and reads " +
        "it at once to see that it works. The scout goes on where it had stopped: what arrived meanwhile is looked at. A folder " +
        "that is named in place of another is read from when that was last.",
    )
    .addArgument(scoutArgument())
    .addOption(
      new Option("--settings-stdin", "read what is another of its settings as JSON from standard input").conflicts([
        "passwordStdin",
        "passwordEnv",
        "folder",
      ]),
    )
    .option("--folder <name...>", "all folders it is to read, as a mail program shows them, in place of those it has");
  withCommonOptions(withConsentOptions(withSecretOptions(command))).action((text: string, flags: ReconnectFlags) =>
    withHome(context, flags, async (api, output) => {
      const before = await findScout(api, text);
      const settings = await givenAnew(context, flags);
      const consent = consentFor(context, flags, `${printable(before.name)} needs your consent to read its source.`);
      const { scout, sight } = await reconnectSource(api, before, settings, consent);
      withKnownScouts(context, flags, (known) => known.mended(scout.id));
      if (flags.json) return output.json({ ...scout, ...sightFacts(sight) });
      output.line(`reconnected  ${printable(scout.name)}`);
      output.line(`It sees: ${printable(sightText(sight))}`);
      output.line(
        scout.paused
          ? "It is paused; `scouts resume` lets it go on where it had stopped."
          : "What arrived meanwhile is looked at now.",
      );
    }),
  );
}
