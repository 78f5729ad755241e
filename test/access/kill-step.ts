import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { FileAccess } from "../../device/access/file-access.ts";
import { openProjectDatabase } from "../../device/access/open-access.ts";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { after, afterMerge, before, changedMeanwhile, contentsOf } from "./five-file-patch.ts";

/** Two updates, a move (two changes), a delete and an added file: six changes of the disk, a step before and after each. */
export const steps = Array.from({ length: 12 }, (_, index) => index + 1);

export type KillOutcome = "completed" | "undone" | "half" | "not killed" | "trail broken" | "not said";
/** Without conflict, with one that a proposed merge ends, and such a one as a dry run. */
export type KilledPatch = "plain" | "merge" | "dry";

const endsOf = {
  plain: { undone: before, completed: after },
  merge: { undone: changedMeanwhile, completed: afterMerge },
  dry: { undone: changedMeanwhile, completed: undefined },
} as const;

/** Has a process killed at a step of the five-file patch, starts another one, and says what it finds. */
export async function killAt(step: number, how: KilledPatch = "plain"): Promise<KillOutcome> {
  const [root, data] = [mkdtempSync(join(tmpdir(), "scouts-kill-")), mkdtempSync(join(tmpdir(), "scouts-kill-"))];
  try {
    for (const [path, text] of Object.entries(before)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const script = fileURLToPath(new URL("killed-writer.ts", import.meta.url));
    if ((await signalOf(script, [root, data, String(step), how])) !== "SIGKILL") return "not killed";
    const database = openProjectDatabase(data, root);
    try {
      const files = new FsProjectFiles(root);
      const access = new FileAccess({ ...systemTimeAndIds, files, store: database.store, lease: database.lease });
      await access.start();
      const left = JSON.stringify(await contentsOf(files));
      if (!access.audit.verify().ok || database.store.journal.open().length > 0) return "trail broken";
      const said = [...access.audit.records()]
        .filter(({ tool }) => tool === "apply_patch")
        .map(({ outcome }) => outcome);
      const { undone, completed } = endsOf[how];
      if (left === JSON.stringify(sorted(undone))) return said.includes("ok") ? "not said" : "undone";
      if (completed === undefined || left !== JSON.stringify(sorted(completed))) return "half";
      return said.length === 1 && said[0] === "ok" ? "completed" : "not said";
    } finally {
      database.close();
    }
  } finally {
    for (const folder of [root, data]) rmSync(folder, { recursive: true, force: true });
  }
}

/** In the order of a walk. */
const sorted = (tree: Record<string, string>) =>
  Object.fromEntries(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1)));

function signalOf(script: string, args: readonly string[]): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  execFile(process.execPath, [script, ...args], (error) => resolve(error?.signal ?? null));
  return promise;
}
