import { rmSync } from "node:fs";
import { systemCode } from "../../device/files/backends/fs/fs-errors.ts";

/** What was begun does not stay; where not even its place is one (ENOTDIR, ENAMETOOLONG) nothing was begun. */
export function discard(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
}
