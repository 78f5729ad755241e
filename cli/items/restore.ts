import { type Command, Option } from "commander";
import { listScouts } from "../../device/connect/list-scouts.ts";
import { restoreCalled } from "../../device/items/restore-called.ts";
import { scoutNamed } from "../../device/sources/scout-named.ts";
import { findProposal } from "../../device/store/find-proposal.ts";
import { type CliContext, type CommonOptions, withCommonOptions, withStore } from "../context.ts";
import { printable } from "../output/printable.ts";
import { withHome } from "../scouts/scouts-home.ts";

interface RestoreFlags extends CommonOptions {
  readonly scout?: string;
}

/** `scouts restore`: takes dismissed items back, out of Trash too; they become proposals. */
export function addRestore(program: Command, context: CliContext): void {
  const command = program
    .command("restore")
    .description("take dismissed items back: out of Trash, and proposed to you")
    .argument("<ref...>", "refs of items, as `scouts spam` shows them, or how they begin")
    .addOption(new Option("--scout <scout>", "only this scout's, where several dismissed the same"));
  withCommonOptions(command).action((refs: string[], flags: RestoreFlags) =>
    withHome(context, flags, async (api, output) => {
      const all = await listScouts(api);
      const scouts = flags.scout === undefined ? all : [scoutNamed(all, flags.scout)];
      const proposalNamed = (text: string) => withStore(context, flags, (store) => findProposal(store, text));
      const restored: string[] = [];
      try {
        for (const text of refs) {
          const ref = await restoreCalled(api, scouts, text, () => proposalNamed(text));
          restored.push(ref);
          if (!flags.json) output.line(`restored  ${printable(ref)}`);
        }
      } finally {
        // Those before one that failed are restored, and a program is told so before it is told of that.
        if (flags.json && restored.length > 0) output.json({ restored });
      }
    }),
  );
}
