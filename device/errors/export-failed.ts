import { DeviceError } from "../errors.ts";
import { isDiskFull } from "./disk-full.ts";

/**
 * The error of a file of the person's that was not written.
 *
 * @param otherwise what to check, where it is not because the disk is full @param more said in either case
 */
export function exportFailed(file: string, cause: unknown, otherwise: string, more = ""): DeviceError {
  const why = isDiskFull(cause)
    ? `${file} cannot be written: its disk is full. Free some space, or name another place.`
    : `${file} ${otherwise}`;
  return new DeviceError("export_failed", { sentence: `${why}${more}`, cause });
}
