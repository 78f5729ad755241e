import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { isAbsolute, join } from "node:path";
import * as z from "zod";
import { canonicalJson } from "../access/audit/record.ts";
import { DeviceError } from "../errors.ts";
import { readPrivateFile, writePrivateFile } from "../private-file.ts";
import type { Variables } from "../workspace/workspace.ts";

const keyFile = z.strictObject({ key: z.string().regex(/^[0-9a-f]{64}$/) });

/**
 * A data folder may lie in a folder somebody else has made: `.scouts` of a cloned repository is the one that is used when
 * `scouts` is run there. So the list of tools is sealed with a key of the account, which lies outside of every data folder;
 * direnv and editors that ask for trust keep theirs there as well (XDG Base Directory Specification, state).
 */
function accountKeyFile(variables: Variables): string {
  const { XDG_STATE_HOME: state, LOCALAPPDATA: local, HOME: home, USERPROFILE: profile } = variables;
  if (state !== undefined && isAbsolute(state)) return join(state, "scouts", "tools.json");
  if (process.platform === "win32" && local !== undefined) return join(local, "scouts", "tools.json");
  const folder = home ?? profile;
  if (folder === undefined || !isAbsolute(folder)) {
    throw new DeviceError("tool_list_unconfirmed", {
      sentence:
        "Tools need a home folder of your account: set HOME. It keeps the key that tells your list of tools from others.",
    });
  }
  return join(folder, ".local", "state", "scouts", "tools.json");
}

/** @throws DeviceError `tool_list_unconfirmed` without a home folder */
export function isSealed(list: unknown, seal: string, variables: Variables): boolean {
  const kept = readPrivateFile(accountKeyFile(variables), keyFile, unreadable);
  if (kept === undefined) return false;
  const [wanted, given] = [Buffer.from(hmac(list, kept.key), "hex"), Buffer.from(seal, "hex")];
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}

/** Makes the account's key when there is none. @throws DeviceError `tool_list_unconfirmed` without a home folder */
export function sealOf(list: unknown, variables: Variables): string {
  const file = accountKeyFile(variables);
  const kept = readPrivateFile(file, keyFile, unreadable);
  if (kept !== undefined) return hmac(list, kept.key);
  const key = randomBytes(32).toString("hex");
  writePrivateFile(file, { key });
  return hmac(list, key);
}

const hmac = (list: unknown, key: string) =>
  createHmac("sha256", Buffer.from(key, "hex")).update(canonicalJson(list)).digest("hex");

function unreadable(cause?: unknown): never {
  const sentence =
    "The key of your list of tools (scouts/tools.json in your account's state folder) is damaged; remove it, and confirm the list again: scouts tool confirm";
  throw new DeviceError("tool_list_unconfirmed", { sentence, ...(cause !== undefined && { cause }) });
}
