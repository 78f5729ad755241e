import { age } from "../../device/age.ts";
import { aboutHomeOf } from "../../device/doctor/about-home.ts";
import { isMisconfigured } from "../../device/doctor/model-trouble.ts";
import { DeviceError } from "../../device/errors.ts";
import { mailLine } from "./mail-line.ts";
import { modelLine } from "./model-line.ts";
import type { CliIo } from "./up-options.ts";

/** Says on stderr when the mailbox or the language model of the home that runs here cannot be used. */
export async function warnOfHome(dataFolder: string, io: CliIo): Promise<void> {
  const about = await aboutHomeOf(dataFolder);
  if (about === undefined) return;
  const mail = mailLine(about);
  if (mail !== undefined) io.stderr.write(`scouts: ${mail} (mailbox_unreadable)\n`);
  const model = modelLine(about.model);
  if (model !== undefined) io.stderr.write(`scouts: ${model} (${about.model.state.code})\n`);
}

/**
 * The same of the model, for a command that is nothing without the model. What passes by itself is only said.
 *
 * @throws DeviceError `model_unusable` with cause and cure
 */
export async function requireModel(dataFolder: string, io: CliIo): Promise<void> {
  const about = await aboutHomeOf(dataFolder);
  const line = about && modelLine(about.model);
  if (about === undefined || line === undefined) return;
  if (isMisconfigured(about.model)) throw new DeviceError("model_unusable", { sentence: line });
  io.stderr.write(`scouts: ${line} (${about.model.state.code})\n`);
}

/** From here on a wrong clock is said; a minute is more than a slow line makes of one that is right. */
const wrongClockMs = 60_000;

/** What is said of a device's clock that is wrong; nothing where it is right. @param offsetMs how far it is behind the home's */
export function clockLine(offsetMs: number): string | undefined {
  if (Math.abs(offsetMs) < wrongClockMs) return undefined;
  const how = `${age(0, Math.abs(offsetMs))} ${offsetMs < 0 ? "ahead of" : "behind"} its home's`;
  return `This device's clock is ${how}: days and times it writes down are wrong by as much. Set this machine's clock (NTP).`;
}
