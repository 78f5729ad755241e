import { type Command, Option } from "commander";
import { DeviceError } from "../../device/errors.ts";
import { type CliContext, type CommonOptions, dataFolderOf, withCommonOptions } from "../context.ts";
import { pathGiven } from "../given-path.ts";
import { textOfFile } from "../handed-text.ts";
import { outputOn } from "../output/output.ts";
import { addDeadLetters } from "./ops-dead-letters.ts";
import { addErase } from "./ops-erase.ts";
import { addItems } from "./ops-items.ts";
import { addModel } from "./ops-model.ts";
import { addTier } from "./ops-tier.ts";

interface RotateFlags extends CommonOptions {
  readonly ring: "vault" | "session";
  readonly keepOld?: boolean;
}
interface ResealFlags {
  readonly table: string;
  readonly ringFile: string;
  readonly json?: boolean;
}

/** What is left that the operator has to know of. */
function requireReadable({ unreadable, moved }: { unreadable: number; moved: number }): void {
  if (unreadable > 0) {
    const sentence = `${unreadable} sealed texts open with no key of the ring; keep its old keys and find the one that is missing.`;
    throw new DeviceError("attention_needed", { sentence });
  }
  if (moved > 0) {
    const sentence = `${moved} sealed texts changed meanwhile; run the same command again before a key is taken away.`;
    throw new DeviceError("attention_needed", { sentence });
  }
}

/** `scouts ops …`: for who runs a home or a deployment. The operators' half is loaded only here. */
export function addOps(program: Command, context: CliContext): void {
  const ops = program.command("ops").description("for operators");
  addTier(ops, context);
  addErase(ops, context);
  addDeadLetters(ops, context);
  addItems(ops, context);
  addModel(ops, context);
  const keys = ops.command("keys").description("the two key rings");
  const output = outputOn(context.io);

  const rotate = keys
    .command("rotate")
    .summary("a new key for the home here, which must not run")
    .description(
      "Gives a key ring of the home in the data folder a new key. Of the vault every token, name and setting is sealed " +
        "again under it, and the old keys are taken away once nothing is left under them. Of the sessions the old keys " +
        "are taken away, which ends them; devices get new ones. The home must not run meanwhile.",
    )
    .addOption(new Option("--ring <name>", "which ring").choices(["vault", "session"]).default("vault"))
    .option("--keep-old", "leave the old keys in the ring");
  withCommonOptions(rotate).action(async (flags: RotateFlags) => {
    const { rotateSessions, rotateVault } = await import("./keys.ts");
    if (flags.ring === "session") {
      const done = await rotateSessions(dataFolderOf(context, flags), flags.keepOld ?? false, context.newId);
      if (flags.json) output.json(done);
      else output.line(`sessions are wrapped by ${done.kid} from now on; keys in the ring: ${done.keys}`);
      return;
    }
    const done = await rotateVault(dataFolderOf(context, flags), flags.keepOld ?? false, context.newId);
    if (flags.json) output.json(done);
    else output.line(`${done.resealed} of ${done.seen} sealed again under ${done.kid}; keys in the ring: ${done.keys}`);
    requireReadable(done);
  });

  keys
    .command("reseal")
    .summary("seal a deployed Ledger again under the newest key of its ring")
    .description(
      "Seals everything in a deployed Ledger again under the newest key of its ring; see docs/deploy.md. Reaches AWS with " +
        "the credentials and region of the environment, and may be run again at any time.",
    )
    .requiredOption("--table <name>", "name of the Ledger's table")
    .requiredOption("--ring-file <path>", "file with the secret VaultKeyRing as it is set")
    .option("--json", "print JSON for programs")
    .action(async (flags: ResealFlags) => {
      const { signal } = context.io;
      const ring = await textOfFile(pathGiven(context, flags.ringFile), { code: "usage", signal });
      const { resealDeployed } = await import("./keys.ts");
      const done = await resealDeployed(flags.table, ring);
      if (flags.json) output.json(done);
      else output.line(`${done.resealed} of ${done.seen} sealed again`);
      requireReadable(done);
    });
}
