import { existsSync } from "node:fs";
import { join } from "node:path";
import { artifactRoot } from "../artifacts/store/naming.ts";
import { DeviceError } from "../errors.ts";
import { FsProjectFiles } from "../files/backends/fs/fs-project-files.ts";
import type { DeviceStore } from "../store/open.ts";
import { aloneWithKeyFile, removeKeyFile, unwrappedKey, wrappedKey, writeKeyFile } from "./key-file.ts";
import { renewKept } from "./renew-kept.ts";
import { newKeyPair } from "./sealed-box.ts";
import type { VaultState } from "./vault.ts";

/** A shorter one is guessed, whatever a guess costs. */
export const leastPassphrase = 10;

export interface PassphraseState {
  readonly state: VaultState;
  /** All that is kept is as it should be. */
  readonly isDone: boolean;
  /** It is being removed. */
  readonly isEnding: boolean;
  readonly encryptedAnswers: number;
}

/** Whether this store is encrypted, and whether a change of the passphrase is still going on. */
export function passphraseState({ vault, answers }: DeviceStore): PassphraseState {
  const { file, state } = vault;
  const { isDone, isEnding } = file ?? { isDone: true, isEnding: false };
  return { state, isDone: isDone && !isEnding, isEnding, encryptedAnswers: answers.sealed() };
}

/**
 * Encrypts what agents left on the device, and all they leave from now on.
 *
 * @returns whether it is done; otherwise `scouts up` or `scouts connect` finishes it, or the same again
 * @throws DeviceError `passphrase_set`, `usage` when it is too short; as {@link renewKept} and {@link aloneWithKeyFile}
 */
export async function setPassphrase(store: DeviceStore, passphrase: string, nowMs: number): Promise<boolean> {
  await aloneWithKeyFile(store.dataFolder, (file) => {
    if (file !== undefined) throw new DeviceError("passphrase_set");
    const pair = newKeyPair();
    const { publicKey } = pair;
    const wrapped = checkedWrap(pair, passphrase);
    writeKeyFile(store.dataFolder, { version: 1, publicKey, ...wrapped, isEnding: false, isDone: false });
  });
  return renewKept(store, nowMs);
}

/**
 * The same key under another passphrase: nothing is encrypted anew.
 *
 * @throws DeviceError `kept_locked`, `passphrase_wrong`, `usage`; as {@link aloneWithKeyFile}
 */
export function changePassphrase(
  { dataFolder }: DeviceStore,
  old: string | undefined,
  passphrase: string,
): Promise<void> {
  return aloneWithKeyFile(dataFolder, (file) => {
    if (file === undefined) throw noPassphrase();
    if (old === undefined) throw new DeviceError("kept_locked");
    writeKeyFile(dataFolder, { ...file, ...checkedWrap(unwrappedKey(file, old), passphrase) });
  });
}

/** Opens all that is encrypted, for good. @returns whether it is done. @throws DeviceError `kept_locked`, `passphrase_wrong`, `usage`; as {@link aloneWithKeyFile} */
export async function removePassphrase(store: DeviceStore, nowMs: number): Promise<boolean> {
  await aloneWithKeyFile(store.dataFolder, (file) => {
    if (file === undefined) throw noPassphrase();
    const locked = store.vault.lockedBy();
    if (locked !== undefined) throw locked;
    if (!file.isEnding) writeKeyFile(store.dataFolder, { ...file, isEnding: true });
  });
  return renewKept(store, nowMs);
}

/**
 * Gives up what is encrypted: nobody can read it without the passphrase. The key goes last, so that this can be done again.
 *
 * @returns how many answers and files were removed
 */
export async function forgetKept({ answers, dataFolder }: DeviceStore): Promise<{ answers: number; files: number }> {
  const removed = answers.forgetSealed();
  let files = 0;
  if (existsSync(join(dataFolder, artifactRoot))) {
    const all = new FsProjectFiles(dataFolder, { ripgrep: false });
    for await (const { path } of all.walk({ under: artifactRoot, ignoreRules: false })) {
      await all.delete(path);
      files++;
    }
  }
  removeKeyFile(dataFolder);
  return { answers: removed, files };
}

function checkedWrap(pair: Parameters<typeof wrappedKey>[0], passphrase: string) {
  if ([...passphrase].length < leastPassphrase) {
    throw new DeviceError("usage", { sentence: `A passphrase has at least ${leastPassphrase} characters.` });
  }
  return wrappedKey(pair, passphrase);
}

const noPassphrase = () =>
  new DeviceError("usage", { sentence: "There is no passphrase; `scouts passphrase set` sets one." });
