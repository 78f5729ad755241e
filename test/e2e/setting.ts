import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
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
