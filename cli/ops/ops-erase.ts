import type { Command } from "commander";
import { DeviceError } from "../../device/errors.ts";
import { userIdOf } from "../../shared/privacy/opaque.ts";
import type { CliContext } from "../context.ts";
import { counted } from "../output/counted.ts";
import { outputOn } from "../output/output.ts";

interface EraseFlags {
  readonly table: string;
  readonly issuer: string;
  readonly subject: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** `scouts ops erase`: a person leaves a deployment. */
export function addErase(ops: Command, context: CliContext): void {
  const output = outputOn(context.io);
  ops
    .command("erase")
    .summary("erase all that a deployment holds of a person")
    .description(
      "Erases everything of a person that lasts in a deployment: scouts, items, runs, sealed tokens, tokens used, tier. See " +
        "docs/data-protection.md for what comes before it. Reaches AWS with the credentials and region of the environment, " +
        "and may be run again at any time.",
    )
    .requiredOption("--table <name>", "name of the Ledger's table")
    .requiredOption("--issuer <url>", "issuer of the person's tokens (`iss`)")
    .requiredOption("--subject <id>", "the person, as the issuer names them (`sub`)")
    .option("--yes", "really erase it")
    .option("--json", "print JSON for programs")
    .action(async ({ table, issuer, subject, yes = false, json }: EraseFlags) => {
      const { eraseDeployed } = await import("./erase.ts");
      const user = userIdOf(issuer, subject);
      const found = await eraseDeployed(table, user, yes);
      const what = `${counted(found.rows, "row")} of ${user}, ${counted(found.scouts, "scout")} among them`;
      if (!yes) throw new DeviceError("usage", { sentence: `Erasing removes ${what}; add --yes if you mean it.` });
      if (json) output.json({ user, ...found });
      else output.line(`erased  ${what}`);
    });
}
