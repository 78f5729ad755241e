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
