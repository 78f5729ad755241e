import { isDiskFull } from "../../errors/disk-full.ts";
import { isProjectFilesError, type ProjectFilesErrorCode } from "../../files/errors.ts";
import { AccessError, type AccessErrorCode } from "../errors.ts";
import { saidBySystem } from "../said-by-system.ts";

/** What a person mends otherwise than by trying again has a code of its own. */
const codes: Partial<Record<ProjectFilesErrorCode, AccessErrorCode>> = {
  Conflict: "conflict",
  AccessDenied: "no_permission",
  NotADirectory: "not_a_directory",
  RootGone: "folder_not_found",
};

/** Why a change could not be written, when all that was written of it has been put back. */
export function writeFailure(cause: unknown): AccessError {
  const known = isProjectFilesError(cause) ? cause : undefined;
  const code = isDiskFull(cause) ? "disk_full" : (known && codes[known.code]) || "write_failed";
  const path = known?.path === undefined ? {} : { path: known.path };
  if (code === "conflict") return new AccessError(code, path, cause);
  const said = [...saidBySystem(cause), ...(code === "write_failed" ? [] : ["Nothing was changed."])];
  return new AccessError(code, { ...path, ...(said.length > 0 && { detail: said.join(" ") }) }, cause);
}
