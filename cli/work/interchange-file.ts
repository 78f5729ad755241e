import { renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { exportFailed } from "../../device/errors/export-failed.ts";
import { systemCode } from "../../device/files/backends/fs/fs-errors.ts";
import { makeFolder } from "../../device/private-folder.ts";
import { givenText } from "../../device/work/given-text.ts";
import type { CliContext } from "../context.ts";
import { pathGiven } from "../given-path.ts";
import { textOfFile } from "../handed-text.ts";
import { printableLines } from "../output/printable.ts";

/** Gives a file's text to a program as it is; on a terminal nothing of it is obeyed. */
export function writeOut({ io }: CliContext, text: string): void {
  io.stdout.write(io.isTTY ? printableLines(text) : text);
}

/**
 * Writes a file whole or not at all: what reads it meanwhile sees the old one or the new one.
 * @throws DeviceError `export_failed`
 */
export function writeWhole(context: CliContext, file: string, text: string): string {
  const target = pathGiven(context, file);
  const draft = `${target}.${context.newId()}.tmp`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true, flag: "wx" });
    renameSync(draft, target);
  } catch (cause) {
    discard(draft);
    throw exportFailed(target, cause, "cannot be written; check that its folder exists and that you may write to it.");
  }
  return target;
}

/** What was begun does not stay; where not even its place is one (ENOTDIR, ENAMETOOLONG) nothing was begun. */
function discard(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
}

/** A file in a folder, which is made where there is none. @throws DeviceError `export_failed` */
export function writeInto(context: CliContext, folder: string, name: string, text: string): string {
  const target = pathGiven(context, folder);
  try {
    makeFolder(target, 0o777);
  } catch (cause) {
    throw exportFailed(target, cause, "cannot be made a folder; give the path of one, or of none yet.");
  }
  return writeWhole(context, path.join(target, name), text);
}

/** @throws DeviceError `import_invalid`, `interrupted` */
export const readWhole = (context: CliContext, file: string): Promise<string> =>
  textOfFile(pathGiven(context, file), {
    ...{ code: "import_invalid", signal: context.io.signal },
    decoded: givenText,
  });
