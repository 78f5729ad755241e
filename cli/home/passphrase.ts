import { type Command, Option } from "commander";
import { DeviceError } from "../../device/errors.ts";
import {
  changePassphrase,
  forgetKept,
  passphraseState,
  removePassphrase,
  setPassphrase,
} from "../../device/vault/change-passphrase.ts";
import { type CliContext, type CommonOptions, withCommonOptions, withStore } from "../context.ts";
import { counted } from "../output/counted.ts";
import type { Output } from "../output/output.ts";
import { readStdin } from "../scouts/add/secret.ts";

interface NewFlags extends CommonOptions {
  readonly newStdin?: boolean;
  readonly newEnv?: string;
}

const help = `
Encrypted are answers (scouts answers) and results of tools (scouts artifacts). Every other command is given the passphrase in
SCOUTS_PASSPHRASE; without it what is encrypted can be neither read nor found, and new answers are kept all the same.
There is no way back without the passphrase. Who has lost it gives up what is encrypted, and nothing else: scouts passphrase forget
`;

/** `scouts passphrase …`: whether what agents left on this device is encrypted. */
export function addPassphrase(program: Command, context: CliContext): void {
  const group = program
    .command("passphrase")
    .description("encrypt what agents answered and looked up on this device")
    .addHelpText("after", help);
  withCommonOptions(group.command("status").description("say whether it is encrypted")).action((flags: CommonOptions) =>
    withStore(context, flags, (store, output) => {
      const state = passphraseState(store);
      if (flags.json) return output.json(state);
      output.line(statusText(state));
    }),
  );
  withNewPassphrase(group.command("set").description("encrypt what there is, and all that comes")).action(
    (flags: NewFlags) =>
      withStore(context, flags, async (store, output) => {
        const isDone = await setPassphrase(store, await readNew(context, flags), context.now());
        told(output, flags, isDone, [
          "Answers and artifacts of this device are encrypted now.",
          "Keep the passphrase safe: without it nobody can read them. Give it to commands in SCOUTS_PASSPHRASE.",
        ]);
      }),
  );
  withNewPassphrase(
    group.command("change").description("another passphrase; SCOUTS_PASSPHRASE has the old one"),
  ).action((flags: NewFlags) =>
    withStore(context, flags, async (store, output) => {
      await changePassphrase(store, context.environment.SCOUTS_PASSPHRASE, await readNew(context, flags));
      told(output, flags, true, ["The passphrase is another now; the old one opens nothing any more."]);
    }),
  );
  withCommonOptions(
    group.command("remove").description("encrypt nothing any more; SCOUTS_PASSPHRASE has the passphrase"),
  ).action((flags: CommonOptions) =>
    withStore(context, flags, async (store, output) => {
      const isDone = await removePassphrase(store, context.now());
      told(output, flags, isDone, ["Answers and artifacts of this device are not encrypted any more."]);
    }),
  );
  withCommonOptions(
    group
      .command("forget")
      .description("when the passphrase is lost: remove what is encrypted, answers and artifacts")
      .requiredOption("--yes", "they are gone for good"),
  ).action((flags: CommonOptions) =>
    withStore(context, flags, async (store, output) => {
      const { answers, files } = await forgetKept(store);
      if (flags.json) return output.json({ answers, files });
      output.line(
        `Removed: ${counted(answers, "answer")}, ${counted(files, "file")} of artifacts. Nothing is encrypted.`,
      );
    }),
  );
}

function withNewPassphrase(command: Command): Command {
  return withCommonOptions(command)
    .addOption(new Option("--new-stdin", "read the new passphrase from standard input").conflicts("newEnv"))
    .addOption(new Option("--new-env <variable>", "take the new passphrase from this environment variable"));
}

/** What else came with it, a second line or a whole file, would have to be typed each time. @throws DeviceError `usage` */
async function readNew(context: CliContext, flags: NewFlags): Promise<string> {
  const passphrase = await readGiven(context, flags);
  if (!/[\r\n]/.test(passphrase)) return passphrase;
  const sentence = "A passphrase is one line, and more than one came; give it alone. Nothing was changed.";
  throw new DeviceError("usage", { sentence });
}

/** Arguments are seen by every account of a machine: a secret comes another way. */
async function readGiven(context: CliContext, { newStdin, newEnv }: NewFlags): Promise<string> {
  if (newStdin) return readStdin(context);
  const value = newEnv === undefined ? undefined : context.secrets?.variable(newEnv);
  if (value) return value;
  throw new DeviceError("usage", {
    sentence:
      newEnv === undefined
        ? "The new passphrase comes with --new-stdin or --new-env."
        : "The environment variable named by --new-env is not set.",
  });
}

function told(output: Output, { json }: CommonOptions, isDone: boolean, lines: readonly string[]): void {
  if (json) {
    output.json({ isDone });
    return;
  }
  for (const line of lines) output.line(line);
  const later = "Not all of it yet: another program is using it. `scouts up` finishes it, or this command again.";
  if (!isDone) output.line(output.style("yellow", later));
}

function statusText({ state, isDone, isEnding, encryptedAnswers }: ReturnType<typeof passphraseState>): string {
  if (state === "plain") return "Nothing is encrypted: who may read this data folder can read answers and artifacts.";
  if (isEnding) return "It is being decrypted, and not finished; `scouts passphrase remove` goes on.";
  const answers = counted(encryptedAnswers, "answer");
  const opened = state === "open" ? "SCOUTS_PASSPHRASE opens them" : "SCOUTS_PASSPHRASE does not open them";
  const rest = isDone ? "" : " Not everything is encrypted yet; `scouts up` finishes it.";
  return `Encrypted: ${answers}, and artifacts; ${opened}.${rest}`;
}
