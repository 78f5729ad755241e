import { Argument, type Command } from "commander";
import { isScoutsError } from "../../events/errors.ts";
import { type ScoutResponse, scoutResponse } from "../../events/http.ts";
import type { DeviceId, ScoutId } from "../../events/ids.ts";
import { askCloud, type CloudApi } from "../connect/cloud-api.ts";
import { connectGmail } from "../connect/connect-gmail.ts";
import { type CliContext, type CommonOptions, withCommonOptions, withStore } from "../../cli/context.ts";
import { printable } from "../../cli/output/printable.ts";
import { findScout, pathOf, scoutArgument, withHome } from "../../cli/scouts/scouts-home.ts";

/** A person may take this long to consent; the cloud waits no longer either. */
const consentMs = 600_000;

/** A consent page on this machine is the stand-in's, which consents by itself; any other is the person's to open. */
function consentOpener({ io }: CliContext): (url: string) => Promise<void> {
  return async (url) => {
    if (new URL(url).hostname === "127.0.0.1") {
      await (await fetch(url, { redirect: "follow" })).arrayBuffer();
      return;
    }
    io.stderr.write(`Moving spam to Trash needs your consent. Open this page:\n${url}\n`);
  };
}

async function turnOn(
  context: CliContext,
  api: CloudApi,
  scoutId: ScoutId,
  deviceId: DeviceId,
): Promise<ScoutResponse> {
  const on = () => askCloud(api, "PATCH", pathOf(scoutId), scoutResponse, { autoTrash: true });
  try {
    return await on();
  } catch (error) {
    if (!isScoutsError(error, "consent_incomplete")) throw error;
  }
  const signal = AbortSignal.any([context.io.signal, AbortSignal.timeout(consentMs)]);
  await connectGmail(api, { scoutId, deviceId, openConsent: consentOpener(context), signal, autoTrash: true });
  return on();
}

/** `scouts scouts auto-trash`: whether a scout may move spam to Trash; asks for the right to it when turned on. */
export function addAutoTrash(scouts: Command, context: CliContext): void {
  const command = scouts.command("auto-trash").description("let a scout move spam to Trash, or not");
  command.addArgument(scoutArgument()).addArgument(new Argument("<switch>", "on or off").choices(["on", "off"]));
  withCommonOptions(command).action((text: string, wanted: "on" | "off", flags: CommonOptions) =>
    withHome(context, flags, async (api, output) => {
      const { id } = await findScout(api, text);
      const deviceId = await withStore(context, flags, (store) => store.identity.get().deviceId);
      const scout =
        wanted === "on"
          ? await turnOn(context, api, id, deviceId)
          : await askCloud(api, "PATCH", pathOf(id), scoutResponse, { autoTrash: false });
      if (flags.json) output.json(scout);
      else output.line(`auto-trash ${scout.autoTrash ? "on" : "off"}  ${printable(scout.name)}`);
    }),
  );
}
