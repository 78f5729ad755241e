import path from "node:path";
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
    const { cause } = error;
    // A file of another user is whole: what it encrypts is not to be given up.
    if (cause instanceof Error && "code" in cause && (cause.code === "EACCES" || cause.code === "EPERM")) {
      const message = "it is not this user's to read. See whose it is (`ls -l`) and give it back (`chown`, `chmod`).";
      const values = { path: path.join(dataFolder, "device", "passphrase.json") };
      return [
        {
          name: "passphrase",
          state: "fail",
          ...found("record_unusable", values, { why: { code: error.code, message } }),
        },
      ];
    }
    return [{ name: "passphrase", state: "fail", ...found("passphrase_damaged") }];
  }
}
