import type { Command } from "commander";
import { type CliContext, type CommonOptions, dataFolderOf, withCommonOptions } from "../context.ts";
import { outputOn } from "../output/output.ts";

interface ResetFlags extends CommonOptions {
  readonly table?: string;
}

/** `scouts ops model reset`: the cure of what a home cannot read of its language model. */
export function addModel(ops: Command, context: CliContext): void {
  const reset = ops
    .command("model")
    .description("what a home has noted of its language model")
    .command("reset")
    .summary("delete it where it cannot be read")
    .description(
      "Deletes what a home has noted of its language model (whether it answered, and since when it did not) where that cannot " +
        "be read, as scouts status or scouts doctor says. Where it can be read nothing is done. The home must not run meanwhile.",
    )
    .option(
      "--table <name>",
      "a deployed Ledger, with the credentials and region of the environment, not the home here",
    );
  withCommonOptions(reset).action(async (flags: ResetFlags) => {
    const { resetModelDeployed, resetModelHere } = await import("./model-row.ts");
    const isDeleted = await (flags.table === undefined
      ? resetModelHere(dataFolderOf(context, flags))
      : resetModelDeployed(flags.table));
    const output = outputOn(context.io);
    if (flags.json) output.json({ isDeleted });
    else
      output.line(
        isDeleted
          ? "deleted  what was noted of the language model; the next failure of the model has it asked again"
          : "Nothing is wrong with what is noted of the language model; nothing was deleted.",
      );
  });
}
