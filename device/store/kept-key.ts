import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "../private-folder.ts";

const keyBytes = 32;

/**
 * A key of 32 bytes (0600), made when it is first asked for: what it has marked or encrypted is understood after a
 * restart. One that is damaged gives way to another: then what it marked has to be read anew.
 *
 * @param folder made when needed, for its owner alone
 */
export function keptKey(folder: string, name: string): Uint8Array {
  makePrivateFolder(folder);
  const file = join(folder, `${name}.key`);
  const known = read(file);
  if (known?.length === keyBytes) return known;
  if (known !== undefined) rmSync(file, { force: true });
  const draft = `${file}-${randomBytes(6).toString("hex")}`;
  writeFileSync(draft, randomBytes(keyBytes), { mode: 0o600, flag: "wx", flush: true });
  try {
    // Of several programs that make it at once one is first, and all have its key.
    linkSync(draft, file);
  } catch (error) {
    if (!isCoded(error, "EEXIST")) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file);
}

function read(file: string): Uint8Array | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (isCoded(error, "ENOENT")) return undefined;
    throw error;
  }
}

const isCoded = (error: unknown, code: string) => error instanceof Error && "code" in error && error.code === code;
