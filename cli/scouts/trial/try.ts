import { setTimeout } from "node:timers/promises";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { CloudApi } from "../../../device/connect/cloud-api.ts";
import { DeviceError } from "../../../device/errors.ts";
import { findScout } from "../../../device/sources/scout-named.ts";
import { newTrialId, resumeTrial, type TrialWatch, tryPurpose } from "../../../device/sources/try-purpose.ts";
import { maxTrialItems } from "../../../events/http/trials.ts";
import { type TrialId, trialId } from "../../../events/ids.ts";
import { type CliContext, type CommonOptions, wholeNumber, withCommonOptions } from "../../context.ts";
import { createProgress, type Progress } from "../../output/progress.ts";
import { scoutArgument, withHome } from "../scouts-home.ts";
import { showTrial } from "./shown-trial.ts";

interface TryFlags extends CommonOptions {
  readonly purpose?: string;
  readonly last: number;
  readonly resume?: TrialId;
}

function asTrial(text: string): TrialId {
  const parsed = trialId.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError("It is not the id of a trial, as scouts try shows it.");
}

function watchOf({ io }: CliContext, home: () => CloudApi, progress: Progress): TrialWatch {
  return {
    home,
    signal: io.signal,
    now: () => performance.now(),
    pause: (ms) => setTimeout(ms, undefined, { signal: io.signal }),
    onProgress: ({ judged: done, total }) => progress.update({ done, total }),
  };
}

/** `scouts try`: what another purpose would change, before it is kept. */
export function addTry(program: Command, context: CliContext): void {
  const command = program
    .command("try")
    .summary("see what another purpose would change, before it is kept")
    .description(
      "Judges what a scout judged last by another purpose, and shows what would newly be proposed or dismissed. Nothing " +
        "changes: scouts edit keeps a purpose. It takes tokens like the scout's own work.",
    )
    .addArgument(scoutArgument())
    .option("--purpose <text>", "what the scout would look for, in your words")
    .option(
      "--last <number>",
      `how many of its newest verdicts are looked at again, at most ${maxTrialItems}`,
      wholeNumber(1, maxTrialItems),
      maxTrialItems,
    )
    .addOption(
      new Option("--resume <trial>", "wait for a trial that was interrupted, or show it again")
        .argParser(asTrial)
        .conflicts(["purpose"]),
    );
  withCommonOptions(command).action((text: string, flags: TryFlags) =>
    withHome(context, flags, async (api, output, findAgain) => {
      const { io } = context;
      const scout = await findScout(api, text);
      const progress = createProgress({
        stream: io.stderr,
        isTTY: io.isTTY,
        color: io.color,
        label: "judged",
        now: () => performance.now(),
      });
      const watch = watchOf(context, findAgain, progress);
      const trial =
        flags.resume === undefined
          ? await tryPurpose(watch, scout, newTrialId(context.newId), { purpose: purposeOf(flags), last: flags.last })
          : await resumeTrial(watch, scout, flags.resume);
      progress.finish();
      if (flags.json) output.json(trial);
      else showTrial(output, scout, trial);
    }),
  );
}

function purposeOf({ purpose }: TryFlags): string {
  if (purpose !== undefined) return purpose;
  throw new DeviceError("usage", { sentence: 'Say what is to be tried: --purpose "…", in your words.' });
}
