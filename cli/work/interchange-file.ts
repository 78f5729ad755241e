import { readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { exportFailed } from "../../device/errors/export-failed.ts";
import { DeviceError } from "../../device/errors.ts";
import { systemCode } from "../../device/files/backends/fs/fs-errors.ts";
import { makeFolder } from "../../device/private-folder.ts";
import { givenText } from "../../device/work/given-text.ts";
import type { CliContext } from "../context.ts";
import { discard } from "../files/discard.ts";
import { pathGiven } from "../given-path.ts";
import { textOfFile } from "../handed-text.ts";
import { printableLines } from "../output/printable.ts";

/** Gives a file's text to a program as it is; on a terminal nothing of it is obeyed. */
export function writeOut({ io }: CliContext, text: string): void {
  io.stdout.write(io.isTTY ? printableLines(text) : text);
}

/**
 * Writes a file whole or not at all: what reads it meanwhile sees the old one or the new one. A link stays, and the file it leads to is
 * written.
 *
 * @throws DeviceError `export_failed`
 */
export function writeWhole(context: CliContext, file: string, text: string): string {
  const target = pathGiven(context, file);
  const place = followed(target);
  const draft = `${place}.${context.newId()}.tmp`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true, flag: "wx" });
    renameSync(draft, place);
  } catch (cause) {
    discard(draft);
    throw exportFailed(target, cause, "cannot be written; check that its folder exists and that you may write to it.");
  }
  return target;
}

/** Where a path leads to; itself where there is nothing yet, or no way to it, which writing tells. */
function followed(target: string): string {
  try {
    return realpathSync(target);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return target;
  }
}

/** A file by its name in a folder. */
interface NamedText {
  readonly name: string;
  readonly text: string;
}

/**
 * Files in a folder, which is made where there is none. Their names are nobody's choice: what lies there under one of them and says
 * something else may be all there is of it.
 *
 * @param replaces whether such files are written over
 * @returns their paths
 * @throws DeviceError `export_failed`
 */
export function writeInto(
  context: CliContext,
  folder: string,
  files: readonly NamedText[],
  replaces: boolean,
): string[] {
  const target = pathGiven(context, folder);
  try {
    makeFolder(target, 0o777);
  } catch (cause) {
    throw exportFailed(target, cause, "cannot be made a folder; give the path of one, or of none yet.");
  }
  const others = replaces ? [] : files.filter(({ name, text }) => saysElse(path.join(target, name), text));
  if (others.length > 0) {
    const names = others.slice(0, mostNamed).map(({ name }) => name);
    const more = others.length > names.length ? ` and ${others.length - names.length} more` : "";
    const sentence = `In ${target} there is ${names.join(", ")}${more} already, and says something else. Nothing was written. Name another folder, or write over it with --replace.`;
    throw new DeviceError("export_failed", { sentence });
  }
  return files.map(({ name, text }) => writeWhole(context, path.join(target, name), text));
}

const mostNamed = 3;

function saysElse(file: string, text: string): boolean {
  try {
    return readFileSync(file, "utf8") !== text;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    // What cannot be read is there all the same.
    return systemCode(error) !== "ENOENT" && systemCode(error) !== "ENAMETOOLONG";
  }
}

/** @throws DeviceError `import_invalid`, `interrupted` */
export const readWhole = (context: CliContext, file: string): Promise<string> =>
  textOfFile(pathGiven(context, file), {
    ...{ code: "import_invalid", signal: context.io.signal },
    decoded: givenText,
  });
