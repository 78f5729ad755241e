import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of its own, and the way to be rid of it. */
export function ownFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "scouts-e2e-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
