import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FileAccess } from "../../device/access/file-access.ts";
import { openProjectDatabase } from "../../device/access/open-access.ts";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { changedMeanwhile, fiveFilePatch, proposesMerge, watched } from "./five-file-patch.ts";

/**
 * A process that applies the five-file patch and is killed at a given step: `node killed-writer.ts <root> <data> <step>
 * plain|merge|dry`. Merge and dry run count looks at the disk as steps as well.
 */
const [root = "", data = "", step = "0", how = "plain"] = process.argv.slice(2);
const { store, lease } = openProjectDatabase(data, root);
let killing = false;
let passed = 0;
const atStep = () => {
  if (killing && ++passed === Number(step)) process.kill(process.pid, "SIGKILL");
};
const files = watched(new FsProjectFiles(root), atStep, how !== "plain");
const approver = { approve: async () => true };
const access = new FileAccess({ ...systemTimeAndIds, files, store, lease, approver, mergeProposer: proposesMerge });
await access.start();
const session = access.openSession({ caller: "killed" });
const more: Record<string, unknown> = how === "plain" ? {} : { onConflict: "propose_merge", dryRun: how === "dry" };
if (how !== "plain") {
  await access.call(session, "read_file", { path: "a.txt" });
  writeFileSync(join(root, "a.txt"), changedMeanwhile["a.txt"] ?? "");
}
killing = true;
const outcome = await access.call(session, "apply_patch", { patch: fiveFilePatch, ...more });
process.stdout.write(outcome.ok ? "done" : outcome.error.code);
