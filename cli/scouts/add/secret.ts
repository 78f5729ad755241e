import { type Command, Option } from "commander";
import { DeviceError } from "../../../device/errors.ts";
import type { CliContext } from "../../context.ts";
import { bytesWithin } from "../../handed-text.ts";

/** More than this is no password: somebody piped a file by mistake. */
const longestBytes = 8_192;

export interface SecretFlags {
  readonly passwordStdin?: boolean;
  readonly passwordEnv?: string;
}

/** Arguments are seen by every account of a machine and kept in a shell's history: a secret comes another way. */
export function withSecretOptions(command: Command): Command {
  return command
    .addOption(new Option("--password-stdin", "read the password from standard input").conflicts("passwordEnv"))
    .addOption(new Option("--password-env <variable>", "take the password from this environment variable"));
}

/** The password, where one of the ways to give it is named. @throws DeviceError `usage` when it is empty or missing */
export async function readSecret(context: CliContext, flags: SecretFlags): Promise<string | undefined> {
  const { passwordStdin, passwordEnv } = flags;
  if (passwordEnv !== undefined) {
    const value = context.secrets?.variable(passwordEnv);
    if (value) return value;
    throw new DeviceError("usage", { sentence: "The environment variable named by --password-env is not set." });
  }
  return passwordStdin ? readStdin(context) : undefined;
}

/** What comes on standard input, without the line end that `echo` adds. @throws DeviceError `usage`, `interrupted` */
export async function readStdin({ io, secrets }: CliContext): Promise<string> {
  const bytes = await bytesWithin(secrets?.stdin ?? [], longestBytes, io.signal);
  if (bytes === undefined)
    throw new DeviceError("usage", { sentence: "Standard input is too long for a secret; give the secret alone." });
  const text = bytes.toString("utf8").replace(/\r?\n$/, "");
  if (text !== "") return text;
  throw new DeviceError("usage", {
    sentence: "Nothing came on standard input; give the secret there, as `< FILE` does.",
  });
}
