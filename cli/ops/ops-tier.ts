import { Argument, type Command } from "commander";
import { userIdOf } from "../../shared/privacy/opaque.ts";
import type { CliContext } from "../context.ts";
import { damagedLine } from "../output/damaged-line.ts";
import { outputOn } from "../output/output.ts";

interface TierFlags {
  readonly table: string;
  readonly issuer: string;
  readonly subject: string;
  readonly json?: boolean;
}

/** `scouts ops tier`: what a person of a deployment may use. */
export function addTier(ops: Command, context: CliContext): void {
  const output = outputOn(context.io);
  ops
    .command("tier")
    .summary("what a person of a deployment may use")
    .description(
      "Puts a person on a tier. Items that wait for next month's tokens are looked at within a minute. Reaches AWS with " +
        "the credentials and region of the environment, and may be run again at any time.",
    )
    .addArgument(new Argument("<tier>", "the tier from now on").choices(["free", "pro", "power", "team"]))
    .requiredOption("--table <name>", "name of the Ledger's table")
    .requiredOption("--issuer <url>", "issuer of the person's tokens (`iss`)")
    .requiredOption("--subject <id>", "the person, as the issuer names them (`sub`)")
    .option("--json", "print JSON for programs")
    .action(async (tier: string, { table, issuer, subject, json }: TierFlags) => {
      const { changeTierDeployed } = await import("./deployed-ledger.ts");
      const user = userIdOf(issuer, subject);
      const { released, damaged } = await changeTierDeployed(table, user, tier);
      if (json) return output.json({ user, tier, released, damaged });
      output.line(`${user} is on ${tier}; ${released} waiting items released`);
      if (damaged > 0) output.line(output.style("yellow", damagedLine(damaged)));
    });
}
