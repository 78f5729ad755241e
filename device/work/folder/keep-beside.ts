import path from "node:path";
import { isDeviceError } from "../../errors.ts";
import type { FolderFiles } from "./folder-files.ts";

/** What a name may have on the disks people use: bytes on Linux, as many characters elsewhere. */
const mostNameBytes = 255;

/**
 * Keeps a text beside a file, over none that is there: what lies there may be all that is left of what a person wrote. One that says
 * the same already is used again, as who was killed here comes a second time.
 *
 * @param what which version of the file it is, for its name
 * @param mayBeIt whether a file that is there may be what was kept before
 * @returns the name it has
 * @throws DeviceError `export_failed`
 */
export function keepBeside(
  files: FolderFiles,
  [name, what, text]: readonly [name: string, what: string, text: string],
  mayBeIt: (name: string) => boolean,
): string {
  for (let number = 1; ; number += 1) {
    const beside = besideName(name, number === 1 ? what : `${what} ${number}`);
    if (files.has(beside) ? mayBeIt(beside) && says(files, beside, text) : files.writeOver(beside, undefined, text)) {
      return beside;
    }
  }
}

function besideName(name: string, what: string): string {
  const { dir, name: stem, ext } = path.posix.parse(name);
  const ending = ` (${what})${ext}`;
  return path.posix.join(dir, `${fitting(stem, mostNameBytes - Buffer.byteLength(ending))}${ending}`);
}

/** As much of a text from its beginning as has so many bytes, in whole characters. */
function fitting(text: string, mostBytes: number): string {
  let bytes = 0;
  let kept = "";
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > mostBytes) break;
    kept += character;
  }
  return kept;
}

function says(files: FolderFiles, name: string, text: string): boolean {
  try {
    return files.read(name) === text;
  } catch (error) {
    // No text, or a folder: something else that is there.
    if (isDeviceError(error, "import_invalid", "export_failed")) return false;
    throw error;
  }
}
