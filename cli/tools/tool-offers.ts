import { type Command, Option } from "commander";
import type { GivenArguments } from "../../device/workspace/tool-arguments.ts";
import { type CliContext, type CommonOptions, withCommonOptions } from "../context.ts";
import { printable } from "../output/printable.ts";
import { pairs, projectOf } from "./tool-options.ts";
import { withTools } from "./tool-setting.ts";

interface OfferFlags extends CommonOptions {
  readonly project?: string;
  readonly with: GivenArguments;
}

/** `scouts tool offer | withdraw`: which tools agents may use. */
export function addToolOffers(group: Command, context: CliContext): void {
  const offer = group
    .command("offer")
    .description(
      "let agents use a tool when they answer your questions, with fixed arguments; you are asked at its first use",
    )
    .argument("<name>", "the tool")
    .option("--project <project>", "in questions about this project (default: about none)")
    .addOption(new Option("--with <name=value>", "an argument, fixed for every use").argParser(pairs).default({}));
  withCommonOptions(offer).action((name: string, flags: OfferFlags) =>
    withTools(context, flags, async (setting, output) => {
      const { offerTool } = await import("../../device/tools/offers.ts");
      const { showOffer } = await import("./shown-tools.ts");
      const offered = await offerTool(name, projectOf(setting.store, flags), flags.with, setting);
      if (flags.json) return output.json(offered);
      output.line(printable(name));
      showOffer(output, offered, setting.store);
      output.line(
        "It works on a copy of what agents may read. What it prints goes to the model, without credentials that are recognised;",
      );
      output.line("what it changes waits for you: scouts tool changes");
    }),
  );
  const withdraw = group
    .command("withdraw")
    .description("let agents use a tool no more")
    .argument("<name>", "the tool")
    .option("--project <project>", "in this project only (default: everywhere)");
  withCommonOptions(withdraw).action((name: string, flags: OfferFlags) =>
    withTools(context, flags, async (setting, output) => {
      const { withdrawTool } = await import("../../device/tools/offers.ts");
      const project = projectOf(setting.store, flags) ?? undefined;
      const withdrawn = await withdrawTool(name, project, setting);
      if (flags.json) output.json({ withdrawn });
      else output.line(withdrawn === 0 ? "It was not offered." : `withdrawn  ${printable(name)}`);
    }),
  );
}
