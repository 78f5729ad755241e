import { randomUUID } from "node:crypto";
import { temporaryPrefix } from "../../walk/walk.ts";

/** A name for a file that is being written, which no process has taken; nobody sees it, and no walk shows it. */
export function temporaryName(): string {
  return `${temporaryPrefix}${randomUUID()}`;
}
