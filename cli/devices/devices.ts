import type { Command } from "commander";
import { ago } from "../../device/age.ts";
import { listDevices } from "../../device/connect/devices/list-devices.ts";
import { pairingOf } from "../../device/connect/devices/pairing.ts";
import { type CliContext, type CommonOptions, dataFolderOf, withCommonOptions } from "../context.ts";
import { printable } from "../output/printable.ts";
import { tableOr } from "../output/table.ts";
import { deviceOf, withHome } from "../scouts/scouts-home.ts";

/** `scouts devices`: which of the person's devices the home knows, and how another one is made. */
export function addDevices(program: Command, context: CliContext): void {
  const command = program
    .command("devices")
    .description("your devices that are connected or were within two hours, and how to add one");
  withCommonOptions(command).action((flags: CommonOptions) =>
    withHome(context, flags, async (api, output) => {
      const devices = await listDevices(api, deviceOf(context, flags));
      const pairing = pairingOf(dataFolderOf(context, flags));
      if (flags.json) return output.json({ devices, pairing });
      const nowMs = context.now();
      tableOr(output, "No device is connected, or was within two hours.", devices, [
        { title: "DEVICE", cell: ({ deviceId }) => deviceId },
        { title: "", cell: ({ isThisOne }) => (isThisOne ? "this one" : "") },
        {
          title: "CONNECTION",
          cell: ({ isConnected, seenAt }) => (isConnected ? "connected" : `not connected, seen ${ago(seenAt, nowMs)}`),
        },
      ]);
      output.line();
      output.line(
        pairing.isAnywhere
          ? "To make another machine a second device, run there:"
          : "To make a second device, with data of its own, run on this machine:",
      );
      for (const line of pairing.commands) output.line(`  ${printable(line)}`);
      if (pairing.isAnywhere)
        output.line(
          "If one of them is not yours, end its sign-in where you sign in: whoever is signed in as you sees what you see.",
        );
    }),
  );
}
