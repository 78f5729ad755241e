import type { Command } from "commander";
import { DeviceError } from "../../device/errors.ts";
import { userIdOf } from "../../shared/privacy/opaque.ts";
import type { Erased, Held } from "../../shared/scouts/erase-person.ts";
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
      const { countDeployed, eraseDeployed } = await import("./deployed-ledger.ts");
      const user = userIdOf(issuer, subject);
      const said = ({ rows, scouts }: Held): string =>
        `${counted(rows, "row")} of ${user}, ${counted(scouts, "scout")} among them`;
      if (!yes) {
        const what = said(await countDeployed(table, user));
        throw new DeviceError("usage", { sentence: `Erasing removes ${what}; add --yes if you mean it.` });
      }
      const erased = await eraseDeployed(table, user);
      if (json) output.json({ user, ...erased });
      else output.line(`erased  ${said(erased)}`);
      requireAll(erased);
    });
}

/** What is left that the operator has to know of. */
function requireAll({ damaged, isAll }: Erased): void {
  const sentences = [
    ...(damaged.length > 0
      ? [`Damaged, and may name them still; look at it and mend or delete it by hand: ${damaged.join(", ")}.`]
      : []),
    ...(isAll ? [] : ["Something still writes for them: run this again in a quarter of an hour."]),
  ];
  if (sentences.length > 0) throw new DeviceError("attention_needed", { sentence: sentences.join(" ") });
}
