import type { Command } from "commander";
import { muteSender } from "../../device/sources/mute-sender.ts";
import { type CliContext, type CommonOptions, withCommonOptions } from "../context.ts";
import { printable } from "../output/printable.ts";
import { withHome } from "../scouts/scouts-home.ts";

interface MuteFlags extends CommonOptions {
  readonly scout?: string;
  readonly undo?: boolean;
}

/** `scouts mute`: what a sender sends from now on is dismissed, listed and never trashed. */
export function addMute(program: Command, context: CliContext): void {
  const command = program
    .command("mute")
    .summary("dismiss what a sender sends from now on")
    .description(
      "Dismisses what a sender sends from now on, without asking the language model. It is listed by `scouts spam`, never " +
        "moved to Trash, and `scouts restore` takes it back. What was proposed before stays.",
    )
    .argument("<sender>", "address of the sender")
    .option("--scout <scout>", "for this scout only; for every scout on mail unless told")
    .option("--undo", "judge what the sender sends again");
  withCommonOptions(command).action((text: string, flags: MuteFlags) =>
    withHome(context, flags, async (api, output) => {
      const { address, scouts } = await muteSender(api, text, flags.undo !== true, flags.scout);
      if (flags.json) return output.json({ muted: flags.undo !== true, address, scouts: scouts.map(({ id }) => id) });
      const names = scouts.map(({ name }) => printable(name)).join(", ");
      output.line(`${flags.undo ? "heard again" : "muted"}  ${printable(address)} (${names})`);
    }),
  );
}
