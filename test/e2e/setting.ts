import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { drain } from "../../cli/up/drain.ts";
import { type LocalSystem, type SystemOptions, startSystem } from "../../cli/up/system.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { ownFolder } from "./folders.ts";
import { judgeBySubject, writeMail } from "./mail.ts";
import { type ModelReply, type ScriptedModel, startScriptedModel } from "./scripted-model.ts";

export interface Setting {
  readonly mailFolder: string;
  readonly dataFolder: string;
  readonly model: ScriptedModel;
  /** `up` with the mailbox and data folder of this test. */
  up(...more: string[]): string[];
}

/** A mailbox with these messages, a data folder not made yet, a model that goes by the subject; gone after the test. */
export async function settingWith(
  numbers: readonly number[],
  reply: (prompt: string) => ModelReply | Promise<ModelReply> = judgeBySubject,
): Promise<Setting> {
  const folder = ownFolder();
  onTestFinished(() => folder.remove());
  const mailFolder = join(folder.path, "mail");
  const dataFolder = join(folder.path, "data");
  mkdirSync(mailFolder);
  writeMail(mailFolder, numbers);
  const model = await startScriptedModel(reply);
  onTestFinished(() => model.close());
  return {
    mailFolder,
    dataFolder,
    model,
    up: (...more) => ["up", "--mailbox", mailFolder, "--data", dataFolder, ...more],
  };
}

const never = new AbortController().signal;

/** The product on the mailbox and data folder of a setting, in this process; stopped after the test. */
export async function systemOn(
  { mailFolder, dataFolder, model }: Setting,
  home: SystemOptions["home"] = {},
): Promise<LocalSystem> {
  const system = await startSystem({
    ...systemTimeAndIds,
    dataFolder,
    mailboxPath: mailFolder,
    environment: { ...model.environment },
    signal: never,
    home,
  });
  onTestFinished(() => system.stop());
  return system;
}

/** The same, once all mail that lies there has come to an end. */
export async function drainedSystemOn(setting: Setting, home?: SystemOptions["home"]): Promise<LocalSystem> {
  const system = await systemOn(setting, home);
  await drain(system, never);
  return system;
}

/** Drains a system; how often it asked the home for something, having found that nothing moves and something is missing. */
export async function questionsOfDrain(system: LocalSystem): Promise<number> {
  let asked = 0;
  const auth = () => {
    asked += 1;
    return system.api.auth();
  };
  await drain({ ...system, api: { ...system.api, auth } }, never);
  return asked;
}
