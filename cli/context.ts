import { type Command, InvalidArgumentError, Option } from "commander";
import { isDeviceError } from "../device/errors.ts";
import type { ExitCode } from "../device/exit-codes.ts";
import { type DeviceStore, openDeviceStore } from "../device/store/open.ts";
import type { TimeAndIds } from "../device/time-and-ids.ts";
import type { Vault } from "../device/vault/vault.ts";
import type { Here } from "../device/work/dates/read-date.ts";
import { workFolder } from "../device/work/folder/work-folder.ts";
import type { Environment } from "./environment.ts";
import { pathGiven } from "./given-path.ts";
import type { CliIo } from "./home/up-options.ts";
import { type Output, outputOn } from "./output/output.ts";
import { printable } from "./output/printable.ts";

/** What every command gets. */
export interface CliContext extends TimeAndIds {
  readonly io: CliIo;
  readonly environment: Environment;
  /** Where secrets come from, which are never arguments; absent where nobody can give any. */
  readonly secrets?: {
    readonly stdin: AsyncIterable<Uint8Array | string>;
    /** An environment variable by the name a person gives. */
    readonly variable: (name: string) => string | undefined;
  };
  /** The person's own environment, for programs that are run for them: what a tool gets of it is chosen (device/workspace). */
  readonly variables?: NodeJS.ProcessEnv;
  /** Relative paths are relative to this folder. */
  readonly workingFolder: string;
  /** The IANA name of the time zone the person is in; UTC where nobody says. */
  readonly zone?: () => string;
}

/** The zone that dates are read and shown in. */
export const zoneOf = (context: CliContext): string => context.zone?.() ?? "UTC";

/** Where and when words such as "tomorrow" are read. */
export const hereOf = (context: CliContext): Here => ({ nowMs: context.now(), zone: zoneOf(context) });

/** Says how the command is to end, where it does not throw. */
export type ExitWith = (code: ExitCode) => void;

export interface CommonOptions {
  readonly data?: string;
  readonly json?: boolean;
}

/** The options every command has. */
export function withCommonOptions(command: Command): Command {
  return command
    .addOption(new Option("--data <folder>", "data folder (default: $SCOUTS_DATA, else .scouts)"))
    .addOption(new Option("--json", "print JSON for programs"));
}

/** The absolute path of the data folder: as the option says, else the environment, else `.scouts` below the current folder. */
export function dataFolderOf(context: CliContext, { data }: CommonOptions): string {
  return pathGiven(context, data ?? context.environment.SCOUTS_DATA ?? ".scouts");
}

/** Parses an option that is a whole number between two bounds. */
export function wholeNumber(least: number, most: number) {
  return (text: string): number => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It is not a whole number from ${least} to ${most}.`);
  };
}

/** Opens the device's existing store for one command, and closes it after. */
export async function withStore<T>(
  context: CliContext,
  options: CommonOptions,
  work: (store: DeviceStore, output: Output) => T | Promise<T>,
): Promise<T> {
  const store = openDeviceStore({
    dataFolder: dataFolderOf(context, options),
    mustExist: true,
    now: context.now,
    newId: context.newId,
    passphrase: context.environment.SCOUTS_PASSPHRASE,
    readsWhenFull: true,
  });
  try {
    if (store.isDiskFull) context.io.stderr.write(`scouts: ${diskFull}\n`);
    const before = store.searchChanges.latest();
    const result = await work(store, outputOn(context.io));
    // After it: the command may have been the one that encrypts.
    tellUnusedPassphrase(context, store.vault);
    if (workFolder(store) !== undefined && store.searchChanges.latest() !== before) await tellFolder(context, store);
    return result;
  } finally {
    store.close();
  }
}

const diskFull =
  "The disk is full. What the device's database holds is shown; nothing can be kept in it until some space is free. (store_full)";

/** Who gives a passphrase thinks that what agents leave here is encrypted. */
export function tellUnusedPassphrase({ io, environment }: CliContext, vault: Vault): void {
  if (environment.SCOUTS_PASSPHRASE === undefined || isEncrypted(vault)) return;
  io.stderr.write(
    "scouts: SCOUTS_PASSPHRASE is set, but nothing on this device is encrypted. " +
      "`scouts passphrase set` encrypts it; else unset the variable. (passphrase_unused)\n",
  );
}

function isEncrypted(vault: Vault): boolean {
  try {
    return vault.file !== undefined;
  } catch (error) {
    // There is something to open: what needs it says what is wrong with it.
    if (isDeviceError(error, "passphrase_unreadable")) return true;
    throw error;
  }
}

/** What a command has changed is in the person's folder when it ends. */
async function tellFolder({ io, now }: CliContext, store: DeviceStore): Promise<void> {
  const { syncWorkFolder } = await import("../device/work/folder/sync-folder.ts");
  try {
    const synced = await syncWorkFolder(store, now());
    for (const sentence of synced?.conflicts ?? []) io.stderr.write(`scouts: ${printable(sentence)}\n`);
  } catch (error) {
    // What was asked for is done; the folder has it when it can be written again, or its turn has come.
    if (!isDeviceError(error, "export_failed", "store_busy")) throw error;
    io.stderr.write(`scouts: ${printable(error.message)} (${error.code})\n`);
  }
}
