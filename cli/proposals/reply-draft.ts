import type { Command } from "commander";
import { DeviceError } from "../../device/errors.ts";
import { replyDraft } from "../../device/proposals/draft/reply-draft.ts";
import { proposalNamed } from "../../device/proposals/selected.ts";
import { type CliContext, type CommonOptions, withCommonOptions, withStore } from "../context.ts";
import { printable } from "../output/printable.ts";
import { writeOut } from "../work/interchange-file.ts";

/** `proposals draft`: the text of a reply and nothing else, to be copied. Nothing is sent. */
export function addReplyDraft(proposals: Command, context: CliContext): void {
  const command = proposals
    .command("draft")
    .summary("print the draft of a reply, to copy it")
    .description("Prints the draft of a reply and nothing else, for a pipe or the clipboard. Scouts sends nothing.")
    .argument("<id>", "ref or id of a proposal, or how it begins");
  withCommonOptions(command).action((ref: string, flags: CommonOptions) =>
    withStore(context, flags, (store, output) => {
      const text = replyDraft(proposalNamed(store, ref));
      if (text === "") {
        throw new DeviceError("usage", {
          sentence: `No reply is drafted for ${printable(ref)}: a language model drafts them, rules do not. See: scouts proposals show ${printable(ref)}`,
        });
      }
      if (flags.json) output.json({ text });
      else writeOut(context, text.endsWith("\n") ? text : `${text}\n`);
    }),
  );
}
