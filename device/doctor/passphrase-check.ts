import { isDeviceError } from "../errors.ts";
import { readKeyFile } from "../vault/key-file.ts";
import type { Check } from "./checks.ts";
import { found } from "./findings.ts";

/** Whether what agents left can be opened by whoever knows the passphrase; nothing where nothing is encrypted. */
export function checkPassphrase(dataFolder: string): Check[] {
  try {
    readKeyFile(dataFolder);
    return [];
  } catch (error) {
    if (!isDeviceError(error, "passphrase_unreadable")) throw error;
    return [{ name: "passphrase", state: "fail", ...found("passphrase_damaged") }];
  }
}
