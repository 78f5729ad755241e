import { statSync } from "node:fs";
import path from "node:path";
import type { DeviceError } from "../errors.ts";
import { exactError } from "../exact-sentences.ts";

/**
 * Of a place of this machine that is no folder: what a person has named may be a file of the one that they mean.
 *
 * @param cause what the system has said of it
 */
export function noFolder(place: string, cause: unknown): DeviceError {
  const more = { data: { field: "path" }, cause };
  if (!isFile(place)) return exactError("folder_not_found", "at", { path: place }, more);
  return exactError("folder_not_found", "file", { path: place, folder: path.dirname(place) }, more);
}

function isFile(place: string): boolean {
  try {
    return statSync(place).isFile();
  } catch (error) {
    // Nothing is there, or nobody may look.
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
